import Foundation
import Photos
import Testing

@testable import PhotosServer

@Suite struct DeletedAssetTests {
  @Test func `J-09: a deleted asset is there for the owner, and for no client`() async throws {
    let server = try TestServer()
    let asset = try server.add(bitmap())
    let client = try await TestClient(server: server).answered("full")
    let version = asset.renditionVersion
    let paths = [
      "/assets/\(asset.uuid)", "/resources/\(asset.uuid)/0", "/renditions/\(asset.uuid)/\(version)/grid",
      "/renditions/\(asset.uuid)/\(version)/screen", "/renditions/\(asset.uuid)/\(version)/full",
    ]
    let image = #"{"asset":"\#(asset.uuid)","width":8,"height":8}"#
    for path in paths { #expect(try await client.ask(path).status == 200, "\(path)") }
    #expect(try await client.ask("/images", method: "POST", json: image).status == 200)

    try server.library.performChangesAndWait { PHAssetChangeRequest.deleteAssets([asset]) }
    for path in paths {
      #expect(try await client.ask(path).status == 404, "\(path)")
      #expect(try await server.ask("/api/v1\(path)").status == 200, "\(path)")
    }
    #expect(try await client.ask("/images", method: "POST", json: image).status == 404)
    for list in ["assets", "days"] {
      let answer = try await client.ask("/collections/recentlyDeleted/\(list)")
      #expect(answer.text.contains(#""total":0"#), "\(answer.text)")
    }
    #expect(try await !client.ask("/collections").text.contains(#""recentlyDeleted""#))
    #expect(try await server.ask("/api/v1/collections/recentlyDeleted/assets").text.contains(#""total":1"#))
    #expect(try await server.ask("/api/v1/collections").text.contains(#""recentlyDeleted""#))
  }
}

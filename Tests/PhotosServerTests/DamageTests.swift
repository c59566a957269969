import Foundation
import PhotosTesting
import Testing

@testable @_spi(Testing) import Photos
@testable import PhotosServer

@Suite struct DamageTests {
  private static let immutableCacheControl = "private, max-age=31536000, immutable"

  private static func path(of asset: PHAsset) -> String { "/api/v1/renditions/\(asset.uuid)/\(asset.renditionVersion)" }

  /// Shortens the only file in `renditions/` of a library to a part of its size.
  private static func cutRendition(of library: PHPhotoLibrary, to share: Double) throws {
    let folder = library.url.appendingPathComponent("renditions")
    let name = try #require(try FileManager.default.contentsOfDirectory(atPath: folder.path).first)
    try cut(folder.appendingPathComponent(name), to: share)
  }

  private static func cut(_ file: URL, to share: Double) throws {
    let size = try Data(contentsOf: file).count
    try #require(truncate(file.path, Int(Double(size) * share)) == 0)
  }

  @Test(arguments: [0.5, 0])
  func `a full picture whose file was cut is made again`(share: Double) async throws {
    let server = try TestServer()
    let asset = try server.add(bitmap())
    let whole = try await server.ask("\(Self.path(of: asset))/full")
    try Self.cutRendition(of: server.library, to: share)
    let again = try await server.ask("\(Self.path(of: asset))/full")
    #expect(again.status == 200)
    #expect(again.body == whole.body)
  }

  @Test(arguments: [0.5, 0])
  func `a converted movie whose file was cut is made again`(share: Double) async throws {
    let temporary = try TemporaryLibrary()
    let asset = try temporary.add(SampleFile("IMG_0002.MOV", SampleMedia.movie()))[0]
    let server = try TestServer(library: temporary.library)
    let whole = try await server.ask("\(Self.path(of: asset))/video")
    try Self.cutRendition(of: server.library, to: share)
    let again = try await server.ask("\(Self.path(of: asset))/video")
    #expect(again.status == 200)
    #expect(again.body.count == whole.body.count)
  }

  enum Damage: CaseIterable {
    case cut
    /// The size stays, so that only a verification finds it.
    case verified

    func apply(to asset: PHAsset) throws {
      let file = PHAssetResource.assetResources(for: asset)[0].fileURLForTesting
      try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: file.path)
      switch self {
      case .cut: try DamageTests.cut(file, to: 0.6)
      case .verified:
        var data = try Data(contentsOf: file)
        data[data.count * 3 / 4] ^= 1
        try data.write(to: file)
        try asset.photoLibrary.verify { _ in }
      }
    }
  }

  @Test(arguments: ["grid", "screen", "full"], Damage.allCases)
  func `a picture of a damaged file is not kept`(kind: String, damage: Damage) async throws {
    let server = try TestServer()
    let asset = try server.add(SampleMedia.jpeg(size: .small), named: "IMG_0001.JPG")
    try damage.apply(to: asset)
    let answer = try await server.ask("\(Self.path(of: asset))/\(kind)")
    #expect(answer.status == 200)
    #expect(answer.field("Cache-Control") == "no-store")
    #expect(answer.field("ETag") == nil)
  }

  @Test func `a movie and an original of a damaged file are not kept`() async throws {
    let temporary = try TemporaryLibrary()
    let asset = try temporary.add(SampleFile("IMG_0002.MP4", try SampleMedia.movie()))[0]
    let server = try TestServer(library: temporary.library)
    let paths = ["\(Self.path(of: asset))/video", "/api/v1/resources/\(asset.uuid)/0"]
    for path in paths { #expect(try await server.ask(path).field("ETag") != nil) }
    try Damage.verified.apply(to: asset)
    for path in paths {
      let answer = try await server.ask(path)
      #expect(answer.status == 200)
      #expect(answer.field("Cache-Control") == "no-store")
      #expect(answer.field("ETag") == nil)
    }
  }

  @Test(arguments: Damage.allCases)
  func `after a damaged file was replaced its pictures have a new address`(damage: Damage) async throws {
    let server = try TestServer()
    let original = try SampleMedia.jpeg(size: .small)
    let asset = try server.add(original, named: "IMG_0001.JPG")
    let former = "\(Self.path(of: asset))/full"
    let tag = try #require(try await server.ask(former).field("ETag"))
    try damage.apply(to: asset)
    try server.library.performChangesAndWait {
      let request = PHAssetCreationRequest.forAsset()
      request.joinsExistingAsset = true
      request.addResource(with: .photo, data: original, options: nil)
    }
    let healed = try PHAsset.withID(asset.uuid[...], in: server.library)
    #expect(try await server.ask(former).status == 404)
    let answer = try await server.ask("\(Self.path(of: healed))/full", ["If-None-Match": tag])
    #expect(answer.status == 200)
    #expect(answer.body == original)
    #expect(answer.field("Cache-Control") == Self.immutableCacheControl)
    #expect(try await server.ask("\(Self.path(of: healed))/grid").field("Cache-Control") == Self.immutableCacheControl)
  }
}

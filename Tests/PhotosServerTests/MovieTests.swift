import Foundation
import Photos
import PhotosJSON
import PhotosTesting
import Testing

@testable import PhotosServer

@Suite struct MovieTests {
  @Test func `a movie is sent whole or in ranges, and kept for ever`() async throws {
    let temporary = try TemporaryLibrary()
    let asset = try temporary.add(SampleFile("IMG_0002.MP4", try SampleMedia.movie()))[0]
    let server = try TestServer(library: temporary.library)
    let path = "/api/v1/renditions/\(asset.uuid)/\(asset.renditionVersion)/video"
    let whole = try await server.ask(path)
    #expect(whole.status == 200)
    #expect(whole.field("Content-Type")?.hasPrefix("video/") == true)
    #expect(whole.field("Cache-Control") == "private, max-age=31536000, immutable")
    #expect(whole.field("Vary") == "Origin")
    #expect(whole.field("Accept-Ranges") == "bytes")
    #expect(whole.field("Content-Disposition") == nil)
    #expect(String(decoding: whole.body[4..<8], as: UTF8.self) == "ftyp")
    let part = try await server.ask(path, ["Range": "bytes=100-"])
    #expect(part.status == 206)
    #expect(part.body == whole.body[100...])
    #expect(try await server.ask("/api/v1/renditions/\(asset.uuid)/other/video").status == 404)
  }

  @Test func `O-06: a Live Photo has a movie and a picture, whose files are sent byte for byte`() async throws {
    let temporary = try TemporaryLibrary()
    let live = try SampleMedia.livePhoto()
    let asset = try temporary.add(live)
    let server = try TestServer(library: temporary.library)
    let path = "/api/v1/renditions/\(asset.uuid)/\(asset.renditionVersion)"
    #expect(try await server.ask("\(path)/grid").field("Content-Type")?.hasPrefix("image/") == true)
    #expect(try await server.ask("\(path)/video", ["Range": "bytes=0-7"]).body.count == 8)
    let cells = try JSONDecoder().decode(
      AssetsAnswer.self, from: try await server.ask("/api/v1/collections/userLibrary/assets").body
    ).assets
    #expect(cells.map(\.mediaSubtypes) == [["photoLive"]])
    let resources = try JSONDecoder().decode(
      AssetDetailDescription.self, from: try await server.ask("/api/v1/assets/\(asset.uuid)").body
    ).asset.resources
    #expect(resources.map(\.type) == ["photo", "pairedVideo"])
    let movie = try await server.ask("/api/v1/resources/\(asset.uuid)/1")
    #expect((movie.status, movie.field("Content-Type")) == (200, "video/quicktime"))
    #expect(movie.body == live.video)
    #expect(try await server.ask("/api/v1/resources/\(asset.uuid)/0").body == live.still)
  }

  @Test func `a movie that can't be converted is the file's fault, and no error of the server`() async throws {
    let temporary = try TemporaryLibrary()
    let asset = try temporary.add(SampleFile("IMG_0005.MOV", movieWithoutPictures()))[0]
    let server = try TestServer(library: temporary.library)
    let answer = try await server.ask("/api/v1/renditions/\(asset.uuid)/\(asset.renditionVersion)/video")
    #expect(answer.status == 422)
    #expect(answer.text.contains("IMG_0005.MOV"))
  }

  @Test func `a library without its folder of renditions makes it again`() async throws {
    let temporary = try TemporaryLibrary()
    let asset = try temporary.add(SampleFile("IMG_0002.MOV", SampleMedia.movie()))[0]
    let server = try TestServer(library: temporary.library)
    let folder = temporary.url.appendingPathComponent("renditions")
    try FileManager.default.removeItem(at: folder)
    #expect(try await server.ask("/api/v1/renditions/\(asset.uuid)/\(asset.renditionVersion)/video").status == 200)
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).count == 1)
  }

  @Test func `a HEAD request for a movie starts no conversion`() async throws {
    let temporary = try TemporaryLibrary()
    let asset = try temporary.add(SampleFile("IMG_0002.MOV", SampleMedia.movie()))[0]
    let server = try TestServer(library: temporary.library)
    let path = "/api/v1/renditions/\(asset.uuid)/\(asset.renditionVersion)/video"
    #expect(try await server.ask(path, method: "HEAD").status == 204)
    #expect(try await PHImageManager.default().existingPlayableMovie(for: asset) == nil)
    let whole = try await server.ask(path)
    #expect(whole.status == 200)
    let head = try await server.ask(path, method: "HEAD")
    #expect(head.status == 200)
    #expect(head.field("Content-Length") == "\(whole.body.count)")
  }

  /// Returns a movie whose index is intact, and whose pictures are garbage.
  private func movieWithoutPictures() throws -> Data {
    var movie = [UInt8](try SampleMedia.movie(duration: 1, codec: .hevc, hasAudio: false))
    let name = try #require(movie.firstRange(of: Array("mdat".utf8)))
    let size = movie[name.lowerBound - 4..<name.lowerBound].reduce(0) { $0 << 8 | Int($1) }
    for position in name.upperBound..<name.lowerBound - 4 + size { movie[position] = 0x5A }
    return Data(movie)
  }
}

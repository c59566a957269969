import Foundation
import Photos
import PhotosJSON
import Synchronization
import Testing

@testable import PhotosServer

@Suite struct LibraryAnswerTests {
  @Test func `an empty library says so`() async throws {
    let server = try TestServer()
    let revision = server.library.currentChangeToken.stringValue
    let library = try JSONDecoder().decode(LibraryAnswer.self, from: try await server.ask("/api/v1/library").body)
    #expect(library.name == "Summer")
    #expect((library.assetCount, library.revision, library.isOwner) == (0, revision, true))
    #expect(library.status == .init(readWrite: "authorized", addOnly: "authorized"))
    #expect(
      try await server.ask("/api/v1/collections/userLibrary/days").text
        == #"{"revision":"\#(revision)","total":0,"days":[]}"#)
    #expect(
      try await server.ask("/api/v1/collections/userLibrary/assets").text
        == #"{"assets":[],"offset":0,"revision":"\#(revision)","total":0}"#)
  }

  @Test(arguments: [
    "/api/v1/collections/userLibrary/days", "/api/v1/collections/userLibrary/assets?offset=0&limit=10",
    "/api/v1/collections", "/api/v1/collections/userLibrary/aspects", "/api/v1/collections/userLibrary/locations",
    "/api/v1/assets?where=mediaType==1", "/api/v1/search?q=img",
  ])
  func `a repeated request is answered with 304 until the library changes`(path: String) async throws {
    let server = try TestServer()
    let revision = server.library.currentChangeToken.stringValue
    let first = try await server.ask(path)
    let tag = try #require(first.field("ETag"))
    #expect(tag.hasPrefix("\"\(revision)"))
    #expect(first.field("Cache-Control") == "private, no-cache")
    let second = try await server.ask(path, ["If-None-Match": tag])
    #expect(second.status == 304)
    #expect(second.body.isEmpty)
    try server.add(bitmap())
    let third = try await server.ask(path, ["If-None-Match": tag])
    #expect(third.status == 200)
    #expect(third.field("ETag") != tag)
  }

  @Test func `an asset in full is of one state of the library`() async throws {
    let server = try TestServer()
    let photo = try server.add(bitmap())
    let isOver = Mutex(false)
    let changing = Task {
      defer { isOver.withLock { $0 = true } }
      for index in 0..<100 {
        let isFavorite = index % 2 == 0
        let change =
          #"{"type":"setAssets","assets":["\#(photo.uuid)"],"isFavorite":\#(isFavorite),"title":"\#(isFavorite)"}"#
        _ = try await server.post("/api/v1/changes", json: #"{"changes":[\#(change)]}"#, isSignedIn: true)
      }
    }
    struct Answer: Decodable {
      var isFavorite: Bool
      var title: String?
    }
    var answers: Set<String> = []
    while !isOver.withLock({ $0 }) {
      let answer = try JSONDecoder().decode(Answer.self, from: await server.ask("/api/v1/assets/\(photo.uuid)").body)
      if let title = answer.title { answers.insert("\(answer.isFavorite) \(title)") }
    }
    try await changing.value
    #expect(answers == ["true true", "false false"])
  }

  @Test func `a cell is what the grid needs`() async throws {
    let server = try TestServer()
    let asset = try server.add(bitmap())
    let placeholder = try #require(
      try PHImageManager.default().placeholders(for: [asset])[asset.localIdentifier])
    let date = ISODate.string(try #require(asset.creationDate), offset: asset.timeZoneOffset)
    let cell =
      #"{"creationDate":"\#(date)","duration":0,"hasRaw":false,"id":"\#(asset.uuid)","isFavorite":false,"#
      + #""mediaSubtypes":[],"mediaType":"image","pixelHeight":4,"pixelWidth":8,"placeholder":"\#(placeholder.base64EncodedString())","#
      + #""unreadable":false,"version":"\#(asset.renditionVersion)"}"#
    let revision = server.library.currentChangeToken.stringValue
    #expect(
      try await server.ask("/api/v1/collections/userLibrary/assets").text
        == #"{"assets":[\#(cell)],"offset":0,"revision":"\#(revision)","total":1}"#)
    #expect(
      try await server.ask("/api/v1/collections/userLibrary/days").text
        == #"{"revision":"\#(revision)","total":1,"days":[["\#(date.prefix(10))",1]]}"#)
  }

  @Test(arguments: [
    ("plain", #""plain""#), ("a\"b\\c", #""a\"b\\c""#), ("\u{0}\n\u{1F}", #""\u0000\u000a\u001f""#),
    ("Île 😀 \u{2028}", "\"Île 😀 \u{2028}\""), ("", #""""#),
  ])
  func `strings are written so that JSON can be read`(string: String, written: String) throws {
    var text = JSONText(capacity: 0)
    text.string(string)
    #expect(String(decoding: text.bytes, as: UTF8.self) == written)
    #expect(try JSONDecoder().decode(String.self, from: Data(text.bytes)) == string)
  }

  @Test(arguments: [(0.0, "0"), (12.5, "12.5"), (-3, "-3"), (1e300, "1e+300"), (.infinity, "null"), (.nan, "null")])
  func `fractions are written so that JSON can be read`(number: Double, written: String) {
    var text = JSONText(capacity: 0)
    text.number(number)
    #expect(String(decoding: text.bytes, as: UTF8.self) == written)
  }

  @Test func `a window is written as an encoder would write it`() async throws {
    let server = try TestServer()
    try server.add(bitmap())
    try server.add(bitmap(width: 64, height: 64).prefix(60), minute: 1)
    let answer = try await server.ask("/api/v1/collections/userLibrary/assets")
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    let decoded = try JSONDecoder().decode(AssetsAnswer.self, from: answer.body)
    #expect(decoded.assets.map(\.unreadable) == [true, false])
    #expect(String(decoding: try encoder.encode(decoded), as: UTF8.self) == answer.text)
  }

  @Test func `the timeline is newest first, and leaves out what is hidden`() async throws {
    let server = try TestServer()
    let assets = try (0..<5).map { try server.add(bitmap(red: UInt8($0)), minute: $0) }
    try server.library.performChangesAndWait { PHAssetChangeRequest(for: assets[3]).isHidden = true }
    let answer = try JSONDecoder().decode(
      AssetsAnswer.self, from: try await server.ask("/api/v1/collections/userLibrary/assets").body)
    #expect(answer.assets.map(\.id) == [4, 2, 1, 0].map { assets[$0].uuid })
    let window = try await server.ask("/api/v1/collections/userLibrary/assets?offset=1&limit=2")
    let part = try JSONDecoder().decode(AssetsAnswer.self, from: window.body)
    #expect(part.offset == 1)
    #expect(part.assets.map(\.id) == [2, 1].map { assets[$0].uuid })
    #expect(try await server.ask("/api/v1/collections/userLibrary/assets?offset=4").text.hasPrefix(#"{"assets":[],"#))
  }

  @Test(arguments: [
    ("offset=-1", "offset has to be a number from 0 to 2147483647"),
    ("offset=x", "offset has to be a number from 0 to 2147483647"),
    ("offset=", "offset has to be a number from 0 to 2147483647"),
    ("limit=0", "limit has to be a number from 1 to 500"),
    ("offset=0&limit=501", "limit has to be a number from 1 to 500"),
    ("limit=99999999999999999999", "limit has to be a number from 1 to 500"),
  ])
  func `a window that makes no sense is refused with its reason`(query: String, reason: String) async throws {
    let answer = try await TestServer().ask("/api/v1/collections/userLibrary/assets?" + query)
    #expect(answer.status == 400)
    #expect(answer.problem?.detail == reason)
  }

  @Test func `an asset in full has every key, with null for what isn't known`() async throws {
    let server = try TestServer()
    let asset = try server.add(bitmap(), named: "Île.bmp")
    let answer = try await server.ask("/api/v1/assets/\(asset.uuid)")
    #expect(answer.status == 200)
    let object = try #require(try JSONSerialization.jsonObject(with: answer.body) as? [String: Any])
    #expect(
      object.keys.sorted() == [
        "addedDate", "albums", "altitude", "burstIdentifier", "camera", "caption", "creationDate", "datePrecision",
        "dateSource", "duration", "edit", "id", "isFavorite", "isHidden", "keywords", "latitude", "localIdentifier",
        "longitude",
        "mediaSubtypes", "mediaType", "modificationDate", "notes", "originalFilename", "pixelHeight", "pixelWidth",
        "resources", "timeZoneSource", "title", "unreadableReason", "version",
      ])
    #expect(object["latitude"] is NSNull)
    let camera = try #require(object["camera"] as? [String: Any])
    #expect(
      camera.keys.sorted() == ["exposureTime", "fNumber", "focalLength", "iso", "lens", "make", "model", "software"])
    let description = try JSONDecoder().decode(AssetDetailDescription.self, from: answer.body)
    #expect(description == (try AssetDetailDescription(asset)))
    #expect(description.asset.localIdentifier == asset.localIdentifier)
    #expect(description.asset.originalFilename == "Île.bmp")
    #expect(description.asset.resources.map(\.type) == ["photo"])
    #expect(description.asset.resources.map(\.bytes) == [bitmap().count])
  }

  @Test(arguments: [
    "/api/v1/assets/nothing", "/api/v1/assets/00000000-0000-0000-0000-000000000000", "/api/v1/assets/'",
  ])
  func `an unknown asset is not found`(path: String) async throws {
    #expect(try await TestServer().ask(path).status == 404)
  }
}

import Foundation
import Testing

@testable import PhotosServer

@Suite struct ResourceTests {
  @Test func `an original is sent byte for byte, as a download that can do nothing`() async throws {
    let server = try TestServer()
    // The file is sent in more than one piece.
    let data = bitmap(width: 700, height: 500)
    let asset = try server.add(data, named: "Ferien.BMP")
    let answer = try await server.ask("/api/v1/resources/\(asset.uuid)/0")
    #expect(answer.status == 200)
    #expect(answer.body == data)
    #expect(answer.field("Content-Length") == String(data.count))
    #expect(answer.field("Content-Type") == "image/bmp")
    #expect(answer.field("Content-Disposition") == "attachment; filename=\"Ferien.BMP\"; filename*=UTF-8''Ferien.BMP")
    #expect(answer.field("Content-Security-Policy") == "sandbox")
    #expect(answer.field("X-Content-Type-Options") == "nosniff")
    #expect(answer.field("Accept-Ranges") == "bytes")
    #expect(answer.field("Cache-Control") == "private, no-cache")
    let tag = try #require(answer.field("ETag"))
    #expect(try await server.ask("/api/v1/resources/\(asset.uuid)/0", ["If-None-Match": tag]).status == 304)
    #expect(try await server.ask("/api/v1/resources/\(asset.uuid)/1").status == 404)
    #expect(try await server.ask("/api/v1/resources/nothing/0").status == 404)
  }

  @Test func `a range is sent alone`() async throws {
    let server = try TestServer()
    let data = bitmap(width: 700, height: 500)
    let path = "/api/v1/resources/\(try server.add(data).uuid)/0"
    let part = try await server.ask(path, ["Range": "bytes=10-600009"])
    #expect(part.status == 206)
    #expect(part.body == data[10..<600_010])
    #expect(part.field("Content-Range") == "bytes 10-600009/\(data.count)")
    #expect(part.field("Content-Length") == "600000")
    #expect(try await server.ask(path, ["Range": "bytes=-3"]).body == data.suffix(3))
    let outside = try await server.ask(path, ["Range": "bytes=\(data.count)-"])
    #expect(outside.status == 416)
    #expect(outside.field("Content-Range") == "bytes */\(data.count)")
    let head = try await server.ask(path, ["Range": "bytes=0-1"], method: "HEAD")
    #expect(head.status == 200)
    #expect(head.field("Content-Length") == String(data.count))
  }

  @Test func `a range of a file that has changed is the whole file`() async throws {
    let server = try TestServer()
    let path = "/api/v1/resources/\(try server.add(bitmap()).uuid)/0"
    let tag = try #require(try await server.ask(path).field("ETag"))
    #expect(try await server.ask(path, ["Range": "bytes=0-1", "If-Range": tag]).status == 206)
    for other in ["\"other\"", "W/\(tag)", "Mon, 04 Mar 2019 23:20:11 GMT"] {
      #expect(try await server.ask(path, ["Range": "bytes=0-1", "If-Range": other]).status == 200)
    }
  }

  @Test(arguments: ["empty", "document", "image", "video", "audio"])
  func `an original is a picture, a movie or a download`(destination: String) async throws {
    let server = try TestServer()
    let path = "/api/v1/resources/\(try server.add(bitmap()).uuid)/0"
    let fields = ["Sec-Fetch-Site": "same-origin", "Sec-Fetch-Dest": destination]
    #expect(try await server.ask(path, fields).status == 200)
  }

  @Test(arguments: [
    "script", "style", "iframe", "frame", "object", "embed", "worker", "sharedworker", "serviceworker", "manifest",
    "font", "xslt", "track", "report", "json", "fencedframe", "",
  ])
  func `T-12: an original is no script, style, frame or other part of a page`(destination: String) async throws {
    let server = try TestServer()
    let path = "/api/v1/resources/\(try server.add(bitmap()).uuid)/0"
    let answer = try await server.ask(path, ["Sec-Fetch-Site": "same-origin", "Sec-Fetch-Dest": destination])
    #expect((answer.status, answer.problem?.type) == (403, "urn:calotype:problem:forbidden"))
  }

  @Test(arguments: [
    ("IMG_0001.JPG", "IMG_0001.JPG", "IMG_0001.JPG"),
    ("Île d’Yeu.jpg", "_le d_Yeu.jpg", "%C3%8Ele%20d%E2%80%99Yeu.jpg"),
    ("a\"b\\c.jpg", "c.jpg", "c.jpg"), ("../../etc/passwd", "passwd", "passwd"),
    ("a\r\nSet-Cookie: b", "aSet-Cookie: b", "aSet-Cookie%3A%20b"),
    ("quo\"te%41.jpg", "quo_te_41.jpg", "quo%22te%2541.jpg"), ("photo\u{202E}gpj.exe", "photogpj.exe", "photogpj.exe"),
    ("", "original", "original"), ("//", "original", "original"), (" \u{0}", "original", "original"),
    ("😀.png", "_.png", "%F0%9F%98%80.png"),
  ])
  func `a download has a name that does no harm`(filename: String, ascii: String, encoded: String) {
    #expect(
      ContentDisposition.attachment(filename: filename)
        == "attachment; filename=\"\(ascii)\"; filename*=UTF-8''\(encoded)")
  }

  @Test(arguments: [
    ("\u{1F469}\u{200D}\u{1F467}.jpg", "\u{1F469}\u{200D}\u{1F467}.jpg"),
    ("\u{2764}\u{FE0F}\u{200D}\u{1F525}.jpg", "\u{2764}\u{FE0F}\u{200D}\u{1F525}.jpg"),
    ("\u{0645}\u{06CC}\u{200C}\u{062E}.png", "\u{0645}\u{06CC}\u{200C}\u{062E}.png"),
    ("\u{1F3F4}\u{E0067}\u{E0062}\u{E007F}.jpg", "\u{1F3F4}\u{E0067}\u{E0062}\u{E007F}.jpg"),
    ("a\u{200D}b.jpg", "ab.jpg"), ("\u{1F469}\u{200D}.jpg", "\u{1F469}.jpg"), ("a\u{E0067}.jpg", "a.jpg"),
    ("\u{3000}\u{200D}\u{1F469}", "\u{1F469}"),
  ])
  func `a download's name keeps the invisible characters that change how it looks`(name: String, safe: String) {
    #expect(Filename.safe(name).map { Array($0.unicodeScalars) } == Array(safe.unicodeScalars))
  }

  @Test(arguments: [
    "\u{1F3F4}" + String(repeating: "\u{E0061}", count: 60), "e" + String(repeating: "\u{301}", count: 150),
  ])
  func `a character that is too long is no name`(character: String) {
    #expect(Filename.safe(character) == nil)
    #expect(Filename.safe(character + ".jpg") == nil)
    #expect(Filename.safe("a" + character + ".jpg") == "a.jpg")
  }

  /// The types of answers in which browsers find nothing to run.
  private static let inertTypes: Set = [
    "application/json; charset=utf-8", "application/json", "application/problem+json", "application/octet-stream",
    "application/zip", "image/bmp", "image/jpeg", "image/png", "image/webp", "video/mp4", nil,
  ]

  // The outlines of countries contain nothing of a photo.
  @Test(arguments: APIDocument.readings.filter { $0.template != "/api/v1/map/outlines.svg" })
  func `T-12: no answer lets a browser run what a photo's file contains`(operation: APIDocument.Operation) async throws
  {
    let server = try TestServer()
    // Viewers ignore what follows a picture.
    let script = "<html><script>alert(1)</script><svg xmlns='http://www.w3.org/2000/svg' onload='alert(1)'/>"
    let asset = try server.add(bitmap() + Data(script.utf8), named: "<svg onload='alert(1)'>.html")
    let ticket = try await server.post(
      "/api/v1/downloads", json: #"{"assets":["\#(asset.uuid)"],"kind":"originals"}"#, isSignedIn: true)
    let isOfCollection = operation.template.contains("/collections/")
    let path = operation.template.replacing("{id}", with: isOfCollection ? "userLibrary" : asset.uuid)
      .replacing("{version}", with: asset.renditionVersion).replacing("{index}", with: "0")
      .replacing("{ticket}", with: try JSONDecoder().decode(Ticket.self, from: ticket.body).ticket)
    for kind in path.contains("{kind}") ? ["grid", "screen", "full"] : [""] {
      let query = ["/api/v1/assets": "?where=mediaType==1", "/api/v1/search": "?q=svg"][path] ?? ""
      let answer = try await server.ask(path.replacing("{kind}", with: kind) + query)
      #expect(Self.inertTypes.contains(answer.field("Content-Type")))
      #expect(answer.field("X-Content-Type-Options") == "nosniff")
      let isJSON = answer.field("Content-Type")?.contains("json") == true
      guard !isJSON, answer.body.range(of: Data(script.utf8)) != nil else { continue }
      #expect(answer.field("Content-Disposition")?.hasPrefix("attachment") == true)
      let policy = try #require(answer.field("Content-Security-Policy"))
      #expect(policy == "sandbox" || policy.contains("script-src 'self'"))
    }
  }

  private struct Ticket: Decodable { var ticket: String }
}

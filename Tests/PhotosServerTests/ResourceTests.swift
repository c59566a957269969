import Foundation
import Testing

@testable import PhotosServer

@Suite struct ResourceTests {
  @Test func `an original is sent byte for byte, as a download that can do nothing`() async throws {
    let server = try TestServer()
    // The file is sent in more than one piece.
    let data = bitmap(width: 700, height: 500)
    let asset = try server.add(data, named: "Ferien.BMP")
    let answer = try await server.ask("/resources/\(asset.uuid)/0")
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
    #expect(try await server.ask("/resources/\(asset.uuid)/0", ["If-None-Match": tag]).status == 304)
    #expect(try await server.ask("/resources/\(asset.uuid)/1").status == 404)
    #expect(try await server.ask("/resources/nothing/0").status == 404)
  }

  @Test func `a range is sent alone`() async throws {
    let server = try TestServer()
    let data = bitmap(width: 700, height: 500)
    let path = "/resources/\(try server.add(data).uuid)/0"
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
    let path = "/resources/\(try server.add(bitmap()).uuid)/0"
    let tag = try #require(try await server.ask(path).field("ETag"))
    #expect(try await server.ask(path, ["Range": "bytes=0-1", "If-Range": tag]).status == 206)
    for other in ["\"other\"", "W/\(tag)", "Mon, 04 Mar 2019 23:20:11 GMT"] {
      #expect(try await server.ask(path, ["Range": "bytes=0-1", "If-Range": other]).status == 200)
    }
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
}

import Foundation
import NIOCore
import Testing

@testable import PhotosServer

@Suite struct WebFileTests {
  @Test func `the root is the index`() async throws {
    let answer = try await TestServer().ask("/")
    #expect(answer.status == 200)
    #expect(answer.text == "<!doctype html>")
    #expect(answer.field("Content-Type") == "text/html; charset=utf-8")
    // After signing out, the browser's Back must not show it.
    #expect(answer.field("Cache-Control") == "no-store")
  }

  @Test(arguments: [
    ("a.js", "text/javascript; charset=utf-8"), ("a.css", "text/css; charset=utf-8"), ("a.svg", "image/svg+xml"),
    ("a.webmanifest", "application/manifest+json"), ("a.png", "image/png"), ("a.b.html", "text/html; charset=utf-8"),
  ])
  func `a file's type follows from its extension`(name: String, type: String) async throws {
    let server = try TestServer()
    try Data("x".utf8).write(to: server.webFolder.appendingPathComponent(name))
    #expect(try await server.ask("/\(name)").field("Content-Type") == type)
  }

  @Test func `a file that hasn't changed is not sent again`() async throws {
    let server = try TestServer()
    let first = try await server.ask("/elements/photo-grid.js")
    #expect(first.text == "export {}")
    let tag = try #require(first.field("ETag"))
    let date = try #require(first.field("Last-Modified"))
    let second = try await server.ask("/elements/photo-grid.js", ["If-None-Match": tag])
    #expect(second.status == 304)
    #expect(second.body.isEmpty)
    #expect(second.field("ETag") == tag)
    #expect(try await server.ask("/elements/photo-grid.js", ["If-Modified-Since": date]).status == 304)
    #expect(
      try await server.ask("/elements/photo-grid.js", ["If-None-Match": "\"other\"", "If-Modified-Since": date]).status
        == 200)
  }

  @Test func `a changed file is sent again`() async throws {
    let server = try TestServer()
    let path = "/elements/photo-grid.js"
    let tag = try #require(try await server.ask(path).field("ETag"))
    try Data("export default 1".utf8).write(to: server.webFolder.appendingPathComponent("elements/photo-grid.js"))
    #expect(try await server.ask(path, ["If-None-Match": tag]).text == "export default 1")
  }

  @Test(arguments: ["bytes=9-", "bytes=999999-", "bytes=2-4"])
  func `a file is sent whole if a range of it is asked for`(range: String) async throws {
    let server = try TestServer()
    try Data("export {}".utf8).write(to: server.webFolder.appendingPathComponent("picker.js"))
    for path in ["/elements/photo-grid.js", "/picker.js"] {
      let answer = try await server.ask(path, ["Range": range])
      #expect((answer.status, answer.text) == (200, "export {}"))
      #expect(answer.field("Content-Length") == "9")
      #expect(answer.field("Content-Range") == nil)
      #expect(answer.field("Accept-Ranges") == nil)
    }
  }

  @Test func `a symbolic link doesn't lead out of the web folder`() async throws {
    let server = try TestServer()
    try FileManager.default.createSymbolicLink(
      at: server.webFolder.appendingPathComponent("link.txt"),
      withDestinationURL: server.folder.appendingPathComponent("secret.txt"))
    #expect(try await server.ask("/link.txt").status == 404)
  }

  @Test(arguments: ["/elements", "/nothing.js"])
  func `a path without a file is not found`(path: String) async throws {
    #expect(try await TestServer().ask(path).status == 404)
  }

  @Test func `a compressed script has no comments and no indentation, and its lines have their numbers`() async throws {
    let server = try TestServer()
    let code = "export const sentence = \"https://example.org /* no comment */\";\n"
    let script =
      "/** Tells. */\n" + code + "  // Why\n  /**\n   * @type {x}\n   */ let a = 1\n    a += 1\n"
      + String(repeating: code, count: 20)
    for name in ["a.js", "picker.js"] { try Data(script.utf8).write(to: server.webFolder.appendingPathComponent(name)) }
    let expected = "\n" + code + "\n\n\n let a = 1\na += 1\n" + String(repeating: code, count: 20)
    #expect(CompactScript.made(from: ByteBuffer(string: script)) == ByteBuffer(string: expected))
    let compressed = try await server.ask("/a.js", ["Accept-Encoding": "gzip"])
    #expect(compressed.field("Content-Encoding") == "gzip")
    #expect(compressed.body == Gzip.compress(ByteBuffer(string: expected), .small).map { Data($0.readableBytesView) })
    #expect(try await server.ask("/a.js").text == script)
    // Pages of other origins name the hash of this file.
    let picker = try await server.ask("/picker.js", ["Accept-Encoding": "gzip"])
    #expect(picker.body == Gzip.compress(ByteBuffer(string: script), .small).map { Data($0.readableBytesView) })
  }

  @Test func `a script keeps its indentation if a string in it has several lines`() {
    let script = ByteBuffer(string: "  let a = `first\n  second`\n  // Why\n  let b = 1")
    #expect(CompactScript.made(from: script) == ByteBuffer(string: "  let a = `first\n  second`\n\n  let b = 1"))
  }
}

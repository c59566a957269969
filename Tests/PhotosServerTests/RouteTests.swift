import Testing

@testable import PhotosServer

@Suite struct RouteTests {
  @Test(arguments: [
    "/api", "/api/", "/api/v1/assets/A/B", "/api/v1/renditions/A/v", "/api/v1/renditions/A/v/huge",
    "/api/v1/renditions/A/v/grid/x",
    "/api/v1/resources/A", "/api/v1/resources/A/-1", "/api/v1/resources/A/x",
    "/api/v1/resources/A/99999999999999999999", "/api/v1",
  ])
  func `a path that is none is not found`(path: String) async throws {
    let answer = try await TestServer().ask(path)
    #expect(answer.status == 404)
    #expect(answer.problem?.detail == "\(path) does not exist")
  }

  @Test func `an operation without the version in its path is not found`() async throws {
    let server = try TestServer()
    for operation in APIDocument.operations {
      let path = operation.path.replacing("/api/v1/", with: "/api/")
      let answer = try await server.ask(path, method: operation.method)
      #expect(answer.status == 404, "\(operation.testDescription)")
      #expect(answer.problem?.detail == "\(path) does not exist")
    }
  }

  @Test(arguments: ["/smart/favorites", "/album/A", "/folder/A", "/search?q=cat", "/history", "/access"])
  func `the address of a view is answered with the page`(path: String) async throws {
    let server = try TestServer()
    let answer = try await server.ask(path)
    #expect(answer.status == 200)
    #expect(answer.text == "<!doctype html>")
    #expect(answer.field("Content-Type") == "text/html; charset=utf-8")
    #expect(answer.field("Cache-Control") == "no-store")
  }

  @Test func `a person who opens a missing page is led to the library`() async throws {
    let answer = try await TestServer().ask("/nothing", ["Sec-Fetch-Dest": "document"])
    #expect(answer.status == 404)
    #expect(answer.field("Content-Type") == "text/html; charset=utf-8")
    #expect(answer.text.contains("<a href=\"/\">Open the library</a>"))
  }

  @Test(arguments: [
    "/..", "/../secret.txt", "/elements/../../secret.txt", "/%2e%2e/secret.txt", "/%2E%2E%2Fsecret.txt",
    "/..%2fsecret.txt", "/elements/%2e%2e/%2e%2e/secret.txt", "/..%5csecret.txt", "/..\\secret.txt", "/./index.html",
    "/.git/config", "//secret.txt", "//etc/passwd", "/%2fetc/passwd", "/index.html%00.js", "/%", "/%zz",
    "/%c0%ae%c0%ae/secret.txt", "secret.txt", "*",
  ])
  func `no path leads out of the web folder`(path: String) async throws {
    #expect([400, 404].contains(try await TestServer().ask(path).status))
  }
}

import Testing

@testable import PhotosServer

@Suite struct RouteTests {
  @Test(arguments: [
    "/api", "/api/", "/api/assets/A/B", "/renditions/A/v", "/renditions/A/v/huge", "/renditions/A/v/grid/x",
    "/resources/A", "/resources/A/-1", "/resources/A/x", "/resources/A/99999999999999999999", "/api/v1",
  ])
  func `a path that is none is not found`(path: String) async throws {
    let answer = try await TestServer().ask(path)
    #expect(answer.status == 404)
    #expect(answer.text == #"{"error":"\#(path) does not exist"}"#)
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

import Foundation
import Testing

@testable import PhotosServer

/// The page of the picker, which other origins open in a window.
@Suite struct PickerPageTests {
  private let server: TestServer

  init() throws {
    server = try TestServer()
    let folder = server.webFolder.appendingPathComponent("picker")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    try Data("<!doctype html>picker".utf8).write(to: folder.appendingPathComponent("picker.html"))
  }

  @Test func `the picker keeps its opener, and no other page does`() async throws {
    #expect(try await server.ask("/picker").field("Cross-Origin-Opener-Policy") == "unsafe-none")
    #expect(try await server.ask("/").field("Cross-Origin-Opener-Policy") == "same-origin")
  }

  @Test func `T-15: the picker is the same with and without a session`() async throws {
    let answers = [try await server.ask("/picker"), try await server.ask("/picker", isSignedIn: false)]
    #expect(answers.map(\.status) == [200, 200])
    #expect(answers.map(\.text) == ["<!doctype html>picker", "<!doctype html>picker"])
    #expect(answers[0].fields == answers[1].fields)
  }

  @Test func `T-02: no frame shows the picker`() async throws {
    let policy = try #require(try await server.ask("/picker").field("Content-Security-Policy"))
    #expect(policy.contains("frame-ancestors 'none'"))
  }

  @Test(arguments: [
    ("/elements/photo-grid.js", 200), ("/", 401), ("/picker/picker.html", 200), ("/openapi.json", 401),
    ("/album/1", 401), ("/api/v1/library", 401),
  ])
  func `without a session, scripts are answered and the library is not`(path: String, status: Int) async throws {
    #expect(try await server.ask(path, isSignedIn: false).status == status)
  }

  @Test func `T-08: a query configures nothing`() async throws {
    #expect(try await server.ask("/picker?selectionLimit=0&filter=videos").text == "<!doctype html>picker")
  }

  @Test(arguments: [
    ("where=pixelWidth%20%3E%209", [3]), ("q=fjord_0", [0]), ("where=pixelWidth%20%3C%2010&q=fjord", [0]),
    ("where=FALSEPREDICATE", []), ("order=custom&where=pixelWidth%20%3C%2012", [3, 0]),
  ])
  func `a collection is limited by a predicate and a search`(query: String, expected: [Int]) async throws {
    let lists = try ListFixture()
    #expect(try await lists.numbers("collections/\(lists.album)/assets?\(query)") == expected)
  }

  @Test func `a predicate of a collection names its fault`() async throws {
    let answer = try await server.ask("/api/v1/collections/userLibrary/days?where=mediaKind%20%3D%3D%201")
    #expect(answer.status == 400)
    #expect(answer.text.contains("mediaKind"))
  }
}

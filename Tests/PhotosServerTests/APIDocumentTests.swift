import Foundation
import Testing

@testable import PhotosServer

@Suite struct APIDocumentTests {
  /// The paths of the router below `/api/v1`, in the document's notation.
  private func routes() throws -> Set<String> {
    Set(
      try TestServer().routes.filter { $0.hasPrefix("/api/v1/") && !$0.contains("*") }
        .map { $0.replacing(/:(\w+)/) { "{\($0.1)}" } })
  }

  @Test func `every route is in the document, and the other way round`() throws {
    let documented = Set(APIDocument.operations.map(\.template))
    let routes = try routes()
    #expect(routes.subtracting(documented) == [], "add them to Web/openapi.json")
    #expect(documented.subtracting(routes) == [], "no route has these paths")
  }

  @Test func `every method is in the document, and the other way round`() async throws {
    let server = try TestServer()
    for template in Set(APIDocument.operations.map(\.template)) {
      let operations = APIDocument.operations.filter { $0.template == template }
      let answer = try await server.ask(operations.first?.path ?? "", method: "TRACE")
      let allowed = Set((answer.field("Allow") ?? "").split(separator: ", ").map(String.init)).subtracting(["HEAD"])
      #expect(allowed == Set(operations.map(\.method)), "\(template)")
    }
  }

  @Test func `the server answers with the document`() async throws {
    let answer = try await TestServer().ask("/api/v1/openapi.json")
    #expect(answer.body == (try Data(contentsOf: APIDocument.file)))
    let object = try #require(try JSONSerialization.jsonObject(with: answer.body) as? [String: Any])
    #expect(object["openapi"] as? String == "3.1.0")
  }

  @Test func `the document names every problem`() throws {
    let words = try String(
      contentsOf: APIDocument.file.deletingLastPathComponent().appendingPathComponent("../docs/HTTP.md"),
      encoding: .utf8)
    for problem in Failure.Problem.allCases { #expect(words.contains("`\(problem.rawValue)`")) }
  }
}

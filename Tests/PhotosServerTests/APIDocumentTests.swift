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

  /// Returns the words after a phrase in the reason for which a change is refused.
  private func words(after phrase: String, inRefusalOf change: String) async throws -> Set<String> {
    let answer = try await TestServer().ask(
      "/api/v1/changes", ["Content-Type": "application/json"], method: "POST", body: #"{"changes": [\#(change)]}"#)
    let list = try #require(answer.problem?.detail.split(separator: phrase).dropFirst().first)
    return Set(list.split(separator: ", ").map(String.init))
  }

  @Test func `each change has the keys of the document, and no others`() async throws {
    let object = try JSONSerialization.jsonObject(with: Data(contentsOf: APIDocument.file)) as? [String: Any]
    let schemas = try #require((object?["components"] as? [String: Any])?["schemas"] as? [String: [String: Any]])
    let discriminator = try #require(schemas["Change"]?["discriminator"] as? [String: Any])
    let names = try #require(discriminator["mapping"] as? [String: String])
    #expect(try await words(after: "the types are ", inRefusalOf: #"{"type": "none"}"#) == Set(names.keys))
    for (type, reference) in names {
      let schema = schemas[String(reference.split(separator: "/").last ?? "")]
      let documented = Set((schema?["properties"] as? [String: Any] ?? [:]).keys)
      let known = try await words(after: "known are ", inRefusalOf: #"{"type": "\#(type)", "none": 1}"#)
      #expect(known == documented, "\(type)")
    }
  }

  @Test func `the document names every problem`() throws {
    let words = try String(
      contentsOf: APIDocument.file.deletingLastPathComponent().appendingPathComponent("../docs/HTTP.md"),
      encoding: .utf8)
    for problem in Failure.Problem.allCases { #expect(words.contains("`\(problem.rawValue)`")) }
  }
}

import Foundation
import Photos
import Testing

@testable import PhotosServer

/// Tests the revision and the tag of each list in the document.
@Suite struct ListRevisionTests {
  /// The operations whose answers have an array and lack a revision or a tag, and the reason.
  private static let exceptions = [
    "/access": "It is not part of the library's history.",
    "/access/clients/{id}/selection": "It is not part of the library's history.",
    "/access/selection/request/{id}": "The client reads the answer of the owner once.",
    "/assets/{id}": "It is one asset. Its arrays are properties.",
    "/changes": "It says what has changed since a revision, or whether an undo is possible now.",
    "/confirmations": "It is not part of the library's history.",
    "/edits": "It is not part of the library's history.",
    "/filters": "It is the same for every library.",
    "/filters/{filter}/lattice": "It is the same for every library.",
    "/library": "It is the library itself. Its array is a property.",
    "/picked": "The owner can end the identifiers of an origin without a commit.",
    "/places": "It is the same for every library.",
    "/sessions": "It is not part of the library's history.",
  ]

  private static let lists = APIDocument.operations.filter(\.isList)
    .filter { exceptions[String($0.template.dropFirst("/api/v1".count))] == nil }

  private static func path(of operation: APIDocument.Operation) -> String {
    let path = String(operation.template.dropFirst("/api/v1".count)).replacing("{id}", with: "userLibrary")
    let required = operation.parameters.filter { $0.isRequired && $0.place == "query" }.map { "\($0.name)=photos" }
    return required.isEmpty ? path : "\(path)?\(required.joined(separator: "&"))"
  }

  @Test func `each exception is an answer with an array`() {
    let lists = Set(APIDocument.operations.filter(\.isList).map { String($0.template.dropFirst("/api/v1".count)) })
    #expect(Set(Self.exceptions.keys).subtracting(lists) == [])
    #expect(Self.lists.count >= 8)
  }

  @Test(arguments: lists)
  func `a list has the library's revision`(operation: APIDocument.Operation) async throws {
    let server = try TestServer()
    try server.add(bitmap())
    let answer = try await server.ask("/api/v1\(Self.path(of: operation))")
    let revision = server.library.currentChangeToken.stringValue
    #expect(answer.field("ETag")?.hasPrefix("\"\(revision)") == true)
    // A list of bytes has the revision in its tag alone.
    guard answer.field("Content-Type") != "application/octet-stream" else { return }
    let object = try #require(try JSONSerialization.jsonObject(with: answer.body) as? [String: Any])
    #expect(object["revision"] as? String == revision)
  }

  @Test(arguments: lists)
  func `a list is sent again only after a commit`(operation: APIDocument.Operation) async throws {
    #expect(operation.statuses.contains("304"))
    let server = try TestServer()
    try server.add(bitmap())
    let client = try await TestClient(server: server).answered("full")
    let path = Self.path(of: operation)
    let senders: [([String: String]) async throws -> TestServer.Answer] = [
      { try await server.ask("/api/v1\(path)", $0) }, { try await client.ask(path, $0) },
    ]
    for (index, send) in senders.enumerated() {
      let first = try await send([:])
      let tag = try #require(first.field("ETag"))
      let second = try await send(["If-None-Match": tag])
      #expect((second.status, second.field("ETag"), second.body) == (304, tag, Data()))
      try server.add(bitmap(red: UInt8(index)), named: "IMG_1\(index).BMP", minute: 1 + index)
      let third = try await send(["If-None-Match": tag])
      #expect(third.status == 200)
      #expect(third.field("ETag") != tag)
      #expect(third.body != first.body)
    }
  }
}

import Foundation
import Photos
import TestSupport
import Testing

@testable import PhotosServer

/// A client of a server: a page of another origin, or a program.
struct TestClient: Sendable {
  let server: TestServer
  var origin: String? = "https://slideshow.example"
  var token: String?

  /// Sends a request without a session.
  func ask(
    _ path: String, _ fields: [String: String] = [:], method: String = "GET", json: String? = nil
  ) async throws -> TestServer.Answer {
    var fields = fields
    if let origin { fields["Origin"] = origin }
    if let token { fields["Authorization"] = "Bearer \(token)" }
    if json != nil { fields["Content-Type"] = "application/json" }
    return try await server.ask("/api/v1\(path)", fields, method: method, body: json ?? "", isSignedIn: false)
  }

  /// Returns the header fields that the client sends to a server at an address.
  func head(_ url: URL) -> String {
    "Host: 127.0.0.1:\(url.port ?? 0)\r\nOrigin: \(origin ?? "")\r\nAuthorization: Bearer \(token ?? "")\r\n"
  }

  struct Receipt: Decodable {
    var request: String
    var secret: String
    var code: String
  }

  /// Asks for access.
  func request(level: String = "readWrite", name: String = "Slideshow") async throws -> Receipt {
    let answer = try await ask(
      "/access/requests", method: "POST",
      json: #"{"name":"\#(name)","level":"\#(level)","usageDescription":"Shows your photos."}"#)
    #expect(answer.status == 201)
    return try JSONDecoder().decode(Receipt.self, from: answer.body)
  }

  struct Progress: Decodable, Equatable {
    var status: String
    var token: String?
  }

  func progress(of receipt: Receipt, wait: Int = 0) async throws -> Progress {
    var asking = self
    asking.token = receipt.secret
    let answer = try await asking.ask("/access/requests/\(receipt.request)?wait=\(wait)")
    #expect(answer.status == 200)
    return try JSONDecoder().decode(Progress.self, from: answer.body)
  }

  /// Returns the client with a token, after the owner's answer to its request.
  func answered(_ answer: String, level: String = "readWrite", assets: [PHAsset]? = nil) async throws -> TestClient {
    let receipt = try await request(level: level)
    #expect(try await server.answer(receipt.request, answer, assets: assets).status == 204)
    var client = self
    client.token = try await progress(of: receipt).token
    return client
  }

  /// The number of assets that the client sees.
  func assetCount() async throws -> Int {
    let answer = try await ask("/library")
    #expect(answer.status == 200)
    return try JSONDecoder().decode(Library.self, from: answer.body).assetCount
  }

  private struct Library: Decodable { var assetCount: Int }

  func statuses() async throws -> [String: String] {
    try JSONDecoder().decode([String: String].self, from: try await ask("/access/status").body)
  }
}

extension TestServer {
  /// Answers a request as the owner.
  func answer(_ request: String, _ answer: String, assets: [PHAsset]? = nil) async throws -> Answer {
    let list = assets.map { ",\"assets\":\(Self.list($0))" } ?? ""
    return try await post(
      "/api/v1/access/requests/\(request)/answer", json: #"{"answer":"\#(answer)"\#(list)}"#, isSignedIn: true)
  }

  /// Returns the identifiers of assets as JSON.
  static func list(_ assets: [PHAsset]) -> String { "[" + assets.map { "\"\($0.uuid)\"" }.joined(separator: ",") + "]" }

  struct Access: Decodable {
    struct Request: Decodable {
      var id: String
      var name: String
      var newName: String?
      var origin: String?
      var path: String?
      var level: String
      var usageDescription: String
      var code: String?
    }
    struct Selection: Decodable {
      var id: String
      var client: String
      var name: String
    }
    struct Client: Decodable {
      struct Token: Decodable {
        var id: String
        var start: String
        var lastUsed: String?
      }
      var id: String
      var identifier: String
      var name: String
      var kind: String
      var readWrite: String
      var addOnly: String
      var selectedCount: Int
      var address: String?
      var lastUsed: String?
      var requestCount: Int
      var tokens: [Token]
    }
    var requests: [Request]
    var selections: [Selection]
    var clients: [Client]
  }

  /// Returns what the owner sees of clients.
  func access() async throws -> Access {
    try JSONDecoder().decode(Access.self, from: try await ask("/api/v1/access").body)
  }

  /// Waits until something is to be confirmed, and returns it.
  func waitingConfirmation() async throws -> ConfirmationsAnswer.Confirmation {
    var first: ConfirmationsAnswer.Confirmation?
    try await wait(for: "a question of the server") {
      let answer = try await ask("/api/v1/confirmations")
      first = try JSONDecoder().decode(ConfirmationsAnswer.self, from: answer.body).confirmations.first
      return first != nil
    }
    return try #require(first)
  }

  /// Returns the number of the only client.
  func onlyClient() async throws -> String { try #require(try await access().clients.first).id }

  /// Ends the token of the only client.
  func revokeOnlyToken() async throws {
    let token = try #require(try await access().clients.first?.tokens.first)
    #expect(try await ask("/api/v1/access/tokens/\(token.id)", method: "DELETE").status == 204)
  }
}

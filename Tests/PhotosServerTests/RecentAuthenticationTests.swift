import Foundation
import Photos
import Testing

@testable import PhotosServer

/// Tests which requests need a recent password or owner link.
@Suite struct RecentAuthenticationTests {
  private static let password = "correct horse battery"
  private static let confirmation = "POST /api/v1/confirmations/{id}"

  private static let asset = "0BD5A2C4-3E4F-4051-8263-7485960A1B2C"

  /// The bodies that need it, and those that don't.
  private static let bodies: [String: (sensitive: String, plain: String?)] = [
    "PATCH /api/v1/access/clients/{id}": (#"{"readWrite":"authorized"}"#, #"{"readWrite":"denied"}"#),
    "PUT /api/v1/access/clients/{id}/selection": (#"{"assets":[]}"#, nil),
    "POST /api/v1/access/requests/{id}/answer": (#"{"answer":"full"}"#, #"{"answer":"denied"}"#),
    "POST /api/v1/access/tokens": (#"{"name":"A","level":"readWrite"}"#, nil),
    "POST /api/v1/changes": (
      #"{"changes":[{"type":"deleteAssetsPermanently","assets":["\#(asset)"]}]}"#,
      #"{"changes":[{"type":"deleteAssets","assets":["\#(asset)"]}]}"#
    ),
    "POST /api/v1/password": (#"{"newPassword":"\#(password)"}"#, nil),
    "DELETE /api/v1/sessions/others": ("", nil),
    "DELETE /api/v1/sessions/{id}": ("", nil),
  ]

  private func isRefused(_ answer: TestServer.Answer) -> Bool {
    answer.status == 403 && answer.problem?.type == "urn:calotype:problem:recent-authentication-required"
  }

  @Test(arguments: APIDocument.operations.filter { !["GET", "OPTIONS"].contains($0.method) })
  func `U-14: only operations that the document marks need a recent password`(
    operation: APIDocument.Operation
  ) async throws {
    let recent = try #require(operation.recent, "x-recent in Web/openapi.json says when it needs one, or never")
    guard operation.testDescription != Self.confirmation else { return #expect(recent != "never") }
    let server = try TestServer()
    if operation.template != "/api/v1/password" { try server.setPassword(Self.password) }
    func send(_ body: String) async throws -> TestServer.Answer {
      try await server.post(operation.path, json: body, method: operation.method, isSignedIn: true)
    }
    guard recent != "never" else {
      server.clock.advance(12 * 3600)
      let answer = try await send("{}")
      return #expect(!isRefused(answer))
    }
    let (sensitive, plain) = try #require(Self.bodies[operation.testDescription], "add its body to the table")
    server.clock.advance(12 * 3600)
    let refused = try await send(sensitive)
    #expect(isRefused(refused), "\(refused.status) \(refused.text)")
    #expect((plain == nil) == (recent == "always" || recent == "if no password is set"))
    guard let plain else { return }
    let answer = try await send(plain)
    #expect(!isRefused(answer))
  }

  @Test func `U-14: a recent session may delete permanently, and an older one after its password`() async throws {
    let server = try TestServer()
    try server.setPassword(Self.password)
    let photos = try (0..<2).map { try server.add(bitmap(red: UInt8($0)), minute: $0) }
    func delete(_ photo: PHAsset, _ type: String, _ fields: [String: String] = [:]) async throws -> TestServer.Answer {
      try await server.post(
        "/api/v1/changes", json: #"{"changes":[{"type":"\#(type)","assets":["\#(photo.uuid)"]}]}"#, fields,
        isSignedIn: fields.isEmpty)
    }
    for photo in photos { #expect(try await delete(photo, "deleteAssets").status == 200) }
    #expect(try await delete(photos[0], "deleteAssetsPermanently").status == 200)
    server.clock.advance(12 * 3600)
    let refused = try await delete(photos[1], "deleteAssetsPermanently")
    #expect(isRefused(refused))
    let confirmed = try await server.post(
      "/api/v1/session/authentication", json: #"{"password":"\#(Self.password)"}"#, isSignedIn: true)
    let deleted = try await delete(photos[1], "deleteAssetsPermanently", ["Cookie": confirmed.cookieField])
    #expect(deleted.status == 200)
  }

  @Test func `U-14: confirming a client's permanent deletion needs a recent password; refusing it doesn't`()
    async throws
  {
    let server = try TestServer()
    try server.setPassword(Self.password)
    let photo = try server.add(bitmap())
    let client = try await TestClient(server: server).answered("full")
    let trashed = try await server.post(
      "/api/v1/changes", json: #"{"changes":[{"type":"deleteAssets","assets":["\#(photo.uuid)"]}]}"#, isSignedIn: true)
    #expect(trashed.status == 200)
    server.clock.advance(12 * 3600)
    let deletion = Task {
      try await client.ask(
        "/changes", method: "POST",
        json: #"{"changes":[{"type":"deleteAssetsPermanently","assets":["\#(photo.uuid)"]}]}"#)
    }
    let question = try await server.waitingConfirmation()
    #expect(question.isPermanent)
    func answer(_ isConfirmed: Bool) async throws -> TestServer.Answer {
      try await server.post(
        "/api/v1/confirmations/\(question.id)", json: #"{"answer":\#(isConfirmed)}"#, isSignedIn: true)
    }
    let refused = try await answer(true)
    #expect(isRefused(refused))
    #expect(try await answer(false).status == 204)
    #expect(try await deletion.value.problem?.phPhotosErrorCode == 3072)
  }
}

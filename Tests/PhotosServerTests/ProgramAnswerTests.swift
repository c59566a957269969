import Foundation
import Photos
import PhotosTesting
import TestSupport
import Testing

@testable import PhotosServer

/// Tests the owner's answers to the request of a program on this machine, which the library has
/// recorded.
@Suite struct ProgramAnswerTests {
  private let server: TestServer
  private let program: PHPhotoLibrary
  private let asset: PHAsset

  private static let identifier = "com.example.A"

  init() throws {
    server = try TestServer()
    program = try PHPhotoLibrary(
      url: server.library.url,
      client: LibraryClient(
        identifier: Self.identifier, name: "A", usageDescription: "Shows them.", addUsageDescription: "Adds to them."))
    program.authorizationAnswerer = AuthorizationScript { _ in .unanswered(reason: "nobody is here") }
    asset = try server.add(bitmap())
  }

  /// Lets the program ask, and returns its request.
  private func request(_ level: PHAccessLevel = .readWrite) async throws -> String {
    #expect(await program.requestAuthorization(for: level) == .notDetermined)
    return try #require(try await server.access().requests.first).id
  }

  private var client: LibraryClient { LibraryClient(identifier: Self.identifier, name: "A") }

  private func recorded() throws -> RecordedClient? { try server.library.recordedClient(client) }

  /// Two tabs read the request at the same time, so both find it waiting.
  @Test(arguments: [("full", "denied"), ("denied", "full"), ("limited", "full"), ("full", "limited")])
  func `A-11: a second answer to a program's request changes nothing`(first: String, second: String) async throws {
    let id = try await request()
    let waiting = try #require(try recorded())
    #expect(try await server.answer(id, first, assets: [asset]).status == 204)
    let decided = try recorded()
    #expect(throws: ClientDecision.IsDecided.self) {
      try server.library.decide(
        ClientDecision(
          second == "full" ? [.readWrite: .authorized] : [.readWrite: .denied], selection: [],
          expectedLevel: waiting.waitingLevel), about: waiting.client)
    }
    let answer = try await server.answer(id, second, assets: [])
    #expect(answer.status == 409)
    #expect(answer.problem?.detail == "the request \(id) was answered before")
    #expect(try recorded() == decided)
    #expect(try server.library.selectedAssetCount(of: client) == (first == "limited" ? 1 : 0))
  }

  @Test(.serialized, arguments: 0..<10)
  func `A-11: one of many simultaneous answers to a program's request wins`(round: Int) async throws {
    let id = try await request()
    let answers = ["full", "denied", "limited", "restricted", "full", "denied", "limited", "restricted"]
    let statuses = try await withThrowingTaskGroup(of: (String, Int).self) { group in
      for answer in answers { group.addTask { (answer, try await server.answer(id, answer).status) } }
      return try await group.reduce(into: []) { $0.append($1) }
    }
    #expect(statuses.map(\.1).sorted() == [204] + [Int](repeating: 409, count: answers.count - 1))
    let winner = try #require(statuses.first { $0.1 == 204 }).0
    let expected = ["full": "authorized", "limited": "limited", "denied": "denied", "restricted": "restricted"]
    let decided = try #require(try recorded())
    #expect("\(decided.readWrite)" == expected[winner])
  }

  /// The statuses that another process may set.
  @Test(arguments: [PHAuthorizationStatus.authorized, .limited, .denied, .restricted], ["full", "denied"])
  func `A-11: an answer after a decision of another process changes nothing`(
    status: PHAuthorizationStatus, answer: String
  ) async throws {
    let id = try await request()
    let waiting = try #require(try recorded())
    try PHPhotoLibrary(url: server.library.url).setAuthorization(status, for: client, accessLevel: .readWrite)
    #expect(throws: ClientDecision.IsDecided.self) {
      try server.library.decide(
        ClientDecision([.readWrite: .authorized], expectedLevel: waiting.waitingLevel), about: waiting.client)
    }
    #expect(try await server.answer(id, answer).status == 409)
    #expect(program.authorizationStatus(for: .readWrite) == status)
  }

  @Test func `A-11: an answer to a program that another process has forgotten does not bring it back`() async throws {
    let id = try await request()
    let waiting = try #require(try recorded())
    try PHPhotoLibrary(url: server.library.url).forget(client)
    #expect(throws: ClientDecision.IsDecided.self) {
      try server.library.decide(
        ClientDecision([.readWrite: .authorized], expectedLevel: waiting.waitingLevel), about: waiting.client)
    }
    #expect(try await server.answer(id, "full").status == 404)
    #expect(try recorded() == nil)
  }

  @Test func `A-11: an answer for one level does not answer a request for another`() async throws {
    _ = try await request()
    let waiting = try #require(try recorded())
    try PHPhotoLibrary(url: server.library.url).setAuthorization(.denied, for: client, accessLevel: .readWrite)
    _ = try await request(.addOnly)
    #expect(throws: ClientDecision.IsDecided.self) {
      try server.library.decide(
        ClientDecision([.readWrite: .authorized], expectedLevel: waiting.waitingLevel), about: waiting.client)
    }
    #expect(try recorded()?.readWrite == .denied)
  }
}

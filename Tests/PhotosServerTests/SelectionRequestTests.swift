import Foundation
import Photos
import Synchronization
import TestSupport
import Testing

@testable import PhotosServer

/// Tests the requests of limited clients for another selection: their ends, and how often a client
/// may ask.
@Suite struct SelectionRequestTests {
  private let server: TestServer
  private let assets: [PHAsset]

  init() throws {
    let server = try TestServer()
    self.server = server
    assets = try (0..<3).map { try server.add(bitmap(red: UInt8($0)), named: "IMG_\($0).BMP", minute: $0) }
  }

  private struct Progress: Decodable, Equatable {
    var request: String?
    var status: String
    var added: [String]?
  }

  private final class Answers: Sendable {
    private let list = Mutex<[Progress?]>([])

    var all: [Progress?] { list.withLock(\.self) }
    func add(_ answer: Progress?) { list.withLock { $0.append(answer) } }
  }

  private func limited() async throws -> TestClient {
    try await TestClient(server: server).answered("limited", assets: [assets[0]])
  }

  private func ask(_ client: TestClient) async throws -> TestServer.Answer {
    try await client.ask("/access/selection/request", method: "POST", json: "{}")
  }

  /// Asks for another selection. Returns the request.
  private func request(by client: TestClient) async throws -> String {
    let answer = try await ask(client)
    #expect(answer.status == 201, "\(answer.text)")
    return try #require(try JSONDecoder().decode(Progress.self, from: answer.body).request)
  }

  private func progress(of id: String, _ client: TestClient, wait: Int = 0) async throws -> Progress {
    let answer = try await client.ask("/access/selection/request/\(id)?wait=\(wait)")
    #expect(answer.status == 200, "\(answer.text)")
    return try JSONDecoder().decode(Progress.self, from: answer.body)
  }

  private func cancel(_ id: String) async throws {
    #expect(try await server.ask("/api/v1/access/selections/\(id)", method: "DELETE").status == 204)
  }

  private static let otherStatuses = [PHAuthorizationStatus.authorized, .denied, .restricted, .notDetermined]

  private func set(_ status: PHAuthorizationStatus) async throws {
    let answer = try await server.post(
      "/api/v1/access/clients/\(server.onlyClient())", json: #"{"readWrite":"\#(status)"}"#, method: "PATCH",
      isSignedIn: true)
    #expect(answer.status == 200)
  }

  /// Changes the client's access as `calotype access` does.
  private func setElsewhere(_ status: PHAuthorizationStatus) throws {
    try PHPhotoLibrary(url: server.library.url).setAuthorization(
      status, for: LibraryClient(identifier: "https://slideshow.example"), accessLevel: .readWrite)
  }

  // MARK: Ends

  @Test(arguments: otherStatuses)
  func `B-07: a request that waits ends when its client is not limited any more`(
    status: PHAuthorizationStatus
  ) async throws {
    let client = try await limited()
    let id = try await request(by: client)
    // The server's clock stands still, so the wait of 60 seconds never ends by itself.
    let waiting = Task { try await progress(of: id, client, wait: 60) }
    try await set(status)
    let expected = Progress(request: id, status: "done", added: [])
    #expect(try await result(of: waiting, "the client's answer").get() == expected)
    #expect(try await progress(of: id, client) == expected)
    #expect(try await server.access().selections.isEmpty)
    #expect(try await server.ask("/api/v1/access/selections/\(id)", method: "DELETE").status == 404)
  }

  @Test(arguments: otherStatuses)
  func `B-07: a request that waits ends when another process changes its client's access`(
    status: PHAuthorizationStatus
  ) async throws {
    let client = try await limited()
    let id = try await request(by: client)
    let waiting = Task { try await progress(of: id, client, wait: 60) }
    try setElsewhere(status)
    let expected = Progress(request: id, status: "done", added: [])
    #expect(try await result(of: waiting, "the client's answer").get() == expected)
    #expect(try await server.access().selections.isEmpty)
  }

  @Test(arguments: otherStatuses)
  func `B-07: a request that another process has ended is not shown to the owner`(
    status: PHAuthorizationStatus
  ) async throws {
    let client = try await limited()
    let id = try await request(by: client)
    try setElsewhere(status)
    #expect(try await server.access().selections.isEmpty)
    // The request does not come back with the access.
    try setElsewhere(.limited)
    #expect(try await server.access().selections.isEmpty)
    #expect(try await progress(of: id, client) == Progress(request: id, status: "done", added: []))
    #expect(try await request(by: client) != id)
  }

  @Test(arguments: [true, false])
  func `B-07: a request that waits ends when its client is forgotten`(isElsewhere: Bool) async throws {
    let client = try await limited()
    let id = try await request(by: client)
    // A newer poll ends an older one. So if one of two has ended, the other one waits.
    let answers = Answers()
    let polls = (0..<2).map { _ in
      Task { answers.add(try? await progress(of: id, client, wait: 60)) }
    }
    defer { for poll in polls { poll.cancel() } }
    try await wait(for: "the end of the older poll") { !answers.all.isEmpty }
    #expect(answers.all == [Progress(request: id, status: "waiting")])
    if isElsewhere {
      try PHPhotoLibrary(url: server.library.url).forget(LibraryClient(identifier: "https://slideshow.example"))
    } else {
      #expect(
        try await server.ask("/api/v1/access/clients/\(server.onlyClient())", method: "DELETE").status == 204)
    }
    try await wait(for: "the end of the newer poll") { answers.all.count == 2 }
    #expect(answers.all.last == Progress(request: id, status: "done", added: []))
    #expect(try await server.access().selections.isEmpty)
  }

  private final class Statuses: Sendable {
    private let list = Mutex<[Int]>([])

    var all: [Int] { list.withLock(\.self) }
    func add(_ status: Int) { list.withLock { $0.append(status) } }
  }

  @Test func `B-02: a client whose token was revoked while it waited learns nothing`() async throws {
    let client = try await limited()
    let id = try await request(by: client)
    let statuses = Statuses()
    // A newer poll ends an older one. So if one of two has ended, the other one waits.
    let polls = (0..<2).map { _ in
      Task { statuses.add(try await client.ask("/access/selection/request/\(id)?wait=60").status) }
    }
    defer { for poll in polls { poll.cancel() } }
    try await wait(for: "the end of the older poll") { !statuses.all.isEmpty }
    let listed = try #require(try await server.access().clients.first)
    let token = try #require(listed.tokens.first)
    #expect(try await server.ask("/api/v1/access/tokens/\(token.id)", method: "DELETE").status == 204)
    let selected = try await server.post(
      "/api/v1/access/clients/\(listed.id)/selection", json: #"{"assets":\#(TestServer.list(assets))}"#, method: "PUT",
      isSignedIn: true)
    #expect(selected.status == 200)
    try await wait(for: "the end of the newer poll") { statuses.all.count == 2 }
    #expect(statuses.all == [200, 401])
  }

  @Test func `B-07: full access for a client ends its waiting request for another selection`() async throws {
    let client = try await limited()
    let id = try await request(by: client)
    let receipt = try await TestClient(server: server).request()
    #expect(try await server.answer(receipt.request, "full").status == 204)
    #expect(try await progress(of: id, client) == Progress(request: id, status: "done", added: []))
  }

  @Test func `a request that waits goes on when only another level changes`() async throws {
    let client = try await limited()
    let id = try await request(by: client)
    let number = try await server.onlyClient()
    let answer = try await server.post(
      "/api/v1/access/clients/\(number)", json: #"{"readWrite":"limited"}"#, method: "PATCH", isSignedIn: true)
    #expect(answer.status == 200)
    #expect(try await progress(of: id, client) == Progress(request: id, status: "waiting"))
    #expect(try await server.access().selections.map(\.id) == [id])
  }

  // MARK: Limits

  @Test func `a client may ask ten times a minute, even if the owner cancels each request`() async throws {
    let client = try await limited()
    for _ in 0..<10 { try await cancel(try await request(by: client)) }
    server.clock.advance(20)
    for _ in 0..<3 {
      let answer = try await ask(client)
      #expect(answer.status == 429)
      #expect(answer.field("Retry-After") == "40")
      #expect(answer.problem?.type == "urn:calotype:problem:too-many-requests")
      #expect(answer.problem?.detail == "too many requests for another selection; ask again in 40 seconds")
    }
    #expect(try await server.access().selections.isEmpty)
    server.clock.advance(40)
    _ = try await request(by: client)
    #expect(try await server.access().selections.count == 1)
  }

  @Test func `a client's requests for another selection don't count against other requests`() async throws {
    let client = try await limited()
    let other = try await TestClient(server: server, origin: "https://other.example").answered("limited")
    for _ in 0..<10 { _ = try await request(by: client) }
    #expect(try await ask(client).status == 429)
    _ = try await request(by: other)
    _ = try await TestClient(server: server).request()
    #expect(try await server.access().selections.count == 2)
  }

  @Test func `a client that is not limited is answered at once, however often it asks`() async throws {
    let client = try await TestClient(server: server).answered("full")
    for _ in 0..<12 { #expect(try await ask(client).text == #"{"added":[],"status":"done"}"#) }
    // These did not count.
    try await set(.limited)
    _ = try await request(by: client)
  }

  @Test func `a client whose attempts are used up still gets the answer to its request`() async throws {
    let client = try await limited()
    let id = try await request(by: client)
    for _ in 0..<9 { #expect(try await request(by: client) == id) }
    #expect(try await ask(client).status == 429)
    let answer = try await server.post(
      "/api/v1/access/clients/\(server.onlyClient())/selection", json: #"{"assets":\#(TestServer.list(assets))}"#,
      method: "PUT", isSignedIn: true)
    #expect(answer.status == 200)
    let done = try await progress(of: id, client)
    #expect(done.status == "done")
    #expect(Set(done.added ?? []) == Set(assets[1...].map(\.uuid)))
  }
}

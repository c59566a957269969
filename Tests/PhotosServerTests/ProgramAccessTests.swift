import Foundation
import Photos
import Synchronization
import Testing

@testable import PhotosServer

/// Requests for access by programs, which prove nothing but their tokens.
@Suite struct ProgramAccessTests {
  let server: TestServer
  let program: TestClient

  init() throws {
    server = try TestServer()
    program = TestClient(server: server, origin: nil)
    try server.add(bitmap())
  }

  @Test func `a program of the same name gives nothing to the one that may only add`() async throws {
    let adding = try await program.answered("addOnly", level: "addOnly")
    let reading = try await program.answered("full")
    #expect(try await adding.assetCount() == 0)
    #expect(try await reading.assetCount() == 1)
    #expect(try await server.access().clients.map(\.name) == ["Slideshow", "Slideshow 2"])
  }

  @Test func `a program of the same name takes nothing from the one that sees everything`() async throws {
    let full = try await program.answered("full")
    let limited = try await program.answered("limited")
    #expect(try await full.assetCount() == 1)
    #expect(try await limited.assetCount() == 0)
    _ = try await program.answered("restricted")
    #expect(try await full.assetCount() == 1)
  }

  @Test func `the owner is told that a client of this name exists`() async throws {
    let known = try await program.answered("full")
    _ = try await program.request()
    let request = try #require(try await server.access().requests.first)
    #expect((request.name, request.newName) == ("Slideshow", "Slideshow 2"))
    #expect(try await known.statuses()["readWrite"] == "authorized")
  }

  @Test func `a program of another identifier does not get the name of a client`() async throws {
    _ = try await program.answered("full")
    let asked = try await program.ask(
      "/access/requests", method: "POST",
      json: #"{"name":"Slideshow","identifier":"other","level":"readWrite","usageDescription":"B"}"#)
    let receipt = try JSONDecoder().decode(TestClient.Receipt.self, from: asked.body)
    #expect(try await server.answer(receipt.request, "full").status == 204)
    #expect(
      Set(try await server.access().clients.map { "\($0.identifier): \($0.name)" }) == [
        "remote:Slideshow: Slideshow", "remote:other 2: Slideshow 2",
      ])
  }

  @Test func `a program asks with its token for more access for itself`() async throws {
    let adding = try await program.answered("addOnly", level: "addOnly")
    let receipt = try await adding.request()
    #expect(try await server.access().requests.map(\.newName) == [nil])
    #expect(try await server.answer(receipt.request, "full").status == 204)
    #expect(try await adding.assetCount() == 1)
    #expect(try await server.access().clients.count == 1)
  }

  @Test func `a program gets nothing by a token whose client had its access taken away`() async throws {
    let old = try await program.answered("full")
    let number = try await server.onlyClient()
    _ = try await server.post(
      "/api/v1/access/clients/\(number)", json: #"{"readWrite":"notDetermined","addOnly":"notDetermined"}"#,
      method: "PATCH", isSignedIn: true)
    let new = try await program.answered("full")
    #expect(try await old.assetCount() == 0)
    #expect(try await new.assetCount() == 1)
  }

  @Test func `a wrong token asks for nothing, and neither does that of a page`() async throws {
    var other = program
    other.token = AccessToken(.system).text
    let json = #"{"name":"A","level":"readWrite","usageDescription":"B"}"#
    #expect(try await other.ask("/access/requests", method: "POST", json: json).status == 401)
    other.token = try await TestClient(server: server).answered("full").token
    #expect(try await other.ask("/access/requests", method: "POST", json: json).status == 403)
    #expect(try await server.access().requests.isEmpty)
  }

  @Test func `A-06: a program that was denied does not bother the owner again`() async throws {
    let receipt = try await program.request()
    #expect(try await server.answer(receipt.request, "denied").status == 204)
    let again = try await program.request()
    #expect(try await program.progress(of: again) == .init(status: "denied"))
    #expect(try await server.access().requests.isEmpty)
  }

  @Test func `restricting a page's request takes nothing that its origin has`() async throws {
    let page = TestClient(server: server)
    let adding = try await page.answered("addOnly", level: "addOnly")
    let receipt = try await page.request()
    #expect(try await server.answer(receipt.request, "restricted").status == 204)
    #expect(try await page.progress(of: receipt) == .init(status: "restricted"))
    #expect(try await adding.statuses() == ["readWrite": "restricted", "addOnly": "authorized"])
    #expect(try await adding.add(bitmap(red: 7)).status == 200)
  }

  @Test func `HEAD leaves the token to GET`() async throws {
    let receipt = try await program.request()
    #expect(try await server.answer(receipt.request, "full").status == 204)
    var asking = program
    asking.token = receipt.secret
    #expect(try await asking.ask("/access/requests/\(receipt.request)", method: "HEAD").status == 200)
    #expect(try await program.progress(of: receipt).token != nil)
  }

  @Test func `requests that wait have different digits, and as many can wait`() throws {
    var requests = AccessRequests()
    func request(_ number: Int) -> AccessRequests.Request {
      AccessRequests.Request(
        id: "\(number)", secretHash: Data(),
        wish: AccessRequests.Wish(
          client: LibraryClient(identifier: "remote:A"), isProven: false, address: "\(number)", level: .readWrite,
          usageDescription: "B"),
        date: Date(timeIntervalSince1970: 0))
    }
    let codes = try (0..<100).map { try requests.add(request($0), codeNumber: 65_535) }
    #expect(Set(codes).count == 100)
    #expect(throws: AccessRequests.Refusal.tooMany(seconds: 120)) { _ = try requests.add(request(100), codeNumber: 0) }
  }

  // MARK: Waiting

  @Test func `a newer poll of a request ends the older one`() async throws {
    let receipt = try await program.request()
    let statuses = Mutex<[String?]>([])
    for _ in 0..<2 {
      Task { @Sendable [program] in
        let status = try? await program.progress(of: receipt, wait: 60).status
        statuses.withLock { $0.append(status) }
      }
    }
    try await wait(for: "the end of the older poll") { statuses.withLock { !$0.isEmpty } }
    #expect(statuses.withLock(\.self) == ["waiting"])
    #expect(try await server.answer(receipt.request, "full").status == 204)
    try await wait(for: "the end of the newer poll") { statuses.withLock { $0.count == 2 } }
    #expect(statuses.withLock(\.last) == "authorized")
  }

  @Test func `a sender has a few places to wait, and all senders have some more`() {
    let polls = LongPolls(limit: 3, limitOfSender: 2)
    let places = [("1", "a"), ("2", "a"), ("3", "a"), ("4", "b"), ("5", "c")].map { polls.begin($0.0, by: $0.1) }
    #expect(places.map(polls.goesOn) == [false, false, true, true, true])
    let again = polls.begin("4", by: "b")
    #expect(places.map(polls.goesOn) == [false, false, true, false, true])
    polls.end(again)
    #expect(!polls.goesOn(again))
  }

  @Test func `many polls don't lock the owner out`() async throws {
    try await serving(server, limits: ServerLimits(connections: 16)) { url in
      let port = try #require(url.port)
      let host = "Host: 127.0.0.1:\(port)\r\n"
      let json = #"{"name":"A","level":"readWrite","usageDescription":"B"}"#
      let asked = try RawConnection(port: port).exchange(
        "POST /api/v1/access/requests HTTP/1.1\r\n\(host)Content-Type: application/json\r\nContent-Length: \(json.utf8.count)\r\n\r\n",
        Data(json.utf8))
      let receipt = try JSONDecoder().decode(TestClient.Receipt.self, from: asked.body)
      var polls: [RawConnection] = []
      for _ in 0..<24 {
        let poll = try RawConnection(port: port)
        poll.send(
          "GET /api/v1/access/requests/\(receipt.request)?wait=60 HTTP/1.1\r\n\(host)Authorization: Bearer \(receipt.secret)\r\n\r\n"
        )
        polls.append(poll)
      }
      let answer = try RawConnection(port: port).exchange("GET /api/v1/library HTTP/1.1\r\n\(head(url))\r\n", Data())
      #expect(answer.status == 200)
      withExtendedLifetime(polls) {}
    }
  }
}

import Foundation
import Photos
import Testing

@testable import PhotosServer

@Suite struct AccessRequestLimitTests {
  let server: TestServer
  let client: TestClient

  init() throws {
    server = try TestServer()
    client = TestClient(server: server)
  }

  @Test func `A-17: one of ten requests in a minute is shown`() async throws {
    _ = try await client.request()
    for _ in 0..<10 {
      let answer = try await client.ask(
        "/access/requests", method: "POST", json: #"{"name":"A","level":"addOnly","usageDescription":"B"}"#)
      #expect(answer.status == 429)
      #expect(Int(answer.field("Retry-After") ?? "") != nil)
    }
    #expect(try await server.access().requests.count == 1)
    var other = client
    other.origin = "https://other.example"
    _ = try await other.request()
    #expect(try await server.access().requests.count == 2)
  }

  private func ask(origin: String, address: String) async throws -> Int {
    try await server.post(
      "/api/v1/access/requests", json: #"{"name":"A","level":"addOnly","usageDescription":"B"}"#, ["Origin": origin],
      peer: address
    ).status
  }

  @Test func `A-17: origins that a program makes up don't fill the owner's page`() async throws {
    var statuses: [Int] = []
    for number in 0..<25 {
      statuses.append(try await ask(origin: "https://a\(number).example", address: "203.0.113.9"))
    }
    #expect(statuses == [Int](repeating: 201, count: 20) + [Int](repeating: 429, count: 5))
    #expect(try await server.access().requests.count == 20)
    #expect(try await ask(origin: "https://other.example", address: "203.0.113.10") == 201)
  }

  @Test func `A-17: a program that sends a page's origin doesn't use up the requests of the page`() async throws {
    let page = "https://victim.example"
    for number in 0..<12 {
      #expect(try await ask(origin: page, address: "203.0.113.9") == (number == 0 ? 201 : 429))
    }
    #expect(try await ask(origin: page, address: "203.0.113.10") == 201)
  }

  @Test func `A-17: thirty attempts a minute come from one address, whatever their origins`() throws {
    var requests = AccessRequests()
    let now = Date(timeIntervalSince1970: 0)
    for number in 0..<30 { try requests.attempt(origin: "https://a\(number).example", address: "A", at: now) }
    #expect(throws: AccessRequests.Refusal.tooMany(seconds: 50)) {
      try requests.attempt(origin: "https://other.example", address: "A", at: now + 10)
    }
    try requests.attempt(origin: "https://other.example", address: "B", at: now)
    try requests.attempt(origin: "https://other.example", address: "A", at: now + 60)
  }
}

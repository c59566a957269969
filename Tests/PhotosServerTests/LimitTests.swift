import Foundation
import Testing

@testable import PhotosServer

/// Tests the limits that the specification lists in one table.
@Suite struct LimitTests {
  private static let limits = ServerLimits(connections: 16)

  @Test(arguments: [
    ("sign-ins of an address at once", SignInLimiter.Sender.address("A").freeAttempts, 5),
    ("sign-ins of a known browser at once", SignInLimiter.Sender.device("A").freeAttempts, 10),
    ("seconds of the longest wait for a sign-in", Int(SignInLimiter.longestWait), 900),
    ("sign-ins of unknown browsers an hour", SignInLimiter.recentLimit, 30),
    ("sign-ins of unknown browsers without success", SignInLimiter.totalLimit, 100),
    ("attempts of an origin to ask for access, or for a picker, a minute", SenderAttempts.limit, 10),
    ("attempts of an address to ask for access, or for pickers, a minute", SenderAttempts.limitOfAddress, 30),
    ("open requests for access of an address", AccessRequests.openLimitOfAddress, 20),
    ("open requests for access", AccessRequests.openLimit, 100),
    ("open pickers of other machines and pages", PickerSessions.openLimitOfOthers, 100),
    ("wrong codes of a picker", PickerSessions.wrongCodeLimit, 5),
    ("open pickers of a program or an origin", PickerSessions.openLimit, 5),
    ("uploads at once", limits.uploadsAtOnce, 8),
    ("bytes of unfinished uploads", limits.unfinishedUploadBytes, 64_000_000_000),
    ("unfinished uploads of an asker", limits.unfinishedUploadsOfAsker, 1000),
    ("unfinished uploads", limits.unfinishedUploads, 10_000),
    ("outcomes of a sender's imported uploads", limits.finishedUploadsOfAsker, 1000),
    ("pictures of a sender at once", PictureWork.limitOfAsker, 8),
    ("pictures at once", PictureWork.limit, 32),
    ("pictures that are made at once", PictureWork.runningLimit, 2),
    ("days of an upload", Int(Uploads.lifetime / 86_400), 7),
    ("bytes of a path and a header", HostMiddleware.largestFields, 16 << 10),
    ("event streams of a client", ChangeFeed.limitOfSender, 32),
    ("downloads of a holder", Downloads.largestCountOfHolder, 50),
  ])
  func `a limit is the one of the table`(name: String, value: Int, expected: Int) {
    #expect(value == expected, "\(name)")
  }

  @Test(arguments: [(16_000, 200), (17_000, 431), (60_000, 431)])
  func `a header of more than 16 kB is refused`(byteCount: Int, status: Int) async throws {
    let server = try TestServer()
    let answer = try await server.ask(
      "/api/v1/library", ["X-Filler": String(repeating: "a", count: byteCount - 200)])
    #expect(answer.status == status)
    if status == 431 { #expect(answer.problem?.type == "urn:calotype:problem:fields-too-large") }
    let path = "/api/v1/search?q=" + String(repeating: "a", count: byteCount - 200)
    let long = try await server.ask(path).status
    #expect((long == 431) == (status == 431))
  }

  @Test func `U-16: a header of more than 16 kB is refused over a connection, too`() async throws {
    let server = try TestServer()
    try await serving(server) { url in
      let filler = String(repeating: "a", count: 20_000)
      let answers = try RawConnection(port: try #require(url.port)).exchange(
        ["GET /api/v1/library HTTP/1.1\r\n\(head(url))X-Filler: \(filler)\r\nConnection: close\r\n\r\n"])
      #expect(answers.map(\.status) == [431])
    }
  }

  @Test(arguments: APIDocument.operations.filter { !["GET", "OPTIONS", "DELETE"].contains($0.method) })
  func `a body of more than its limit is refused`(operation: APIDocument.Operation) async throws {
    guard operation.template != "/api/v1/uploads", operation.template != "/api/v1/uploads/{id}" else { return }
    let server = try TestServer()
    let answer = try await server.post(
      operation.path, json: #"{"a":"\#(String(repeating: "a", count: 5 << 20))"}"#, method: operation.method,
      isSignedIn: true)
    // A request for clients is refused before.
    #expect([413, 403].contains(answer.status), "\(answer.status) \(answer.text)")
  }
}

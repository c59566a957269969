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

  @Test(arguments: [(16_384, 401), (16_385, 431)])
  func `a path and a header are refused above 16 kB together`(byteCount: Int, status: Int) async throws {
    let server = try TestServer()
    // A field has a colon, a space, and the end of its line.
    let length = byteCount - "/api/v1/library".utf8.count - "X-Filler".utf8.count - 4
    let filler = String(repeating: "a", count: length)
    #expect(try await server.ask("/api/v1/library", ["X-Filler": filler], isSignedIn: false).status == status)
    let path = "/api/v1/search?q="
    let text = String(repeating: "a", count: byteCount - path.utf8.count)
    #expect(try await server.ask(path + text, isSignedIn: false).status == status)
  }

  @Test func `a header of more than 16 kB is refused by each operation`() async throws {
    let server = try TestServer()
    let fields = ["X-Filler": String(repeating: "a", count: 16 << 10)]
    for operation in APIDocument.operations {
      for isSignedIn in [true, false] {
        let answer = try await server.ask(operation.path, fields, method: operation.method, isSignedIn: isSignedIn)
        #expect(answer.status == 431, "\(operation.testDescription)")
        #expect(answer.problem?.type == "urn:calotype:problem:fields-too-large")
      }
    }
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

  @Test func `a body of one byte more than its limit is refused by each operation`() async throws {
    let server = try TestServer()
    for operation in APIDocument.operations {
      guard let limit = operation.bodyLimit else { continue }
      for (byteCount, isRefused) in [(limit, false), (limit + 1, true)] {
        let answer = try await server.post(
          operation.path, json: #"{"a":"\#(String(repeating: "a", count: byteCount - 8))"}"#, method: operation.method,
          isSignedIn: true)
        #expect((answer.status == 413) == isRefused, "\(operation.testDescription), \(byteCount): \(answer.text)")
        #expect(answer.status < 500)
      }
    }
  }

  @Test func `an operation without a body of JSON reads none`() async throws {
    // The limits of uploads are larger. UploadTests tests them. The last one ends the session.
    let others = ["POST /api/v1/uploads", "PATCH /api/v1/uploads/{id}", "DELETE /api/v1/session"]
    let server = try TestServer()
    let large = String(repeating: "a", count: 5 << 20)
    for operation in APIDocument.operations where operation.bodyLimit == nil {
      guard !others.contains(operation.testDescription) else { continue }
      func status(_ body: String) async throws -> Int {
        let fields = ["Content-Type": "application/json"]
        return try await server.response(to: operation.path, fields, method: operation.method, body: body).status.code
      }
      let expected = try await status("")
      #expect(try await status(large) == expected, "\(operation.testDescription)")
    }
  }
}

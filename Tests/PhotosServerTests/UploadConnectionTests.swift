import Foundation
import NIOCore
import Photos
import TestSupport
import Testing

@testable import PhotosServer

/// Tests uploads over real sockets, which are cut, stalled and slow.
@Suite(.serialized) struct UploadConnectionTests {
  private static let file = numbered(byteCount: 3_000_000)
  private static let part = 1_200_000

  @Test(arguments: [false, true])
  func `X-04: an upload whose connection breaks at 40 % continues at the server's offset`(restarts: Bool) async throws {
    let server = try TestServer()
    let id = try await server.createUpload(length: Self.file.count, ["Repr-Digest": reprDigest(Self.file)])
    @Sendable func begin(_ url: URL) async throws {
      let connection = try RawConnection(port: try #require(url.port))
      connection.send(Self.patch(id, url, offset: 0, count: Self.file.count))
      connection.send(Self.file.prefix(Self.part))
      try await server.waitForBytes(of: id)
      connection.hangUp()
    }
    @Sendable func finish(_ url: URL) throws {
      let connection = try RawConnection(port: try #require(url.port))
      let offset = try Self.offset(of: id, url, connection)
      #expect((1...Self.part).contains(offset))
      let rest = Self.file.dropFirst(offset)
      let answer = try connection.exchange(
        Self.patch(id, url, offset: offset, count: rest.count), rest)
      #expect(answer.status == 200)
    }
    if restarts {
      try await serving(server) { try await begin($0) }
      try await serving(server) { try finish($0) }
    } else {
      try await serving(server) { url in
        try await begin(url)
        try finish(url)
      }
    }
    #expect(try bytes(of: id, server) == Self.file)
  }

  @Test func `a new request ends the one that has stalled`() async throws {
    let server = try TestServer()
    let id = try await server.createUpload(length: Self.file.count, ["Repr-Digest": reprDigest(Self.file)])
    try await serving(server) { url in
      let stalled = try RawConnection(port: try #require(url.port))
      stalled.send(Self.patch(id, url, offset: 0, count: Self.file.count))
      stalled.send(Self.file.prefix(Self.part))
      try await server.waitForBytes(of: id)
      let connection = try RawConnection(port: try #require(url.port))
      let offset = try Self.offset(of: id, url, connection)
      #expect(stalled.isAtEnd())
      // The offset stays true: nothing of the old request comes after it.
      #expect(try Self.offset(of: id, url, connection) == offset)
      let rest = Self.file.dropFirst(offset)
      let answer = try connection.exchange(Self.patch(id, url, offset: offset, count: rest.count), rest)
      #expect(answer.status == 200)
    }
    #expect(try bytes(of: id, server) == Self.file)
  }

  @Test func `two requests that send at once don't mix their bytes`() async throws {
    let server = try TestServer()
    let id = try await server.createUpload(length: Self.file.count, ["Repr-Digest": reprDigest(Self.file)])
    try await serving(server) { url in
      let answers = try await withThrowingTaskGroup(of: Int?.self) { group in
        for _ in 0..<2 {
          group.addTask {
            let connection = try RawConnection(port: try #require(url.port))
            // The connection of the first one is closed by the server.
            return try await onThread {
              try? connection.exchange(Self.patch(id, url, offset: 0, count: Self.file.count), Self.file[...]).status
            }
          }
        }
        return try await group.reduce(into: []) { $0.append($1) }
      }
      #expect(answers.allSatisfy { $0 == nil || [200, 400, 409].contains($0) })
      let connection = try RawConnection(port: try #require(url.port))
      let offset = try Self.offset(of: id, url, connection)
      if offset < Self.file.count {
        let rest = Self.file.dropFirst(offset)
        let answer = try connection.exchange(Self.patch(id, url, offset: offset, count: rest.count), rest)
        #expect(answer.status == 200)
      }
    }
    #expect(try bytes(of: id, server) == Self.file)
  }

  @Test func `more uploads at once than allowed are answered with 429`() async throws {
    let server = try TestServer()
    var limits = ServerLimits(connections: 16)
    limits.uploadsAtOnce = 1
    let ids = [
      try await server.createUpload(length: Self.file.count), try await server.createUpload(length: 1000),
    ]
    try await serving(server, limits: limits) { url in
      let first = try RawConnection(port: try #require(url.port))
      first.send(Self.patch(ids[0], url, offset: 0, count: Self.file.count))
      first.send(Self.file.prefix(Self.part))
      try await server.waitForBytes(of: ids[0])
      let second = try RawConnection(port: try #require(url.port))
      var answer = try second.exchange(Self.patch(ids[1], url, offset: 0, count: 1000), Data(count: 1000))
      #expect(answer.status == 429)
      #expect(answer.fields["retry-after"] == "1")
      first.send(Self.file.dropFirst(Self.part))
      #expect(try first.answer().status == 200)
      answer = try second.exchange(Self.patch(ids[1], url, offset: 0, count: 1000), Data(count: 1000))
      #expect(answer.status == 200)
    }
  }

  @Test func `a person's uploads take no place from a client`() async throws {
    let server = try TestServer()
    let client = try await TestClient(server: server).answered("full")
    var limits = ServerLimits(connections: 16)
    limits.uploadsAtOnce = 1
    let ids = [
      try await server.createUpload(length: Self.file.count), try await server.createUpload(length: 1000),
    ]
    try await serving(server, limits: limits) { url in
      let port = try #require(url.port)
      // Its bytes are in the file when it has the only place of the owner.
      let stalled = try RawConnection(port: port)
      stalled.send(Self.patch(ids[0], url, offset: 0, count: Self.file.count))
      stalled.send(Self.file.prefix(Self.part))
      try await server.waitForBytes(of: ids[0])
      let refused = try RawConnection(port: port).exchange(Self.patch(ids[1], url, offset: 0, count: 0), Data())
      #expect(refused.status == 429)
      let other = try RawConnection(port: port).exchange(
        "POST /api/v1/uploads HTTP/1.1\r\nHost: 127.0.0.1:\(port)\r\nOrigin: \(client.origin ?? "")\r\n"
          + "Authorization: Bearer \(client.token ?? "")\r\nContent-Length: 4\r\n\r\n", Data(count: 4))
      #expect(other.status == 201)
      withExtendedLifetime(stalled) {}
    }
  }

  @Test(arguments: [false, true])
  func `A-12, U-06: an upload ends when its sender has lost its access`(isClient: Bool) async throws {
    let server = try TestServer()
    let client = isClient ? try await TestClient(server: server).answered("full") : nil
    let clock = TestClock(Date())
    try await serving(server, environment: .living(by: clock)) { url in
      let connection = try RawConnection(port: try #require(url.port))
      connection.send(
        "POST /api/v1/uploads HTTP/1.1\r\n\(client?.head(url) ?? "\(head(url))Sec-Fetch-Site: same-origin\r\n")"
          + "Content-Length: \(Self.file.count)\r\n\r\n")
      connection.send(Self.file.prefix(Self.part))
      try await server.waitForUpload()
      if isClient {
        // Like a command in another process: the server is not told.
        let path = "/api/v1/access/clients/\(try await server.onlyClient())"
        let denial = #"{"readWrite":"denied","addOnly":"denied"}"#
        #expect(try await server.post(path, json: denial, method: "PATCH", isSignedIn: true).status == 200)
      } else {
        let person = try server.library.signIns.owner().id
        for session in try server.library.signIns.sessions(of: person) {
          _ = try server.library.signIns.deleteSession(session.id, of: person)
        }
      }
      clock.advance(1)
      // The server looks when the next bytes arrive.
      connection.send(Data(count: 1000))
      #expect([401, 403].contains(try connection.answer().status))
      #expect(try server.uploadSizes() == [])
    }
  }

  @Test(.enabled(if: Soak.isOn, Soak.reason))
  func `an upload is written with little memory`() async throws {
    let server = try TestServer()
    let piece = Data(count: 1 << 20)
    let id = try await server.createUpload(length: 200 << 20)
    try await serving(server) { url in
      let connection = try RawConnection(port: try #require(url.port))
      connection.send(Self.patch(id, url, offset: 0, count: 200 << 20))
      let before = try residentBytes()
      var most = 0
      for _ in 0..<200 {
        connection.send(piece)
        most = max(most, try residentBytes())
      }
      #expect(try connection.answer().status == 200)
      #expect(most - before < 24 << 20)
    }
  }

  @Test func `an upload has more time while its bytes come`() {
    var limits = ServerLimits(connections: 1, requestTime: .seconds(30))
    limits.uploadProgress = 1000
    let start = NIODeadline.uptimeNanoseconds(0)
    func at(_ seconds: Int64) -> NIODeadline { start + .seconds(seconds) }
    var deadlines = ClientDeadlines(limits: limits, now: start)
    deadlines.requestBegan(isUpload: true, now: start)
    deadlines.bodyArrived(999, now: at(20))
    #expect(deadlines.next == at(30))
    deadlines.bodyArrived(1, now: at(25))
    #expect(deadlines.next == at(55))
    deadlines.answerEnded(now: at(40))
    deadlines.bodyArrived(5000, now: at(60))
    #expect(deadlines.next == at(70))
    var other = ClientDeadlines(limits: limits, now: start)
    other.requestBegan(now: start)
    other.bodyArrived(5000, now: at(20))
    #expect(other.next == at(30))
  }

  private static func patch(_ id: String, _ url: URL, offset: Int, count: Int) -> String {
    "PATCH /api/v1/uploads/\(id) HTTP/1.1\r\n\(head(url))Sec-Fetch-Site: same-origin\r\n"
      + "Content-Type: application/partial-upload\r\nUpload-Offset: \(offset)\r\nUpload-Complete: ?1\r\n"
      + "Content-Length: \(count)\r\n\r\n"
  }

  private static func offset(of id: String, _ url: URL, _ connection: RawConnection) throws -> Int {
    let answer = try connection.exchange(
      ["HEAD /api/v1/uploads/\(id) HTTP/1.1\r\n\(head(url))\r\n"], waitsForEnd: false)[0]
    return try #require(answer.fields["upload-offset"].flatMap { Int($0) })
  }

  /// Returns the bytes of a complete upload.
  private func bytes(of id: String, _ server: TestServer) throws -> Data {
    try Data(contentsOf: server.library.url.appendingPathComponent("incoming/uploads/\(id)"))
  }
}

/// Runs work that blocks. Two clients that wait on the threads of Swift's tasks leave the server
/// none on two cores.
private func onThread<Value: Sendable>(_ work: @escaping @Sendable () -> Value) async throws -> Value {
  try await answer("the end of a client") { done in Thread.detachNewThread { done(work()) } }
}

extension TestServer {
  /// Returns the numbers of bytes of the uploads that have any.
  fileprivate func uploadSizes() throws -> [Int] {
    let folder = library.url.appendingPathComponent("incoming/uploads").path
    return try FileManager.default.contentsOfDirectory(atPath: folder).compactMap { name in
      guard (try? UploadID.checked(name)) != nil else { return nil }
      let size = try? FileManager.default.attributesOfItem(atPath: "\(folder)/\(name)")[.size] as? Int
      return size.flatMap { $0 > 0 ? $0 : nil }
    }
  }

  /// Waits until some bytes of any upload are in a file.
  fileprivate func waitForUpload() async throws {
    try await wait(for: "bytes of an upload") { try !uploadSizes().isEmpty }
  }

  /// Waits until some bytes of an upload are in its file.
  fileprivate func waitForBytes(of id: String) async throws {
    let file = library.url.appendingPathComponent("incoming/uploads/\(id)").path
    try await wait(for: "bytes of the upload") {
      try FileManager.default.attributesOfItem(atPath: file)[.size] as? Int ?? 0 > 0
    }
  }
}

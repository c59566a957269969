import Foundation
import NIOCore
import Photos
import Testing

@testable import PhotosServer

@Suite(.serialized) struct ConnectionTests {
  /// The beginning of a request whose client never sends the rest.
  @Test(arguments: [
    "", "GET / HT", "GET / HTTP/1.1\r\nAccept: */*\r\n",
    "POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 9\r\n\r\nabc",
  ])
  func `a client that does not finish its request loses its connection`(beginning: String) async throws {
    let server = try TestServer()
    // The second connection is accepted once the first one is closed.
    let limits = ServerLimits(connections: 1, requestTime: .milliseconds(100))
    try await serving(server, limits: limits) { url in
      let request = "GET / HTTP/1.1\r\n\(head(url))"
      let slow = try RawConnection(port: url.port ?? 0)
      #expect(try slow.exchange(["\(request)\r\n"], waitsForEnd: false).map(\.status) == [200])
      slow.send(beginning)
      let next = try RawConnection(port: url.port ?? 0).exchange(["\(request)Connection: close\r\n\r\n"])
      #expect(next.map(\.status) == [200])
    }
  }

  @Test func `a client that takes nothing of its answer loses its connection`() async throws {
    let server = try TestServer()
    let asset = try server.add(unreadable(byteCount: 32 << 20))
    let limits = ServerLimits(connections: 1, writeTime: .milliseconds(100))
    try await serving(server, limits: limits) { url in
      let slow = try RawConnection(port: url.port ?? 0)
      #expect(
        try slow.exchange(["GET / HTTP/1.1\r\n\(head(url))\r\n"], waitsForEnd: false).map(\.status) == [200])
      slow.send("GET /api/v1/resources/\(asset.uuid)/0 HTTP/1.1\r\n\(head(url))\r\n")
      let next = try RawConnection(port: url.port ?? 0).exchange(
        ["GET / HTTP/1.1\r\n\(head(url))Connection: close\r\n\r\n"])
      #expect(next.map(\.status) == [200])
    }
  }

  @Test func `a client that is served in time keeps its connection`() async throws {
    let server = try TestServer()
    let asset = try server.add(bitmap())
    let limits = ServerLimits(connections: 1, requestTime: .milliseconds(300))
    try await serving(server, limits: limits) { url in
      let request =
        "GET /api/v1/renditions/\(asset.uuid)/\(asset.renditionVersion)/grid HTTP/1.1\r\n\(head(url))\r\n"
      let connection = try RawConnection(port: url.port ?? 0)
      let begin = ContinuousClock.now
      // Most of these responses come from a handler before the one with the deadlines.
      repeat {
        #expect(try connection.exchange([request], waitsForEnd: false).map(\.status) == [200])
      } while ContinuousClock.now - begin < .milliseconds(700)
    }
  }

  @Test func `if too many connections wait, the one that has waited longest is closed`() async throws {
    let server = try TestServer()
    try await serving(server, limits: ServerLimits(connections: 16)) { url in
      let request = "GET / HTTP/1.1\r\n\(head(url))\r\n"
      let idle = try (0..<14).map { _ in
        let connection = try RawConnection(port: url.port ?? 0)
        #expect(try connection.exchange([request], waitsForEnd: false).map(\.status) == [200])
        return connection
      }
      // All connections send another request, the first connection last.
      for connection in idle.dropFirst() + idle.prefix(1) {
        #expect(try connection.exchange([request], waitsForEnd: false).map(\.status) == [200])
      }
      let new = try RawConnection(port: url.port ?? 0)
      #expect(try new.exchange([request], waitsForEnd: false).map(\.status) == [200])
      #expect(idle[1].isAtEnd())
      #expect(try idle[0].exchange([request], waitsForEnd: false).map(\.status) == [200])
    }
  }

  @Test(arguments: [(0, 16), (64, 16), (1024, 384), (4096, 1024), (1 << 20, 1024)])
  func `connections leave descriptors for everything else`(descriptors: Int, connections: Int) {
    #expect(ServerLimits(descriptors: descriptors).connections == connections)
  }

  @Test func `deadlines follow what the client has to do next`() {
    let limits = ServerLimits(connections: 1, requestTime: .seconds(30), writeTime: .seconds(60))
    let start = NIODeadline.uptimeNanoseconds(0)
    func at(_ seconds: Int64) -> NIODeadline { start + .seconds(seconds) }
    var deadlines = ClientDeadlines(limits: limits, now: start)
    #expect(deadlines.next == at(30))
    deadlines.requestBegan(now: at(10))
    #expect(deadlines.next == at(40))
    deadlines.requestEnded()
    #expect(deadlines.next == nil)
    deadlines.writeBegan(now: at(100))
    deadlines.writeBegan(now: at(110))
    #expect(deadlines.next == at(160))
    deadlines.writeEnded(now: at(120))
    #expect(deadlines.next == at(180))
    deadlines.answerEnded(now: at(130))
    #expect(deadlines.next == at(160))
    deadlines.writeEnded(now: at(140))
    #expect(deadlines.next == at(160))
    deadlines.requestWasAnswered(now: at(150))
    #expect(deadlines.next == at(180))
  }

  @Test func `an answer that comes before the end of its request does not end the waiting for it`() {
    let limits = ServerLimits(connections: 1, requestTime: .seconds(30))
    let start = NIODeadline.uptimeNanoseconds(0)
    var deadlines = ClientDeadlines(limits: limits, now: start)
    deadlines.requestBegan(now: start)
    deadlines.answerEnded(now: start + .seconds(1))
    deadlines.requestEnded()
    #expect(deadlines.next == start + .seconds(31))
  }
}

/// Returns a file with a picture's beginning, which the library keeps although it can't be decoded.
func unreadable(byteCount: Int) -> Data {
  bitmap(width: 64, height: 64).prefix(60) + Data(count: byteCount - 60)
}

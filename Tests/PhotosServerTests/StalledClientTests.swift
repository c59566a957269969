import Foundation
import Photos
import PhotosTesting
import Testing

@testable import PhotosServer

/// Tests clients that send requests over real sockets and don't read the responses.
@Suite(.serialized) struct StalledClientTests {
  private static let kinds = ["screen", "grid", "original", "list"]

  @Test(arguments: kinds)
  func `a stalled response has one part in memory, counted once`(kind: String) async throws {
    let library = try NoisyLibrary()
    let path = library.path(to: kind)
    try await listening(library.server, limits: ServerLimits(connections: 16)) { url, inFlight in
      let port = url.port ?? 0
      let request = "GET \(path) HTTP/1.1\r\n\(head(url))\r\n"
      let whole = try RawConnection(port: port).exchange([request], waitsForEnd: false)[0].body.count
      var stalled: RawConnection? = try RawConnection(port: port, receiveBuffer: 4096)
      stalled?.send(String(repeating: request, count: 8))
      let count = try await settled(inFlight)
      switch kind {
      case "original": #expect(count == BytesInFlight.pieceSizes.upperBound)
      // A picture at hand is written with its headers, after the bytes that the connection takes at
      // once.
      case "grid": #expect(whole / 2...whole + (128 << 10) ~= count)
      default: #expect(count == whole)
      }
      stalled = nil  // closes it
      #expect(try await settled(inFlight) == 0)
    }
  }

  @Test func `clients that take nothing share one budget, and keep nobody waiting`() async throws {
    let library = try NoisyLibrary()
    let limits = ServerLimits(connections: 256, bytesInFlight: 8 << 20)
    try await listening(library.server, limits: limits) { url, inFlight in
      let port = url.port ?? 0
      let requests = Self.kinds.map { "GET \(library.path(to: $0)) HTTP/1.1\r\n\(head(url))\r\n" }
      for request in requests {
        #expect(try RawConnection(port: port).exchange([request], waitsForEnd: false)[0].status == 200)
      }
      let memoryBefore = try residentBytes()
      var stalled: [RawConnection] = []
      for index in 0..<160 {
        let connection = try RawConnection(port: port, receiveBuffer: 4096)
        connection.send(String(repeating: requests[index % requests.count], count: 8))
        stalled.append(connection)
        #expect(inFlight.byteCount <= limits.bytesInFlight)
      }
      let count = try await settled(inFlight)
      #expect(limits.bytesInFlight / 2...limits.bytesInFlight ~= count)
      // Without the limit, the screen renditions alone would take 50 MB.
      #expect(try residentBytes() - memoryBefore < 40 << 20)
      for request in requests {
        #expect(try RawConnection(port: port).exchange([request], waitsForEnd: false)[0].status == 200)
      }
      withExtendedLifetime(stalled) {}
    }
  }

  @Test func `the next piece of a file is read when the client has taken the one before`() async throws {
    let library = try NoisyLibrary()
    try await listening(library.server, limits: ServerLimits(connections: 16)) { url, inFlight in
      let client = try RawConnection(port: url.port ?? 0, receiveBuffer: 4096)
      let before = try bytesRead()
      client.send("GET \(library.path(to: "original")) HTTP/1.1\r\n\(head(url))\r\n")
      _ = try await settled(inFlight)
      #expect(try bytesRead() - before < BytesInFlight.pieceSizes.upperBound * 3 / 2)
    }
  }

  @Test func `a stop does not wait for a client that takes nothing`() async throws {
    let library = try NoisyLibrary()
    let clock = ContinuousClock()
    let stalledAt = try await listening(library.server, limits: ServerLimits(connections: 16)) { url, inFlight in
      let client = try RawConnection(port: url.port ?? 0, receiveBuffer: 4096)
      client.send("GET \(library.path(to: "original")) HTTP/1.1\r\n\(head(url))\r\n")
      _ = try await settled(inFlight)
      return (client, clock.now)
    }
    #expect(clock.now - stalledAt.1 < .seconds(20))
  }
}

/// A library with about a hundred assets, one of which has large renditions.
private final class NoisyLibrary: Sendable {
  let temporary: TemporaryLibrary
  let server: TestServer
  private let photo: PHAsset

  init() throws {
    temporary = try TemporaryLibrary()
    var random = UInt64(1)
    var noise = bitmap(width: 1600, height: 1200)
    for index in noise.indices.dropFirst(54) {
      random = random &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      noise[index] = UInt8(truncatingIfNeeded: random >> 56)
    }
    photo = try temporary.add(SampleFile("IMG_0001.BMP", noise))[0]
    try temporary.add([SampleAsset].photos(500).map(\.withoutFiles))
    server = try TestServer(library: temporary.library)
  }

  func path(to kind: String) -> String {
    switch kind {
    case "original": "/resources/\(photo.uuid)/0"
    case "list": "/api/assets?limit=500"
    default: "/renditions/\(photo.uuid)/\(photo.renditionVersion)/\(kind)"
    }
  }
}

/// Serves the library while `body` runs, and gives it the bytes in flight.
private func listening<Value: Sendable>(
  _ server: TestServer, limits: ServerLimits,
  _ body: @escaping @Sendable (URL, BytesInFlight) async throws -> Value
) async throws -> Value {
  let (ports, ready) = AsyncStream.makeStream(of: Int.self)
  let built = try buildApplication(
    library: server.library, configuration: .init(port: 0, webFolder: server.webFolder), limits: limits
  ) { ready.yield($0.site.port.value) }
  let running = Task { try await built.application.run() }
  var iterator = ports.makeAsyncIterator()
  let url = try signedInURL(of: server.library, port: try #require(await iterator.next()))
  let result = await Task { try await body(url, built.inFlight) }.result
  running.cancel()
  _ = await running.result
  return try result.get()
}

/// Waits until the number of bytes in flight stays the same, and returns it.
private func settled(_ inFlight: BytesInFlight) async throws -> Int {
  var (value, times) = (inFlight.byteCount, 0)
  while times < 10 {
    try await Task.sleep(for: .milliseconds(50))
    times = inFlight.byteCount == value ? times + 1 : 0
    value = inFlight.byteCount
  }
  return value
}

/// Returns the resident memory of the process in bytes.
private func residentBytes() throws -> Int {
  let fields = try String(contentsOfFile: "/proc/self/statm", encoding: .utf8).split(separator: " ")
  return try #require(Int(fields[1])) * Int(getpagesize())
}

/// Returns the number of bytes that the process has read from files.
private func bytesRead() throws -> Int {
  let lines = try String(contentsOfFile: "/proc/self/io", encoding: .utf8).split(separator: "\n")
  return try #require(lines.first { $0.hasPrefix("rchar: ") }.flatMap { Int($0.dropFirst(7)) })
}

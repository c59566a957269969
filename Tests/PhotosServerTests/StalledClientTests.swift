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
      let memoryBefore = try allocatedBytes()
      var stalled: [RawConnection] = []
      for index in 0..<240 {
        let connection = try RawConnection(port: port, receiveBuffer: 4096)
        connection.send(String(repeating: requests[index % requests.count], count: 8))
        stalled.append(connection)
        #expect(inFlight.byteCount <= limits.bytesInFlight)
      }
      let count = try await settled(inFlight)
      #expect(limits.bytesInFlight / 2...limits.bytesInFlight ~= count)
      // Without the limit, the screen renditions alone would take 75 MB. Requests that have just
      // been answered give their memory back a little later.
      var increase = try allocatedBytes() - memoryBefore
      for _ in 0..<50 where increase >= 48 << 20 {
        try await Task.sleep(for: .milliseconds(100))
        increase = try allocatedBytes() - memoryBefore
      }
      #expect(increase < 48 << 20)
      for request in requests {
        #expect(try RawConnection(port: port).exchange([request], waitsForEnd: false)[0].status == 200)
      }
      withExtendedLifetime(stalled) {}
    }
  }

  @Test(arguments: ["", #","deliveryMode":"opportunistic""#])
  func `an answer that is larger than the budget closes no other connection`(mode: String) async throws {
    let library = try NoisyLibrary()
    let limits = ServerLimits(connections: 16, bytesInFlight: 600 << 10)
    try await listening(library.server, limits: limits) { url, inFlight in
      let port = url.port ?? 0
      let stalled = try RawConnection(port: port, receiveBuffer: 4096)
      stalled.send(String(repeating: "GET \(library.path(to: "list")) HTTP/1.1\r\n\(head(url))\r\n", count: 8))
      let before = try await settled(inFlight)
      #expect(before > 0)
      let large = try RawConnection(port: port)
      large.send(library.imageRequest(url, mode))
      var byteCount = 0
      while let bytes = try? large.receive() { byteCount += bytes.count }
      #expect(byteCount > limits.bytesInFlight)
      #expect(try await settled(inFlight) == before)
      withExtendedLifetime(stalled) {}
    }
  }

  @Test(arguments: ["", #","deliveryMode":"opportunistic""#])
  func `a client that leaves gives its picture's place back`(mode: String) async throws {
    let library = try NoisyLibrary()
    try await listening(library.server, limits: ServerLimits(connections: 64)) { url, _ in
      let port = url.port ?? 0
      let request = library.imageRequest(url, mode)
      func status(_ client: RawConnection) throws -> String {
        client.send(request)
        return String(decoding: try client.receive().prefix(12), as: UTF8.self)
      }
      // Clients that read only the beginning of an answer keep their places.
      var clients: [RawConnection] = []
      for _ in 0..<PictureWork.limitOfAsker {
        clients.append(try RawConnection(port: port, receiveBuffer: 4096))
        #expect(try status(clients[clients.count - 1]) == "HTTP/1.1 200")
      }
      #expect(try status(RawConnection(port: port)) == "HTTP/1.1 429")
      clients = []  // closes them
      var latest = ""
      for _ in 0..<500 where latest != "HTTP/1.1 200" {
        latest = try status(RawConnection(port: port))
        try await Task.sleep(for: .milliseconds(20))
      }
      #expect(latest == "HTTP/1.1 200")
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

  /// Returns a request for all pixels of the photo as a JPEG.
  func imageRequest(_ url: URL, _ mode: String) -> String {
    let body = #"{"asset":"\#(photo.uuid)"\#(mode)}"#
    return "POST /api/v1/images HTTP/1.1\r\n\(head(url))Sec-Fetch-Site: same-origin\r\nConnection: close\r\n"
      + "Content-Type: application/json\r\nContent-Length: \(body.utf8.count)\r\n\r\n\(body)"
  }

  func path(to kind: String) -> String {
    switch kind {
    case "original": "/api/v1/resources/\(photo.uuid)/0"
    case "list": "/api/v1/collections/userLibrary/assets?limit=500"
    default: "/api/v1/renditions/\(photo.uuid)/\(photo.renditionVersion)/\(kind)"
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

/// Returns the bytes that are allocated. The resident memory says less: what was freed stays
/// resident if it is at the end of a thread's heap.
private func allocatedBytes() throws -> Int {
  typealias Describe = @convention(c) (Int32, UnsafeMutablePointer<FILE>) -> Int32
  // Swift's module of glibc has no malloc.h.
  let describe = unsafeBitCast(try #require(dlsym(nil, "malloc_info")), to: Describe.self)
  let file = try #require(tmpfile())
  defer { fclose(file) }
  try #require(describe(0, file) == 0)
  rewind(file)
  var bytes = [UInt8](repeating: 0, count: 1 << 20)
  let count = fread(&bytes, 1, bytes.count, file)
  let text = String(decoding: bytes.prefix(count), as: UTF8.self)
  // The totals of all heaps follow those of each.
  func total(_ element: String) throws -> Int {
    let line = try #require(text.split(separator: "\n").last { $0.hasPrefix("<\(element) ") })
    return try #require(line.firstMatch(of: /size="(\d+)"/).flatMap { Int($0.1) })
  }
  return try total(#"system type="current""#) - total(#"total type="fast""#) - total(#"total type="rest""#)
    + total(#"total type="mmap""#)
}

/// Returns the resident memory of the process in bytes.
func residentBytes() throws -> Int {
  let fields = try String(contentsOfFile: "/proc/self/statm", encoding: .utf8).split(separator: " ")
  return try #require(Int(fields[1])) * Int(getpagesize())
}

/// Returns the largest resident memory of the process so far, in bytes.
func peakMemory() throws -> Int {
  let status = try String(contentsOfFile: "/proc/self/status", encoding: .utf8)
  let match = try #require(status.firstMatch(of: /VmHWM:\s+(\d+) kB/))
  return (Int(match.1) ?? 0) * 1024
}

/// Returns the number of bytes that the process has read from files.
private func bytesRead() throws -> Int {
  let lines = try String(contentsOfFile: "/proc/self/io", encoding: .utf8).split(separator: "\n")
  return try #require(lines.first { $0.hasPrefix("rchar: ") }.flatMap { Int($0.dropFirst(7)) })
}

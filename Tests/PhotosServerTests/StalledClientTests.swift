import Foundation
import PhotosTesting
import TestSupport
import Testing

@testable @_spi(Testing) import Photos
@testable import PhotosServer

/// Tests clients that send requests over real sockets and don't read the responses.
@Suite(.serialized) struct StalledClientTests {
  private static let kinds = ["screen", "grid", "original", "list"]

  @Test(arguments: kinds)
  func `a stalled response has one part in memory, counted once`(kind: String) async throws {
    let library = try NoisyLibrary()
    let path = library.path(to: kind)
    try await listening(library.server, limits: ServerLimits(connections: 16)) { url, built in
      let (port, inFlight) = (url.port ?? 0, built.inFlight)
      let request = "GET \(path) HTTP/1.1\r\n\(head(url))\r\n"
      let whole = try RawConnection(port: port).exchange([request], waitsForEnd: false)[0].body.count
      var stalled: RawConnection? = try RawConnection(port: port, receiveBuffer: 4096)
      stalled?.send(String(repeating: request, count: 8))
      let expected =
        switch kind {
        case "original": BytesInFlight.pieceSizes.upperBound...BytesInFlight.pieceSizes.upperBound
        // A picture at hand is written with its headers, after the bytes that the connection takes
        // at once.
        case "grid": whole / 2...whole + (128 << 10)
        default: whole...whole
        }
      try await wait(for: "one part in memory") { expected ~= inFlight.byteCount }
      // While other requests are answered, the stalled ones would be, too.
      let other = try RawConnection(port: port)
      for _ in 0..<20 {
        _ = try other.exchange(["GET / HTTP/1.1\r\n\(head(url))\r\n"], waitsForEnd: false)
        // The end of the other answer may be counted.
        #expect(inFlight.byteCount <= expected.upperBound + 4096)
      }
      try await wait(for: "one part in memory at the end") { expected ~= inFlight.byteCount }
      stalled = nil  // closes it
      try await wait(for: "the end of the stalled answer") { inFlight.byteCount == 0 }
    }
  }

  @Test func `clients that take nothing share one budget, and keep nobody waiting`() async throws {
    let library = try NoisyLibrary()
    let limits = ServerLimits(connections: 256, bytesInFlight: 8 << 20)
    let clientCount = Soak.count(few: 80, many: 240)
    try await listening(library.server, limits: limits) { url, built in
      let (port, inFlight) = (url.port ?? 0, built.inFlight)
      let requests = Self.kinds.map { "GET \(library.path(to: $0)) HTTP/1.1\r\n\(head(url))\r\n" }
      for request in requests {
        #expect(try RawConnection(port: port).exchange([request], waitsForEnd: false)[0].status == 200)
      }
      let memoryBefore = try allocatedBytes()
      var stalled: [RawConnection] = []
      for index in 0..<clientCount {
        let connection = try RawConnection(port: port, receiveBuffer: 4096)
        connection.send(String(repeating: requests[index % requests.count], count: 8))
        // Waits until its answer has begun. If the answers of the whole crowd began during a later
        // one, that would soon be the one that has stalled longest.
        _ = try? connection.receive()
        stalled.append(connection)
        #expect(inFlight.byteCount <= limits.bytesInFlight)
      }
      try await wait(for: "a budget that is used") { inFlight.byteCount >= limits.bytesInFlight / 2 }
      for request in requests {
        #expect(try RawConnection(port: port).exchange([request], waitsForEnd: false)[0].status == 200)
        #expect(inFlight.byteCount <= limits.bytesInFlight)
      }
      // Without the limit, the screen renditions alone would take 75 MB. Requests that have just
      // been answered give their memory back a little later.
      if Soak.isOn {
        try await wait(for: "memory that is given back") { try allocatedBytes() - memoryBefore < 48 << 20 }
      }
      withExtendedLifetime(stalled) {}
    }
  }

  @Test(arguments: ["", #","deliveryMode":"opportunistic""#])
  func `an answer that is larger than the budget closes no other connection`(mode: String) async throws {
    let library = try NoisyLibrary()
    let limits = ServerLimits(connections: 16, bytesInFlight: 600 << 10)
    try await listening(library.server, limits: limits) { url, built in
      let (port, inFlight) = (url.port ?? 0, built.inFlight)
      let list = "GET \(library.path(to: "list")) HTTP/1.1\r\n\(head(url))\r\n"
      let whole = try RawConnection(port: port).exchange([list], waitsForEnd: false)[0].body.count
      let stalled = try RawConnection(port: port, receiveBuffer: 4096)
      stalled.send(String(repeating: list, count: 8))
      try await wait(for: "a stalled list") { inFlight.byteCount == whole }
      let large = try RawConnection(port: port)
      large.send(library.imageRequest(url, mode))
      #expect(try large.receiveAll().count > limits.bytesInFlight)
      // The bytes of the stalled connection would be gone with it.
      try await wait(for: "the end of the large answer") { inFlight.byteCount == whole }
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
      try await wait(for: "a place") { try status(RawConnection(port: port)) == "HTTP/1.1 200" }
    }
  }

  @Test func `the next piece of a file is read when the client has taken the one before`() async throws {
    let library = try NoisyLibrary()
    try await listening(library.server, limits: ServerLimits(connections: 16)) { url, built in
      let piece = BytesInFlight.pieceSizes.upperBound
      let client = try RawConnection(port: url.port ?? 0, receiveBuffer: 4096)
      client.send("GET \(library.path(to: "original")) HTTP/1.1\r\n\(head(url))Connection: close\r\n\r\n")
      try await wait(for: "a stalled piece") { built.inFlight.byteCount == piece }
      // From now on, other bytes are read.
      let before = try library.eraseOriginal(from: piece)
      let body = try client.answer().body
      #expect(body.count == before.count)
      #expect(body.prefix(piece) == before.prefix(piece))
      #expect(body.dropFirst(piece).allSatisfy { $0 == 0 })
    }
  }

  @Test func `a stop does not wait for a client that takes nothing`() async throws {
    let library = try NoisyLibrary()
    let client = try await listening(library.server, limits: ServerLimits(connections: 16)) { url, built in
      let client = try RawConnection(port: url.port ?? 0, receiveBuffer: 4096)
      client.send("GET \(library.path(to: "original")) HTTP/1.1\r\n\(head(url))\r\n")
      try await wait(for: "a stalled piece") { built.inFlight.byteCount == BytesInFlight.pieceSizes.upperBound }
      return client
    }
    // The server has ended, and the client is still there.
    withExtendedLifetime(client) {}
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

  /// Overwrites the bytes of the original from an offset by zeros. Returns the bytes before.
  func eraseOriginal(from offset: Int) throws -> Data {
    let file = PHAssetResource.assetResources(for: photo)[0].fileURLForTesting
    try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: file.path)
    let before = try Data(contentsOf: file)
    let handle = try FileHandle(forUpdating: file)
    try handle.seek(toOffset: UInt64(offset))
    try handle.write(contentsOf: Data(count: before.count - offset))
    try handle.close()
    return before
  }

  func path(to kind: String) -> String {
    switch kind {
    case "original": "/api/v1/resources/\(photo.uuid)/0"
    case "list": "/api/v1/collections/userLibrary/assets?limit=500"
    default: "/api/v1/renditions/\(photo.uuid)/\(photo.renditionVersion)/\(kind)"
    }
  }
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

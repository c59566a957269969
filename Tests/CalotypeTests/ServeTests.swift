import Foundation
import PhotosTesting
import ProgramTesting
import Testing

@Suite(.serialized) struct ServeTests {
  @Test func `two thousand connections that do nothing keep nobody out`() throws {
    try raiseDescriptorLimit(to: 2_200)
    let server = try Server(descriptors: 1_024)
    defer { server.stop() }
    let idle = (0..<2_000).map { _ in Connection(port: server.port, waits: false) }
    let connection = Connection(port: server.port, waits: true)
    #expect(connection.ask("/api/library", token: server.token).hasPrefix("HTTP/1.1 200 "))
    // Counts the descriptors of idle connections, of the library and of the decoders.
    let open = try FileManager.default.contentsOfDirectory(atPath: "/proc/\(server.process.processIdentifier)/fd").count
    #expect(open < 600)
    #expect(server.process.isRunning)
    withExtendedLifetime(idle) {}
  }

  @Test func `the token is no argument of the program, which others could read`() throws {
    let server = try Server()
    defer { server.stop() }
    #expect(server.token.count == 32)
    let arguments = try Data(contentsOf: URL(fileURLWithPath: "/proc/\(server.process.processIdentifier)/cmdline"))
    #expect(!String(decoding: arguments, as: UTF8.self).contains(server.token))
  }

  /// Raises the limit of this process, which needs two thousand sockets too.
  private func raiseDescriptorLimit(to count: rlim_t) throws {
    let resource = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
    var limit = rlimit()
    getrlimit(resource, &limit)
    try #require(
      limit.rlim_max >= count, "this system lets a process open \(limit.rlim_max) files; the test needs \(count)")
    limit.rlim_cur = max(limit.rlim_cur, count)
    setrlimit(resource, &limit)
  }
}

/// Runs `calotype serve` with a new library on a free port.
private struct Server {
  let process = Process()
  let port: UInt16
  let token: String
  private let temporary: TemporaryLibrary

  /// `descriptors` limits the open files of the program.
  init(descriptors: Int? = nil) throws {
    temporary = try TemporaryLibrary()
    let output = Pipe()
    process.executableURL = URL(fileURLWithPath: "/bin/sh")
    let limit = descriptors.map { "ulimit -n \($0); " } ?? ""
    process.arguments = [
      "-c", limit + #"exec "$0" "$@""#, Program.path, "--library", temporary.url.path, "serve", "--port", "0",
    ]
    process.standardOutput = output
    try process.run()
    let line = String(decoding: output.fileHandleForReading.availableData, as: UTF8.self)
    let address = try #require(line.firstMatch(of: /http:\/\/127\.0\.0\.1:(\d+)\/\?token=(\w+)/), "it printed: \(line)")
    port = try #require(UInt16(address.1))
    token = String(address.2)
  }

  func stop() {
    process.terminate()
    process.waitUntilExit()
  }
}

/// A connection to a port of this machine.
private final class Connection {
  private let descriptor: Int32
  private let port: UInt16

  /// If `waits` is true, connecting and reading wait for ten seconds at most. Else they don't wait.
  init(port: UInt16, waits: Bool) {
    self.port = port
    let kind = Int32(SOCK_STREAM.rawValue) | (waits ? 0 : Int32(SOCK_NONBLOCK.rawValue)) | Int32(SOCK_CLOEXEC.rawValue)
    descriptor = socket(AF_INET, kind, 0)
    var patience = timeval(tv_sec: 10, tv_usec: 0)
    for option in [SO_RCVTIMEO, SO_SNDTIMEO] {
      setsockopt(descriptor, SOL_SOCKET, option, &patience, socklen_t(MemoryLayout<timeval>.size))
    }
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = port.bigEndian
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    _ = withUnsafePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
      }
    }
  }

  deinit { close(descriptor) }

  /// Returns the beginning of the response, or an empty string if none comes.
  func ask(_ path: String, token: String) -> String {
    let request =
      "GET \(path) HTTP/1.1\r\nHost: 127.0.0.1:\(port)\r\nAuthorization: Bearer \(token)\r\nConnection: close\r\n\r\n"
    _ = Data(request.utf8).withUnsafeBytes { send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
    var answer = [UInt8](repeating: 0, count: 4_096)
    let count = recv(descriptor, &answer, answer.count, 0)
    return String(decoding: answer.prefix(max(0, count)), as: UTF8.self)
  }
}

import Foundation
import PhotosTesting
import ProgramTesting
import Testing

@Suite(.serialized) struct ServeTests {
  @Test func `two thousand connections that do nothing keep nobody out`() throws {
    try raiseDescriptorLimit(to: 2_200)
    let server = try Server(descriptors: 1_024)
    defer { server.stop() }
    let cookie = try #require(server.signIn(with: server.link))
    let idle = (0..<2_000).map { _ in Connection(port: server.port, waits: false) }
    let connection = Connection(port: server.port, waits: true)
    #expect(connection.ask("/api/library", cookie: cookie).hasPrefix("HTTP/1.1 200 "))
    // Counts the descriptors of idle connections, of the library and of the decoders.
    let open = try FileManager.default.contentsOfDirectory(atPath: "/proc/\(server.process.processIdentifier)/fd").count
    #expect(open < 600)
    #expect(server.process.isRunning)
    withExtendedLifetime(idle) {}
  }

  @Test func `the link is no argument of the program, which others could read`() throws {
    let server = try Server()
    defer { server.stop() }
    #expect(server.link.count == 43)
    let arguments = try Data(contentsOf: URL(fileURLWithPath: "/proc/\(server.process.processIdentifier)/cmdline"))
    #expect(!String(decoding: arguments, as: UTF8.self).contains(server.link))
  }

  @Test func `open prints another link of the running server`() throws {
    let server = try Server()
    defer { server.stop() }
    let opened = try Program(library: server.library).run("open")
    let link = try #require(opened.output.firstMatch(of: /^http:\/\/calotype\.localhost:(\d+)\/start#([\w-]{43})\n$/))
    #expect(UInt16(link.1) == server.port && link.2 != server.link)
    let first = try #require(server.signIn(with: String(link.2)))
    #expect(Connection(port: server.port, waits: true).ask("/api/library", cookie: first).hasPrefix("HTTP/1.1 200 "))
    #expect(server.signIn(with: String(link.2)) == nil)
    #expect(server.signIn(with: server.link) != nil)
  }

  @Test func `open without a server says what to do`() throws {
    let temporary = try TemporaryLibrary()
    let opened = try Program(library: temporary.url.path).run("open")
    #expect(opened.status == 1)
    #expect(opened.errors.contains("no server of this library runs here as this user; start it with `calotype serve`"))
  }

  @Test func `password reset signs every browser out`() throws {
    let server = try Server()
    defer { server.stop() }
    let cookie = try #require(server.signIn(with: server.link))
    let reset = try Program(library: server.library).run("password", "reset")
    #expect(reset.output == "The password is removed, and all browsers are signed out.\n")
    Thread.sleep(forTimeInterval: 1.1)
    #expect(Connection(port: server.port, waits: true).ask("/api/library", cookie: cookie).hasPrefix("HTTP/1.1 401 "))
  }

  @Test func `a server for other machines prints a set-up code until there is a password`() throws {
    let temporary = try TemporaryLibrary()
    let server = try Server(temporary, ["--public-url", "https://photos.example"])
    server.stop()
    #expect(server.printed.contains("is on https://photos.example/\n"))
    #expect(server.printed.contains(/The set-up code, with which a browser can set it: (\w{4}-){3}\w{4}\n/))
  }

  @Test(arguments: [["--host", "0.0.0.0"], ["--public-url", "http://photos.example"]])
  func `U-11: an unencrypted server for other machines doesn't start`(options: [String]) throws {
    let temporary = try TemporaryLibrary()
    let served = try Program(library: temporary.url.path).run(arguments: ["serve", "--port", "0"] + options)
    #expect(served.status == 1)
    #expect(served.errors.contains("--insecure-http"))
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
  /// Everything that it printed when it was ready.
  let printed: String
  private let temporary: TemporaryLibrary

  /// `descriptors` limits the open files of the program.
  init(_ library: TemporaryLibrary? = nil, _ options: [String] = [], descriptors: Int? = nil) throws {
    temporary = try library ?? TemporaryLibrary()
    let output = Pipe()
    process.executableURL = URL(fileURLWithPath: "/bin/sh")
    let limit = descriptors.map { "ulimit -n \($0); " } ?? ""
    process.arguments =
      ["-c", limit + #"exec "$0" "$@""#, Program.path, "--library", temporary.url.path, "serve", "--port", "0"]
      + options
    process.standardOutput = output
    try process.run()
    printed = String(decoding: output.fileHandleForReading.availableData, as: UTF8.self)
  }

  var library: String { temporary.url.path }
  /// The port in the printed address; 0 if it has none.
  var port: UInt16 { printed.firstMatch(of: /localhost:(\d+)\//).flatMap { UInt16($0.1) } ?? 0 }
  /// The secret of the printed link.
  var link: String { printed.firstMatch(of: /\/start#([\w-]+)/).map { String($0.1) } ?? "" }

  /// Returns the cookie of a new session, or `nil` if the link is refused.
  func signIn(with link: String) -> String? {
    let body = #"{"link":"\#(link)"}"#
    let answer = Connection(port: port, waits: true).send(
      "POST /api/v1/session/link HTTP/1.1\r\nHost: 127.0.0.1:\(port)\r\nOrigin: http://127.0.0.1:\(port)\r\n"
        + "Content-Type: application/json\r\nContent-Length: \(body.utf8.count)\r\nConnection: close\r\n\r\n\(body)")
    return answer.firstMatch(of: /Set-Cookie: ([^;]+);/).map { String($0.1) }
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
  func ask(_ path: String, cookie: String) -> String {
    send("GET \(path) HTTP/1.1\r\nHost: 127.0.0.1:\(port)\r\nCookie: \(cookie)\r\nConnection: close\r\n\r\n")
  }

  /// Sends a request and returns the beginning of the response.
  func send(_ request: String) -> String {
    _ = Data(request.utf8).withUnsafeBytes { Glibc.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
    var answer = [UInt8](repeating: 0, count: 4_096)
    let count = recv(descriptor, &answer, answer.count, 0)
    return String(decoding: answer.prefix(max(0, count)), as: UTF8.self)
  }
}

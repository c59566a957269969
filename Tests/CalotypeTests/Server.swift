import Foundation
import PhotosTesting
import TestSupport
import Testing

/// Runs `calotype serve` with a new library on a free port.
struct Server {
  let process: Child
  /// Everything that it printed when it was ready.
  let printed: String
  private let temporary: TemporaryLibrary

  /// `descriptors` limits the open files of the program. If `isReadOnly`, the program can't write
  /// the library's folder, and others can.
  init(
    _ library: TemporaryLibrary? = nil, _ options: [String] = [], descriptors: Int? = nil, isReadOnly: Bool = false
  ) throws {
    temporary = try library ?? TemporaryLibrary()
    let limit = descriptors.map { "ulimit -n \($0); " } ?? ""
    let mount = isReadOnly ? #"mount --bind "$2" "$2" && mount -o remount,bind,ro "$2" && "# : ""
    let command =
      (isReadOnly ? ["unshare", "--mount"] : [])
      + ["/bin/sh", "-c", limit + mount + #"exec "$0" "$@""#, Program.path, "--library", temporary.url.path]
      + ["serve", "--port", "0"] + options
    process = try Child(command[0], Array(command.dropFirst()))
    // The lines are written at once.
    printed = try process.output("line with the address") { $0.hasSuffix("\n") }
  }

  /// Whether the library can be mounted read-only, which requires root and is forbidden in some
  /// containers.
  static let canBeReadOnly =
    (try? Child.run("unshare", ["--mount", "sh", "-c", "mount --bind /tmp /tmp && mount -o remount,bind,ro /tmp"]))?
    .status == 0

  var library: String { temporary.url.path }
  /// The port in the printed address; 0 if it has none.
  var port: UInt16 { printed.firstMatch(of: /localhost:(\d+)\//).flatMap { UInt16($0.1) } ?? 0 }
  /// The secret of the printed link.
  var link: String { printed.firstMatch(of: /\/start#([\w-]+)/).map { String($0.1) } ?? "" }

  /// Returns the cookie of a new session, or `nil` if the link is refused.
  func signIn(with link: String) -> String? {
    let body = #"{"link":"\#(link)"}"#
    let answer = Connection(port: port, waits: true)
      .post("/api/v1/session/link", Data(body.utf8), ["Content-Type": "application/json"])
    return answer.firstMatch(of: /Set-Cookie: ([^;]+);/).map { String($0.1) }
  }

  func stop() { end(by: SIGTERM) }

  func kill() { end(by: SIGKILL) }

  private func end(by signal: Int32) {
    process.send(signal)
    do { _ = try process.finish() } catch { Issue.record(error) }
  }
}

/// A connection to a port of this machine.
final class Connection {
  private let descriptor: Int32
  private let port: UInt16

  /// If `waits` is true, connecting, reading and writing wait, but not for ever. Else they don't
  /// wait.
  init(port: UInt16, waits: Bool) {
    self.port = port
    let kind = Int32(SOCK_STREAM.rawValue) | (waits ? 0 : Int32(SOCK_NONBLOCK.rawValue)) | Int32(SOCK_CLOEXEC.rawValue)
    descriptor = socket(AF_INET, kind, 0)
    var timeout = timeval(tv_sec: Int(Patience.long.components.seconds), tv_usec: 0)
    for option in [SO_RCVTIMEO, SO_SNDTIMEO] {
      setsockopt(descriptor, SOL_SOCKET, option, &timeout, socklen_t(MemoryLayout<timeval>.size))
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
    send(Data(request.utf8))
    var answer = [UInt8](repeating: 0, count: 4_096)
    let count = recv(descriptor, &answer, answer.count, 0)
    return String(decoding: answer.prefix(max(0, count)), as: UTF8.self)
  }

  /// Sends a request with a body and returns the response.
  func post(_ path: String, _ body: Data, _ fields: [String: String]) -> String {
    begin(path, body, fields)
    var answer = Data()
    var part = [UInt8](repeating: 0, count: 65_536)
    while true {
      let count = recv(descriptor, &part, part.count, 0)
      guard count > 0 else { return String(decoding: answer, as: UTF8.self) }
      answer += part.prefix(count)
    }
  }

  /// Sends a request with a body, or the beginning of one, and waits for nothing.
  func begin(_ path: String, _ body: Data, _ fields: [String: String], length: Int? = nil) {
    let lines = fields.map { "\($0): \($1)\r\n" }.joined()
    let head =
      "POST \(path) HTTP/1.1\r\nHost: 127.0.0.1:\(port)\r\nOrigin: http://127.0.0.1:\(port)\r\n"
      + "Content-Length: \(length ?? body.count)\r\nConnection: close\r\n\(lines)\r\n"
    send(Data(head.utf8) + body)
  }

  private func send(_ bytes: Data) {
    var rest = bytes
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { Glibc.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
      guard count > 0 else { return }
      rest = rest.dropFirst(count)
    }
  }
}

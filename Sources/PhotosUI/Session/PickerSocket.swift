/// The Unix socket in a library's folder at which its server shows pickers. It is no door to the
/// rest of the library.
struct PickerSocket: Sendable {
  static let name = "picker.socket"

  let libraryURL: URL
  /// The time after which a silent server counts as gone. It answers a waiting request after 25
  /// seconds.
  var timeout = Duration.seconds(60)
  /// The clock of the silence.
  var now: @Sendable () -> ContinuousClock.Instant = { .now }

  /// Sends a request and returns the reply's head. Throws unless the status is one of success.
  ///
  /// `isAlive` is asked when the server has been silent for too long. If it returns true, the
  /// silence counts from there on.
  func request(
    _ method: String, _ path: String, body: Data? = nil, isCancelled: @escaping @Sendable () -> Bool = { false },
    isAlive: @escaping @Sendable () -> Bool = { false }
  ) throws -> SocketReply {
    let connection = SocketConnection(
      descriptor: try connect(), timeout: timeout, now: now, isCancelled: isCancelled, isAlive: isAlive)
    var head = "\(method) \(path) HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n"
    if let body { head += "Content-Type: application/json\r\nContent-Length: \(body.count)\r\n" }
    try connection.send(Data((head + "\r\n").utf8) + (body ?? Data()))
    let reply = try SocketReply(connection)
    guard (200..<300).contains(reply.status) else {
      let reason = (try? reply.decoded(Problem.self).detail) ?? "status \(reply.status)"
      throw PHPhotosError(.operationInterrupted, picking: "the library's server refused the picker: \(reason)")
    }
    return reply
  }

  /// Whether a server listens.
  var isServed: Bool {
    guard let connection = try? connect() else { return false }
    Glibc.close(connection)
    return true
  }

  private struct Problem: Decodable { var detail: String }

  private func connect() throws -> Int32 {
    let notServed = PHPhotosError(
      .operationInterrupted,
      picking: "\(libraryURL.path): no server of this library shows pickers here, and there is no program "
        + "\(PickerServerStart.program) in PATH that could; \(EnvironmentPickers.variable)=newest:1 picks without a person"
    )
    // The library's folder may have a long path, so it is reached through its descriptor.
    let folder = open(libraryURL.path, O_DIRECTORY | O_CLOEXEC)
    guard folder >= 0 else { throw notServed }
    defer { Glibc.close(folder) }
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    let path = Array("/proc/self/fd/\(folder)/\(Self.name)".utf8)
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.prefix($0.count - 1)) }
    let descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
    guard descriptor >= 0 else { throw notServed }
    let status = withUnsafePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        Glibc.connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
      }
    }
    // Another user could have put a socket of the same name into a shared library.
    guard status == 0, Self.isOwnUser(descriptor) else {
      Glibc.close(descriptor)
      throw notServed
    }
    return descriptor
  }

  /// Returns whether the process at the other end belongs to the same user.
  private static func isOwnUser(_ connection: Int32) -> Bool {
    // struct ucred: process, user, group.
    var credentials: (process: Int32, user: UInt32, group: UInt32) = (0, .max, .max)
    var size = socklen_t(MemoryLayout.size(ofValue: credentials))
    guard getsockopt(connection, SOL_SOCKET, SO_PEERCRED, &credentials, &size) == 0 else { return false }
    return credentials.user == geteuid()
  }
}

/// An open connection for one request. One thread uses it.
final class SocketConnection {
  private let descriptor: Int32
  private let timeout: Duration
  private let now: @Sendable () -> ContinuousClock.Instant
  private let isCancelled: @Sendable () -> Bool
  private let isAlive: @Sendable () -> Bool
  /// The time of the server's last sign of life.
  private var signTime: ContinuousClock.Instant
  private var buffer = [UInt8](repeating: 0, count: 1 << 16)

  init(
    descriptor: Int32, timeout: Duration, now: @escaping @Sendable () -> ContinuousClock.Instant,
    isCancelled: @escaping @Sendable () -> Bool, isAlive: @escaping @Sendable () -> Bool
  ) {
    self.descriptor = descriptor
    self.timeout = timeout
    self.now = now
    signTime = now()
    self.isCancelled = isCancelled
    self.isAlive = isAlive
  }

  deinit { close(descriptor) }

  static let lost = PHPhotosError(.operationInterrupted, picking: "the library's server has ended, or does not answer")

  func send(_ data: Data) throws {
    var rest = [UInt8](data)[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { Glibc.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
      guard count > 0 else { throw Self.lost }
      rest = rest.dropFirst(count)
    }
  }

  /// Returns the next bytes, or `nil` at the end. Each byte counts as a sign of life. Throws
  /// `CancellationError` once the request is canceled, also while bytes keep coming.
  func receive() throws -> ArraySlice<UInt8>? {
    if isCancelled() { throw CancellationError() }
    var state = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    while poll(&state, 1, 50) == 0 {
      if isCancelled() { throw CancellationError() }
      if now() - signTime > timeout {
        guard isAlive() else { throw Self.lost }
        signTime = now()
      }
    }
    signTime = now()
    let count = read(descriptor, &buffer, buffer.count)
    guard count >= 0 else { throw Self.lost }
    return count == 0 ? nil : buffer[..<count]
  }
}

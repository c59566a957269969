/// The Unix socket at which the server of a library shows pickers. It is no door to the rest of the
/// library.
struct PickerSocket: Sendable {
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
      throw Self.failure(try? reply.decoded(Problem.self), status: reply.status)
    }
    return reply
  }

  /// Returns the error that the server reports. One with a code of PhotoKit is about the library.
  private static func failure(_ problem: Problem?, status: Int) -> PHPhotosError {
    let reason = problem?.detail ?? "status \(status)"
    guard let code = problem?.phPhotosErrorCode.flatMap(PHPhotosError.Code.init(rawValue:)) else {
      return PHPhotosError(.operationInterrupted, picking: "the library's server refused the picker: \(reason)")
    }
    return PHPhotosError(code, picking: reason)
  }

  /// Whether a server listens.
  var isServed: Bool {
    guard let connection = try? connect() else { return false }
    Glibc.close(connection)
    return true
  }

  private struct Problem: Decodable {
    var detail: String
    /// The code of a `PHPhotosError`.
    var phPhotosErrorCode: Int?
  }

  private func connect() throws -> Int32 {
    if let connection = ServerSocket.connect(.pickers, ofLibraryAt: libraryURL) { return connection }
    throw PHPhotosError(
      .operationInterrupted, picking: "\(libraryURL.path): the server of this library that shows pickers has ended")
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

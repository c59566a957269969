import Foundation
import Photos

/// A Unix socket of the account that runs the server. A process that asks gets an owner link,
/// or a sentence that says why there is none.
final class OwnerSocket: @unchecked Sendable {
  // Any thread may use a dispatch source.

  private let socket: ServerSocket
  private let source: any DispatchSourceRead

  init(_ socket: ServerSocket, makeLink: @escaping @Sendable () throws -> URL) {
    self.socket = socket
    source = DispatchSource.makeReadSource(fileDescriptor: socket.listener, queue: .global())
    source.setEventHandler { Self.answer(socket.listener, makeLink) }
    source.setCancelHandler { Glibc.close(socket.listener) }
    source.activate()
  }

  /// Stops listening, and removes the socket.
  func close() {
    socket.remove()
    source.cancel()
  }

  /// Returns whether a server of a library runs here as this user.
  static func answers(ofLibraryAt url: URL) -> Bool {
    guard let connection = ServerSocket.connect(.ownerLinks, ofLibraryAt: url) else { return false }
    Glibc.close(connection)
    return true
  }

  /// Connects to the server of a library and returns the link that it sends.
  static func requestLink(ofLibraryAt url: URL) throws -> URL {
    guard let connection = ServerSocket.connect(.ownerLinks, ofLibraryAt: url) else {
      throw PhotosServerError(
        .notServed, "\(url.path): no server of this library runs here as this user; start it with `calotype serve`")
    }
    defer { Glibc.close(connection) }
    limitWaits(of: connection)
    var request = request
    _ = send(connection, &request, 1, Int32(MSG_NOSIGNAL))
    var received: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 1024)
    while received.count < 4096 {
      let count = read(connection, &buffer, buffer.count)
      guard count > 0 else { break }
      received += buffer.prefix(count)
    }
    let text = String(decoding: received, as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines)
    if text.hasPrefix(problemPrefix) {
      throw PhotosServerError(.notServed, String(text.dropFirst(problemPrefix.count)))
    }
    guard let link = URL(string: text), SignInService.isOwnerLink(link) else {
      throw PhotosServerError(.notServed, "\(url.path): the server could not make a link; see its messages")
    }
    return link
  }

  /// The byte by which a process asks for a link.
  private static let request = UInt8(ascii: "?")
  private static let problemPrefix = "problem: "

  /// Ends each wait for the other process after ten seconds.
  private static func limitWaits(of connection: Int32) {
    var timeout = timeval(tv_sec: 10, tv_usec: 0)
    setsockopt(connection, SOL_SOCKET, SO_RCVTIMEO, &timeout, socklen_t(MemoryLayout<timeval>.size))
  }

  private static func answer(_ listener: Int32, _ makeLink: () throws -> URL) {
    let connection = accept(listener, nil, nil)
    guard connection >= 0 else { return }
    _ = fcntl(connection, F_SETFD, FD_CLOEXEC)
    defer { Glibc.close(connection) }
    guard ServerSocket.Peer(of: connection).isOwnUser else { return }
    // Processes that only check whether a server lives send nothing.
    limitWaits(of: connection)
    var received: UInt8 = 0
    guard recv(connection, &received, 1, 0) == 1, received == request else { return }
    let line: String
    do { line = try makeLink().absoluteString } catch { line = problemPrefix + error.localizedDescription }
    let bytes = Array("\(line)\n".utf8)
    _ = send(connection, bytes, bytes.count, Int32(MSG_NOSIGNAL))
  }
}

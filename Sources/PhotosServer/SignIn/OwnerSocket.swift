import Foundation
import Synchronization

/// A Unix socket in the library's folder. A process that connects gets an owner link.
final class OwnerSocket: @unchecked Sendable {
  // Any thread may use a dispatch source.

  private static let name = "serve.socket"
  private let socket: LibrarySocket
  private let source: any DispatchSourceRead
  private let isClosed = Atomic(false)

  /// Returns `nil` if the folder can't be written, or if another server serves the library.
  init?(inLibraryAt url: URL, makeLink: @escaping @Sendable () throws -> URL) {
    guard let socket = LibrarySocket(named: Self.name, inLibraryAt: url) else { return nil }
    self.socket = socket
    source = DispatchSource.makeReadSource(fileDescriptor: socket.listener, queue: .global())
    source.setEventHandler { Self.answer(socket.listener, makeLink) }
    source.setCancelHandler {
      Glibc.close(socket.listener)
      Glibc.close(socket.folder)
    }
    source.activate()
  }

  /// Stops listening, and removes the socket.
  func close() {
    guard !isClosed.exchange(true, ordering: .relaxed) else { return }
    socket.remove()
    source.cancel()
  }

  /// Connects to the socket of a library and returns the link that the server sends.
  static func requestLink(ofLibraryAt url: URL) throws -> URL {
    let notServed = PhotosServerError(
      .notServed, "\(url.path): no server of this library runs here as this user; start it with `calotype serve`")
    guard let connection = LibrarySocket.connect(toSocketNamed: name, inLibraryAt: url) else { throw notServed }
    defer { Glibc.close(connection) }
    // Another user could have put a socket of the same name into a shared library.
    guard LibrarySocket.isOwnUser(connection) else { throw notServed }
    var received: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 1024)
    while received.count < 4096 {
      let count = read(connection, &buffer, buffer.count)
      guard count > 0 else { break }
      received += buffer.prefix(count)
    }
    let text = String(decoding: received, as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines)
    guard !text.isEmpty, let link = URL(string: text) else {
      throw PhotosServerError(.notServed, "\(url.path): the server could not make a link; see its messages")
    }
    return link
  }

  private static func answer(_ listener: Int32, _ makeLink: () throws -> URL) {
    let connection = accept(listener, nil, nil)
    guard connection >= 0 else { return }
    _ = fcntl(connection, F_SETFD, FD_CLOEXEC)
    defer { Glibc.close(connection) }
    guard LibrarySocket.isOwnUser(connection), let link = try? makeLink() else { return }
    let bytes = Array("\(link.absoluteString)\n".utf8)
    _ = send(connection, bytes, bytes.count, Int32(MSG_NOSIGNAL))
  }
}

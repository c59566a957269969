import Foundation
import Synchronization

/// A Unix socket in the library's folder. Whoever connects gets an owner link.
///
/// Only the user who runs the server may connect: the socket has the mode 0600, and the server
/// checks the user of each connection. The library's folder may have a long path, so it is reached
/// through its descriptor.
final class OwnerSocket: @unchecked Sendable {
  // Any thread may use a dispatch source.

  private static let name = "serve.socket"
  private let folder: Int32
  private let source: any DispatchSourceRead
  private let isClosed = Atomic(false)

  /// Returns `nil` if the folder can't be written, or if another server serves the library.
  init?(inLibraryAt url: URL, makeLink: @escaping @Sendable () throws -> URL) {
    guard let folder = Self.open(url) else { return nil }
    guard let listener = Self.listen(in: folder) else {
      Glibc.close(folder)
      return nil
    }
    self.folder = folder
    source = DispatchSource.makeReadSource(fileDescriptor: listener, queue: .global())
    source.setEventHandler { Self.answer(listener, makeLink) }
    source.setCancelHandler {
      Glibc.close(listener)
      Glibc.close(folder)
    }
    source.activate()
  }

  /// Stops listening, and removes the socket.
  func close() {
    guard !isClosed.exchange(true, ordering: .relaxed) else { return }
    unlinkat(folder, Self.name, 0)
    source.cancel()
  }

  /// Connects to the socket of a library and returns the link that the server sends.
  static func requestLink(ofLibraryAt url: URL) throws -> URL {
    let notServed = PhotosServerError(
      .notServed, "\(url.path): no server of this library runs here as this user; start it with `calotype serve`")
    guard let folder = open(url) else { throw notServed }
    defer { Glibc.close(folder) }
    guard let connection = connect(in: folder) else { throw notServed }
    defer { Glibc.close(connection) }
    // Another user could have put a socket of the same name into a shared library.
    guard isOwnUser(connection) else { throw notServed }
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
    guard isOwnUser(connection), let link = try? makeLink() else { return }
    let bytes = Array("\(link.absoluteString)\n".utf8)
    _ = send(connection, bytes, bytes.count, Int32(MSG_NOSIGNAL))
  }

  private static func open(_ url: URL) -> Int32? {
    let folder = Glibc.open(url.path, O_DIRECTORY | O_CLOEXEC)
    return folder >= 0 ? folder : nil
  }

  private static func listen(in folder: Int32) -> Int32? {
    if let other = connect(in: folder) {
      Glibc.close(other)
      return nil
    }
    let listener = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue), 0)
    guard listener >= 0 else { return nil }
    // A server that was killed has left its socket.
    unlinkat(folder, name, 0)
    // The socket is made with the mode of its descriptor, so nobody can connect before.
    guard fchmod(listener, 0o600) == 0, withAddress(in: folder, { bind(listener, $0, $1) }) == 0,
      Glibc.listen(listener, 8) == 0
    else {
      Glibc.close(listener)
      return nil
    }
    return listener
  }

  private static func connect(in folder: Int32) -> Int32? {
    let connection = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
    guard connection >= 0 else { return nil }
    var patience = timeval(tv_sec: 10, tv_usec: 0)
    setsockopt(connection, SOL_SOCKET, SO_RCVTIMEO, &patience, socklen_t(MemoryLayout<timeval>.size))
    guard withAddress(in: folder, { Glibc.connect(connection, $0, $1) }) == 0 else {
      Glibc.close(connection)
      return nil
    }
    return connection
  }

  private static func withAddress(
    in folder: Int32, _ body: (UnsafePointer<sockaddr>, socklen_t) -> Int32
  ) -> Int32 {
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    let path = Array("/proc/self/fd/\(folder)/\(name)".utf8)
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.prefix($0.count - 1)) }
    return withUnsafePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        body($0, socklen_t(MemoryLayout<sockaddr_un>.size))
      }
    }
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

import Foundation

/// A listening Unix socket in a library's folder.
///
/// Only the user who runs the server may connect: the socket has the mode 0600, and the server
/// checks the user of each connection. The library's folder may have a long path, so it is reached
/// through its descriptor. The caller closes both descriptors.
struct LibrarySocket: Sendable {
  let name: String
  let folder: Int32
  let listener: Int32

  /// Returns `nil` if the folder can't be written, or if another server listens there.
  init?(named name: String, inLibraryAt url: URL) {
    guard let folder = Self.open(url) else { return nil }
    guard let listener = Self.listen(to: name, in: folder) else {
      Glibc.close(folder)
      return nil
    }
    self.name = name
    self.folder = folder
    self.listener = listener
  }

  /// Removes the socket's name, so that nobody finds it any more.
  func remove() { unlinkat(folder, name, 0) }

  /// Returns a connection to the socket of a name; `nil` if nobody listens there.
  static func connect(toSocketNamed name: String, inLibraryAt url: URL) -> Int32? {
    guard let folder = open(url) else { return nil }
    defer { Glibc.close(folder) }
    return connect(to: name, in: folder)
  }

  private static func open(_ url: URL) -> Int32? {
    let folder = Glibc.open(url.path, O_DIRECTORY | O_CLOEXEC)
    return folder >= 0 ? folder : nil
  }

  private static func listen(to name: String, in folder: Int32) -> Int32? {
    if let other = connect(to: name, in: folder) {
      Glibc.close(other)
      return nil
    }
    let listener = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue), 0)
    guard listener >= 0 else { return nil }
    // A server that was killed has left its socket.
    unlinkat(folder, name, 0)
    // The socket is made with the mode of its descriptor, so nobody can connect before.
    guard fchmod(listener, 0o600) == 0, withAddress(of: name, in: folder, { bind(listener, $0, $1) }) == 0,
      Glibc.listen(listener, 8) == 0
    else {
      Glibc.close(listener)
      return nil
    }
    return listener
  }

  private static func connect(to name: String, in folder: Int32) -> Int32? {
    let connection = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
    guard connection >= 0 else { return nil }
    var timeout = timeval(tv_sec: 10, tv_usec: 0)
    setsockopt(connection, SOL_SOCKET, SO_RCVTIMEO, &timeout, socklen_t(MemoryLayout<timeval>.size))
    guard withAddress(of: name, in: folder, { Glibc.connect(connection, $0, $1) }) == 0 else {
      Glibc.close(connection)
      return nil
    }
    return connection
  }

  private static func withAddress(
    of name: String, in folder: Int32, _ body: (UnsafePointer<sockaddr>, socklen_t) -> Int32
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
  static func isOwnUser(_ connection: Int32) -> Bool {
    // struct ucred: process, user, group.
    var credentials: (process: Int32, user: UInt32, group: UInt32) = (0, .max, .max)
    var size = socklen_t(MemoryLayout.size(ofValue: credentials))
    guard getsockopt(connection, SOL_SOCKET, SO_PEERCRED, &credentials, &size) == 0 else { return false }
    return credentials.user == geteuid()
  }
}

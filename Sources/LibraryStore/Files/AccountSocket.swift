import Crypto
import Essentials
import Foundation
import Synchronization

/// A listening Unix socket of a library's server, in a folder of the account that runs the server.
///
///     let socket = try AccountSocket(.ownerLinks, ofLibraryAt: url)
///     let connection = AccountSocket.connect(.ownerLinks, ofLibraryAt: url)
///
/// The library's folder may have been made by somebody else, who could have put anything in it. It
/// may also be read-only. The account's folder contains only what this account puts there. The
/// socket's name is made of the library's path without links.
///
/// Only the user who runs the server may connect: the folder has the mode 0700 and the socket 0600,
/// and both sides check the user at the other end. Paths may be longer than a socket's address, so
/// the socket is reached through the folder's descriptor.
package final class AccountSocket: Sendable {
  package enum Purpose: String, Sendable {
    /// A process that connects gets an owner link.
    case ownerLinks = "serve"
    /// Programs ask for pickers.
    case pickers = "picker"
  }

  /// The reason that a server has not got a socket.
  package enum Obstacle: Error, Equatable, Sendable {
    /// Another server of the library listens.
    case otherServer
    /// The file or folder at this path has the socket's name, and is no socket.
    case occupied(String)
    /// The system refuses, for the reason in this sentence.
    case refused(String)
  }

  /// The path of the folder in the account's folder of settings.
  package static let folderPath = "\(AccountFolder.programName)/\(folderName)"
  private static let folderName = "servers"

  /// The descriptor does not block. The caller closes it after `remove`.
  package let listener: Int32
  private let folder: Int32
  private let name: String
  private let isRemoved = Atomic(false)

  package init(
    _ purpose: Purpose, ofLibraryAt library: URL, in settings: String = AccountFolders.settings
  ) throws(Obstacle) {
    guard let name = Self.name(purpose, ofLibraryAt: library) else {
      throw .refused("\(library.path): there is no library")
    }
    let folder: Int32
    do { folder = try AccountFolder.open(Self.folderName, in: settings) } catch { throw .refused(error.description) }
    do { listener = try Self.listen(name, in: folder, at: "\(settings)/\(Self.folderPath)") } catch {
      close(folder)
      throw error
    }
    self.folder = folder
    self.name = name
  }

  deinit { close(folder) }

  /// Removes the socket's name, so that nobody finds it any more. Call it before the listener is
  /// closed: later, it may remove the next server's socket.
  package func remove() {
    guard !isRemoved.exchange(true, ordering: .relaxed) else { return }
    unlinkat(folder, name, 0)
  }

  /// Connects to the server of a library. Returns `nil` if no server of this user listens. The
  /// caller closes the connection.
  package static func connect(
    _ purpose: Purpose, ofLibraryAt library: URL, in settings: String = AccountFolders.settings
  ) -> Int32? {
    guard let name = Self.name(purpose, ofLibraryAt: library),
      let folder = try? LibraryFolder(path: "\(settings)/\(AccountFolder.programName)").openFolder(folderName)
    else { return nil }
    defer { close(folder) }
    let connection = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
    guard connection >= 0 else { return nil }
    // A server that has been stopped accepts nobody, and its queue may be full.
    setSendTimeout(of: connection, seconds: 10)
    guard withAddress(of: name, in: folder, { Glibc.connect(connection, $0, $1) }) == 0,
      Peer(of: connection).isOwnUser
    else {
      close(connection)
      return nil
    }
    setSendTimeout(of: connection, seconds: 0)
    return connection
  }

  /// Zero waits without an end. The time limits a connection's making as well.
  private static func setSendTimeout(of connection: Int32, seconds: Int) {
    var time = timeval(tv_sec: seconds, tv_usec: 0)
    setsockopt(connection, SOL_SOCKET, SO_SNDTIMEO, &time, socklen_t(MemoryLayout<timeval>.size))
  }

  /// Returns the name of a library's socket; `nil` if there is no library.
  package static func name(_ purpose: Purpose, ofLibraryAt library: URL) -> String? {
    FilePath(library).withoutLinks.map { path in
      "\(SHA256.hash(data: path).prefix(16).hexadecimal).\(purpose.rawValue).socket"
    }
  }

  /// The process at the other end of a connection: the kernel's `struct ucred`.
  package struct Peer: Sendable {
    private var process: Int32 = 0
    private var user = UInt32.max
    private var group = UInt32.max

    /// Another user's process if the kernel doesn't say whose it is.
    package init(of connection: Int32) {
      var size = socklen_t(MemoryLayout<Self>.size)
      getsockopt(connection, SOL_SOCKET, SO_PEERCRED, &self, &size)
    }

    package var isOwnUser: Bool { user == geteuid() }
  }

  // MARK: Listening

  /// The time in seconds to wait for a server that starts or ends at the same time.
  private static let patience = 1.0

  private static func listen(_ name: String, in folder: Int32, at path: String) throws(Obstacle) -> Int32 {
    // A server that starts at the same time must not take the new socket for an abandoned one.
    try lock(folder, at: path)
    defer { flock(folder, LOCK_UN) }
    try clear(name, in: folder, at: path)
    let listener = makeSocket()
    // The socket is made with the mode of its descriptor, so nobody can connect before.
    guard listener >= 0, fchmod(listener, 0o600) == 0,
      withAddress(of: name, in: folder, { bind(listener, $0, $1) }) == 0, Glibc.listen(listener, 8) == 0
    else {
      let number = errno
      if listener >= 0 { close(listener) }
      throw refusal(number, "\(path)/\(name)")
    }
    return listener
  }

  private static func lock(_ folder: Int32, at path: String) throws(Obstacle) {
    do {
      guard try FileLock(descriptor: folder, path: path).take(LOCK_EX, patience: patience) else {
        throw StoreError(.busy, path, reason: "another process keeps it locked")
      }
    } catch { throw .refused("\(error)") }
  }

  /// Removes the socket that a killed server has left. Throws if the name is not free.
  private static func clear(_ name: String, in folder: Int32, at path: String) throws(Obstacle) {
    let file = "\(path)/\(name)"
    var status = stat()
    guard fstatat(folder, name, &status, AT_SYMLINK_NOFOLLOW) == 0 else {
      if errno == ENOENT { return }
      throw refusal(errno, file)
    }
    guard status.st_mode & S_IFMT == S_IFSOCK else { throw .occupied(file) }
    let connection = makeSocket()
    guard connection >= 0 else { throw refusal(errno, file) }
    defer { close(connection) }
    guard withAddress(of: name, in: folder, { Glibc.connect(connection, $0, $1) }) != 0 else { throw .otherServer }
    switch errno {
    case ECONNREFUSED:
      guard unlinkat(folder, name, 0) == 0 else { throw refusal(errno, file) }
    // The other server has just ended.
    case ENOENT: break
    // All other errors mean that a server listens, but has no time.
    default: throw .otherServer
    }
  }

  private static func refusal(_ number: Int32, _ path: String) -> Obstacle {
    .refused(FileOperations.error(number, path).description)
  }

  private static func makeSocket() -> Int32 {
    socket(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue), 0)
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
}

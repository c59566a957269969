import Foundation

/// A lock that is held while a server of the library runs. It ends with the object, or with the
/// process.
public final class ServerLock: Sendable {
  static let path = "incoming/serve.lock"

  private let descriptor: Int32

  fileprivate init(in folder: LibraryFolder, patience: TimeInterval) throws(StoreError) {
    descriptor = try folder.open(Self.path, O_RDWR | O_CREAT)
    // Servers share the lock. Other processes have it only while they check for a server. If one
    // keeps it, or the file system has no locks, the server runs without it: programs then ask at
    // the terminal.
    _ = try? FileLock(descriptor: descriptor, path: folder.absolute(Self.path)).take(LOCK_SH, patience: patience)
  }

  deinit { close(descriptor) }
}

extension LibraryStore {
  /// Announces a server of the library. Throws if the library can't be written.
  public func announceServer(patience: TimeInterval = 5) throws(StoreError) -> ServerLock {
    _ = try requireWriting()
    return try ServerLock(in: folder, patience: patience)
  }

  /// Returns whether a server of the library runs.
  public func isServed() throws(StoreError) -> Bool {
    guard let descriptor = try folder.openIfPresent(ServerLock.path, O_RDONLY) else { return false }
    defer { close(descriptor) }
    return flock(descriptor, LOCK_EX | LOCK_NB) != 0
  }
}

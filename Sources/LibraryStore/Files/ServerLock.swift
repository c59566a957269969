import Foundation

/// A lock that is held while a server of the library runs. It ends with the object, or with the
/// process.
public final class ServerLock: Sendable {
  static let path = "incoming/serve.lock"

  private let descriptor: Int32

  fileprivate init(in folder: LibraryFolder) throws(StoreError) {
    descriptor = try folder.open(Self.path, O_RDWR | O_CREAT)
    // It waits for no longer than another process looks. Several servers have the lock together.
    while flock(descriptor, LOCK_SH) != 0, errno == EINTR {}
  }

  deinit { close(descriptor) }
}

extension LibraryStore {
  /// Announces a server of the library. Throws if the library can't be written.
  public func announceServer() throws(StoreError) -> ServerLock {
    _ = try requireWriting()
    return try ServerLock(in: folder)
  }

  /// Returns whether a server of the library runs.
  public func isServed() throws(StoreError) -> Bool {
    guard let descriptor = try folder.openIfPresent(ServerLock.path, O_RDONLY) else { return false }
    defer { close(descriptor) }
    return flock(descriptor, LOCK_EX | LOCK_NB) != 0
  }
}

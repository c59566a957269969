import Foundation

/// A lock that allows one commit at a time, among all threads and all processes that have the
/// library open. It is held from the moment a file gets its name until the transaction that refers
/// to it ends.
final class CommitLock: Sendable {
  private let threads = NSLock()
  private let descriptor: Int32
  private let path: String

  init(in folder: LibraryFolder) throws(StoreError) {
    path = folder.absolute("incoming/commit.lock")
    try folder.makeFolder("incoming")
    descriptor = try folder.open("incoming/commit.lock", O_RDWR | O_CREAT)
  }

  deinit { close(descriptor) }

  func lock() throws(StoreError) {
    threads.lock()
    while flock(descriptor, LOCK_EX) != 0 {
      if errno == EINTR { continue }
      let error = FileOperations.error(errno, path)
      threads.unlock()
      throw error
    }
  }

  func unlock() {
    flock(descriptor, LOCK_UN)
    threads.unlock()
  }
}

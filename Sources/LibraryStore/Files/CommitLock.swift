import Foundation

/// A lock that allows one commit at a time, among all threads and all processes that have the
/// library open. It is held from the moment a file gets its name until the transaction that refers
/// to it ends.
final class CommitLock: Sendable {
  private let threads = NSLock()
  private let file: FileLock

  /// The time in seconds that a commit waits for another one, which takes a second on a slow disk.
  /// A process that was stopped inside of a commit may never go on.
  static let patience: TimeInterval = 60
  static let path = "incoming/commit.lock"

  init(in folder: LibraryFolder) throws(StoreError) {
    try folder.makeFolder("incoming")
    file = FileLock(
      descriptor: try folder.open(Self.path, O_RDWR | O_CREAT), path: folder.absolute(Self.path))
  }

  deinit { close(file.descriptor) }

  /// Waits for the lock. Fails with `.busy` if another commit has it for too long.
  func lock(patience: TimeInterval = patience) throws(StoreError) {
    let start = ContinuousClock.now
    guard threads.lock(before: Date(timeIntervalSinceNow: patience)) else { throw file.busy }
    do throws(StoreError) {
      let waited = (ContinuousClock.now - start) / .seconds(1)
      guard try file.take(LOCK_EX, patience: patience - waited) else { throw file.busy }
    } catch {
      threads.unlock()
      throw error
    }
  }

  /// Takes the lock, or returns false if another commit has it.
  func lockIfFree() throws(StoreError) -> Bool {
    do throws(StoreError) { try lock(patience: 0) } catch {
      guard error.code == .busy else { throw error }
      return false
    }
    return true
  }

  func unlock() {
    flock(file.descriptor, LOCK_UN)
    threads.unlock()
  }
}

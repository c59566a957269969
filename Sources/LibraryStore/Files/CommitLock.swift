import Foundation

/// A lock that allows one commit at a time, among all threads and all processes that have the
/// library open. It is held from the moment a file gets its name until the transaction that refers
/// to it ends.
final class CommitLock: Sendable {
  private let threads = NSLock()
  private let descriptor: Int32
  private let path: String

  /// The time in seconds that a commit waits for another one, which takes a second on a slow disk.
  /// A process that was stopped inside of a commit may never go on.
  private static let patience: TimeInterval = 60

  init(in folder: LibraryFolder) throws(StoreError) {
    path = folder.absolute("incoming/commit.lock")
    try folder.makeFolder("incoming")
    descriptor = try folder.open("incoming/commit.lock", O_RDWR | O_CREAT)
  }

  deinit { close(descriptor) }

  /// Waits for the lock. Fails with `.busy` if another commit has it for too long.
  func lock(patience: TimeInterval = patience) throws(StoreError) {
    let end = ContinuousClock.now + .seconds(patience)
    guard threads.lock(before: Date(timeIntervalSinceNow: patience)) else { throw busy }
    do throws(StoreError) {
      var pause: useconds_t = 500
      while flock(descriptor, LOCK_EX | LOCK_NB) != 0 {
        if errno == EINTR { continue }
        guard errno == EWOULDBLOCK else { throw FileOperations.error(errno, path) }
        guard ContinuousClock.now < end else { throw busy }
        usleep(pause)
        pause = min(2 * pause, 20_000)
      }
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
    flock(descriptor, LOCK_UN)
    threads.unlock()
  }

  private var busy: StoreError {
    StoreError(
      .busy, path,
      reason:
        "\(holder ?? "another process") is changing the library and does not come to an end; nothing was changed; "
        + "let it go on, or end it, and try again")
  }

  /// The process that has the lock, if the system tells.
  private var holder: String? {
    var status = stat()
    guard fstat(descriptor, &status) == 0 else { return nil }
    // 3: FLOCK  ADVISORY  WRITE 1234 08:02:5678 0 EOF
    let locks = (try? String(contentsOfFile: "/proc/locks", encoding: .utf8)) ?? ""
    for line in locks.split(separator: "\n") {
      let parts = line.split(separator: " ")
      guard parts.count > 5, parts[1] == "FLOCK", parts[3] == "WRITE", parts[5].hasSuffix(":\(status.st_ino)"),
        let process = pid_t(parts[4]), process > 0
      else { continue }
      let command = (try? String(contentsOfFile: "/proc/\(process)/comm", encoding: .utf8))?
        .trimmingCharacters(in: .newlines)
      return "process \(process)\(command.map { " (\($0))" } ?? "")"
    }
    return nil
  }
}

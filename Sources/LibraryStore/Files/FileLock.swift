import Foundation

/// A lock of an open file among processes. Waiting for it has an end, since the process that has it
/// may have been stopped.
struct FileLock {
  let descriptor: Int32
  let path: String

  /// Waits for the lock: `LOCK_EX` or `LOCK_SH`. Returns false if others have it for longer than
  /// the seconds of `patience`.
  func take(_ operation: Int32, patience: TimeInterval) throws(StoreError) -> Bool {
    let end = ContinuousClock.now + .seconds(patience)
    var pause: useconds_t = 500
    while flock(descriptor, operation | LOCK_NB) != 0 {
      if errno == EINTR { continue }
      guard errno == EWOULDBLOCK else { throw FileOperations.error(errno, path) }
      guard ContinuousClock.now < end else { return false }
      usleep(pause)
      pause = min(2 * pause, 20_000)
    }
    return true
  }

  /// The error for a lock that could not be taken.
  var busy: StoreError {
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

import Foundation
import Synchronization

/// Where files wait until a transaction names them: `incoming/<session>/`, one folder for each process and opening.
///
/// A file goes through four steps, each safe to be cut off at: it is written here and `fsync`ed; its later path is written to
/// this session's `journal`, `fsync`ed too; it gets that path; the database transaction names it. What a dead session leaves
/// behind – nobody holds the lock on its `lock` file – is cleared at the next opening: its own files, and those of the
/// journal that no transaction came to name.
final class IncomingFolder: Sendable {
  let path: String
  private let lockDescriptor: Int32
  private let nextNumber = Atomic<Int>(1)
  private let journal: Mutex<Int32>

  init(libraryPath: String, session: UUID) throws(StoreError) {
    path = "\(libraryPath)/incoming/\(session.uuidString)"
    try FileOperations.makeFolder(path)
    lockDescriptor = open("\(path)/lock", O_RDWR | O_CREAT | O_CLOEXEC, 0o644)
    guard lockDescriptor >= 0 else { throw FileOperations.error(errno, "\(path)/lock") }
    let journal = open("\(path)/journal", O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0o644)
    self.journal = Mutex(journal)
    guard journal >= 0 else { throw FileOperations.error(errno, "\(path)/journal") }
    try FileOperations.check(flock(lockDescriptor, LOCK_EX | LOCK_NB), "\(path)/lock")
  }

  deinit {
    Self.removeFolder(path)
    journal.withLock { _ = close($0) }
    close(lockDescriptor)
  }

  /// A name for a new file, used once.
  func nextPath() -> String {
    "\(path)/\(nextNumber.wrappingAdd(1, ordering: .relaxed).oldValue)"
  }

  /// Notes durably that files are about to get these paths (below the library).
  func willPlace(_ relativePaths: [String]) throws(StoreError) {
    let lines = Data(relativePaths.map { $0 + "\n" }.joined().utf8)
    let journalPath = "\(path)/journal"
    try journal.withLock { descriptor throws(StoreError) in
      let written = lines.withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) }
      guard written == lines.count else { throw FileOperations.error(written < 0 ? errno : ENOSPC, journalPath) }
      try FileOperations.check(fdatasync(descriptor), journalPath)
    }
  }

  /// Forgets the noted paths: a transaction has named them, or they are gone again.
  func didSettle() throws(StoreError) {
    let journalPath = "\(path)/journal"
    try journal.withLock { descriptor throws(StoreError) in
      try FileOperations.check(ftruncate(descriptor, 0), journalPath)
    }
  }

  /// Clears what dead sessions left; `isNamed` tells whether the database knows a path.
  ///
  /// Under the commit lock: a path that is not named now could be one that another process is about to name.
  static func clearLeftovers(libraryPath: String, isNamed: (String) throws -> Bool) throws {
    let root = "\(libraryPath)/incoming"
    for session in (try? FileManager.default.contentsOfDirectory(atPath: root)) ?? []
    where UUID(uuidString: session) != nil {
      let folder = "\(root)/\(session)"
      let lock = open("\(folder)/lock", O_RDWR | O_CLOEXEC)
      defer { if lock >= 0 { close(lock) } }
      // A session that holds its lock lives; one without a lock file was cut off while it was being made.
      if lock >= 0, flock(lock, LOCK_EX | LOCK_NB) != 0 { continue }
      let bytes = FileManager.default.contents(atPath: "\(folder)/journal") ?? Data()
      let journal = String(decoding: bytes, as: UTF8.self)
      // The last line may have been cut off; then no file got its path.
      for line in journal.split(separator: "\n") where try !isNamed(String(line)) {
        FileOperations.remove(String(line), libraryPath: libraryPath)
      }
      removeFolder(folder)
    }
  }

  private static func removeFolder(_ folder: String) {
    for name in (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? [] { unlink("\(folder)/\(name)") }
    rmdir(folder)
  }
}

extension FileOperations {
  /// Removes a file of a library, and the folder of an edit that is empty then. Under the commit lock: nobody is just filling it.
  static func remove(_ relativePath: String, libraryPath: String) {
    unlink("\(libraryPath)/\(relativePath)")
    guard relativePath.hasPrefix("adjustments/") else { return }
    rmdir("\(libraryPath)/\((relativePath as NSString).deletingLastPathComponent)")
  }

  /// Makes a folder, and those above it that are missing.
  static func makeFolder(_ path: String) throws(StoreError) {
    // Foundation's errors keep the system's number of some failures only.
    guard mkdir(path, 0o777) != 0, errno != EEXIST else { return }
    let parent = (path as NSString).deletingLastPathComponent
    guard errno == ENOENT, !parent.isEmpty else { throw error(errno, path) }
    try makeFolder(parent)
    guard mkdir(path, 0o777) == 0 || errno == EEXIST else { throw error(errno, path) }
  }
}

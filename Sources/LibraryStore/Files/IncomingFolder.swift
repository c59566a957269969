import Foundation
import Synchronization

/// Where files wait until a transaction names them: `incoming/<session>/`, one folder for each process and opening.
///
/// A file goes through four steps, each safe to be cut off at: it is written here and `fsync`ed; its later path is written to
/// this session's `journal`, `fsync`ed too; it gets that path; the database transaction names it. What a dead session leaves
/// behind – nobody holds the lock on its `lock` file – is cleared at the next opening: its own files, and those of the
/// journal that no transaction came to name.
final class IncomingFolder: Sendable {
  /// The path relative to the library's folder.
  let path: String
  private let folder: LibraryFolder
  private let lockDescriptor: Int32
  private let nextNumber = Atomic<Int>(1)
  private let journal: Mutex<Int32>

  init(in folder: LibraryFolder, session: UUID) throws(StoreError) {
    self.folder = folder
    let path = "incoming/\(session.uuidString)"
    self.path = path
    try folder.makeFolder(path)
    lockDescriptor = try folder.open("\(path)/lock", O_RDWR | O_CREAT)
    journal = Mutex(try folder.open("\(path)/journal", O_WRONLY | O_CREAT | O_APPEND))
    try FileOperations.check(flock(lockDescriptor, LOCK_EX | LOCK_NB), folder.absolute("\(path)/lock"))
    // Entries of the journal are of use only if the journal's own name is durable.
    for name in [path, "incoming"] { try folder.synchronize(name) }
  }

  deinit {
    try? folder.removeFolder(path)
    journal.withLock { _ = close($0) }
    close(lockDescriptor)
  }

  /// A path below the library's folder for a new file, used once.
  func nextPath() -> String {
    "\(path)/\(nextNumber.wrappingAdd(1, ordering: .relaxed).oldValue)"
  }

  /// Notes durably that files are about to get these paths (below the library).
  func willPlace(_ relativePaths: [String]) throws(StoreError) {
    let lines = Data(relativePaths.map { $0 + "\n" }.joined().utf8)
    let journalPath = folder.absolute("\(path)/journal")
    try journal.withLock { descriptor throws(StoreError) in
      let written = lines.withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) }
      guard written == lines.count else { throw FileOperations.error(written < 0 ? errno : ENOSPC, journalPath) }
      try FileOperations.check(fdatasync(descriptor), journalPath)
    }
  }

  /// Forgets the noted paths: a transaction has named them, or they are gone again.
  func didSettle() throws(StoreError) {
    let journalPath = folder.absolute("\(path)/journal")
    try journal.withLock { descriptor throws(StoreError) in
      try FileOperations.check(ftruncate(descriptor, 0), journalPath)
    }
  }

  /// Clears what dead sessions left; `isNamed` tells whether the database knows a path.
  ///
  /// Under the commit lock: a path that is not named now could be one that another process is about to name.
  static func clearLeftovers(in folder: LibraryFolder, isNamed: (String) throws -> Bool) throws {
    for session in try folder.contents(of: "incoming") where UUID(uuidString: session) != nil {
      do { try clear("incoming/\(session)", in: folder, isNamed: isNamed) } catch let error as StoreError
        where error.code == .cannotRead || error.code == .cannotWrite
      {
        // Another account's leftovers, after an import by root, take space and are no reason to keep the owner out.
        continue
      }
    }
  }

  private static func clear(
    _ path: String, in folder: LibraryFolder, isNamed: (String) throws -> Bool
  ) throws {
    let lock = try folder.openIfPresent("\(path)/lock", O_RDWR)
    defer { if let lock { close(lock) } }
    // A session that holds its lock lives; one without a lock file was cut off while it was being made.
    if let lock, flock(lock, LOCK_EX | LOCK_NB) != 0 { return }
    let lines = try noted(in: "\(path)/journal", folder)
    // Nothing is removed on the word of a journal of which any line is not this program's.
    for line in lines { try folder.checkIsOriginal(line) }
    for line in lines where try !isNamed(line) { try folder.removeOriginal(line) }
    try folder.removeFolder(path)
  }

  /// Returns a journal's lines. The last one may have been cut off; then no file got its path.
  private static func noted(in journal: String, _ folder: LibraryFolder) throws(StoreError) -> [String] {
    guard let descriptor = try folder.openIfPresent(journal, O_RDONLY) else { return [] }
    var bytes = Data()
    try OpenFile(descriptor: descriptor, name: folder.absolute(journal)).forEachChunk { bytes.append(contentsOf: $0) }
    return bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false).dropLast()
      .map { String(decoding: $0, as: UTF8.self) }
  }
}

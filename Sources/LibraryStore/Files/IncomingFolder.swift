import Foundation
import Synchronization

/// The folder of files that no transaction refers to yet: `incoming/<session>/`, one for each time
/// that a process opens the library.
///
/// A file goes through four steps, and an interruption at any of them is safe:
/// 1. The file is written here, with `fsync`.
/// 2. Its later path is written to this session's `journal`, with `fsync`.
/// 3. The file is moved to that path.
/// 4. The database transaction refers to that path.
///
/// A session whose `lock` file is not locked any more has ended. The next opening clears its
/// leftovers: its own files, and the files in its journal to which no transaction refers.
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

  /// Returns a path for a new file, relative to the library's folder. Each path is returned once.
  func nextPath() -> String {
    "\(path)/\(nextNumber.wrappingAdd(1, ordering: .relaxed).oldValue)"
  }

  /// Writes durably to the journal that files are about to get these paths, which are relative to
  /// the library's folder.
  func willPlace(_ relativePaths: [String]) throws(StoreError) {
    let lines = Data(relativePaths.map { $0 + "\n" }.joined().utf8)
    let journalPath = folder.absolute("\(path)/journal")
    try journal.withLock { descriptor throws(StoreError) in
      let written = lines.withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) }
      guard written == lines.count else { throw FileOperations.error(written < 0 ? errno : ENOSPC, journalPath) }
      try FileOperations.check(fdatasync(descriptor), journalPath)
    }
  }

  /// Clears the journal: a transaction refers to its paths, or their files are removed.
  func didSettle() throws(StoreError) {
    let journalPath = folder.absolute("\(path)/journal")
    try journal.withLock { descriptor throws(StoreError) in
      try FileOperations.check(ftruncate(descriptor, 0), journalPath)
    }
  }

  /// Clears the leftovers of ended sessions; `isNamed` returns whether the database refers to a
  /// path.
  ///
  /// Called under the commit lock: otherwise another process could be about to refer to a path that
  /// has no row yet.
  static func clearLeftovers(in folder: LibraryFolder, isNamed: (String) throws -> Bool) throws {
    for session in try folder.contents(of: "incoming") where UUID(uuidString: session) != nil {
      do { try clear("incoming/\(session)", in: folder, isNamed: isNamed) } catch let error as StoreError
        where error.code == .cannotRead || error.code == .cannotWrite
      {
        // Leftovers of another account, after an import by root, only take space, as do those whose
        // journal is too long. They must not keep the owner out.
        continue
      }
    }
  }

  private static func clear(
    _ path: String, in folder: LibraryFolder, isNamed: (String) throws -> Bool
  ) throws {
    let lock = try folder.openIfPresent("\(path)/lock", O_RDWR)
    defer { if let lock { close(lock) } }
    // A locked session is in use. One without a lock file was interrupted while it was created.
    if let lock, flock(lock, LOCK_EX | LOCK_NB) != 0 { return }
    let lines = try noted(in: "\(path)/journal", folder)
    // If any line is not this program's, nothing in the journal is trusted and nothing is removed.
    for line in lines { try folder.checkIsOriginal(line) }
    for line in lines where try !isNamed(line) { try folder.removeOriginal(line) }
    try folder.removeFolder(path)
  }

  /// In bytes: enough for a quarter of a million files in one transaction.
  private static let longestJournal = 64 << 20

  /// Returns a journal's lines without an incomplete last one: no file got its path.
  private static func noted(in journal: String, _ folder: LibraryFolder) throws(StoreError) -> [String] {
    guard let descriptor = try folder.openIfPresent(journal, O_RDONLY) else { return [] }
    let file = OpenFile(descriptor: descriptor, name: folder.absolute(journal))
    guard try file.byteCount() <= longestJournal else {
      throw StoreError(.cannotRead, folder.absolute(journal), reason: "it is longer than a journal ever is")
    }
    var bytes = Data()
    try file.forEachChunk { bytes.append(contentsOf: $0) }
    return bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false).dropLast()
      .map { String(decoding: $0, as: UTF8.self) }
  }
}

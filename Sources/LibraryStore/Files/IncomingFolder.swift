import Foundation
import Synchronization

/// The folder of files that no transaction refers to yet: `incoming/<session>/`, one for each time
/// that a process opens the library.
///
/// A file goes through four steps, and an interruption at any of them is safe:
/// 1. The file is written here, with `fsync`.
/// 2. Its later path and its hash are written to this session's `journal`, with `fsync`.
/// 3. The file is moved to that path.
/// 4. The database transaction refers to that path.
///
/// A session whose `lock` file is not locked any more has ended. The next opening clears its
/// leftovers: its own files, and the files in its journal to which no transaction refers. A
/// database from a backup may be older than the journal (`JournalNote`). Then the files of the
/// journal stay.
final class IncomingFolder: Sendable {
  /// The beginning of the names of folders in it, in which files wait that one import reads.
  static let importPrefix = "import."

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

  /// Writes durably to the journal that files are about to get these paths, or are about to be
  /// removed from them.
  func recordPaths(_ notes: [JournalNote]) throws(StoreError) {
    let lines = Data(notes.map { $0.line + "\n" }.joined().utf8)
    let journalPath = folder.absolute("\(path)/journal")
    try journal.withLock { descriptor throws(StoreError) in
      let size = lseek(descriptor, 0, SEEK_END)
      let written = lines.withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) }
      guard written == lines.count else {
        let error = FileOperations.error(written < 0 ? errno : ENOSPC, journalPath)
        // A full disk may have written part of a line. Without the cut, the next line would be
        // appended to it.
        if size >= 0 { ftruncate(descriptor, size) }
        throw error
      }
      try FileOperations.check(fdatasync(descriptor), journalPath)
    }
  }

  /// Clears the journal durably: a transaction refers to its paths, or their files are removed.
  func clearJournal() throws(StoreError) {
    let journalPath = folder.absolute("\(path)/journal")
    try journal.withLock { descriptor throws(StoreError) in
      try FileOperations.check(ftruncate(descriptor, 0), journalPath)
      try FileOperations.check(fdatasync(descriptor), journalPath)
    }
  }

  /// The leftovers of a session that has ended.
  struct EndedSession {
    /// The path of its folder, relative to the library's folder.
    let path: String
    /// The files in its journal that no transaction will refer to.
    let abandoned: [String]
    /// The files in its journal of which that is not known, since an earlier version wrote it.
    let unproven: [String]
  }

  /// Returns the sessions that have ended, and changes nothing. `isAbandoned` returns whether the
  /// file of a note may be removed.
  ///
  /// Called under the commit lock: otherwise another process could be about to refer to a path that
  /// has no row yet.
  static func endedSessions(
    in folder: LibraryFolder, isAbandoned: (JournalNote) throws -> Bool
  ) throws -> [EndedSession] {
    var ended: [EndedSession] = []
    for session in try folder.contents(of: "incoming") where UUID(uuidString: session) != nil {
      let path = "incoming/\(session)"
      try skippingOtherAccounts {
        guard try hasEnded(path, in: folder) else { return }
        let notes = try readNotes(in: "\(path)/journal", folder)
        // If a line is malformed, the session is left alone: its files only take space. They must
        // not keep the owner out, unless the library has no rows that say which files are its own.
        guard notes.allSatisfy({ (try? folder.checkIsOriginal($0.path)) != nil }) else { return }
        ended.append(
          EndedSession(
            path: path, abandoned: try notes.filter(isAbandoned).map(\.path),
            unproven: notes.filter { $0.sha256 == nil }.map(\.path)))
      }
    }
    return ended
  }

  /// Removes the abandoned files of sessions, and the folders of the sessions.
  ///
  /// Called under the same commit lock.
  static func clear(_ sessions: [EndedSession], in folder: LibraryFolder) throws {
    for session in sessions {
      try skippingOtherAccounts {
        for file in session.abandoned { try folder.removeOriginal(file) }
        for name in try folder.contents(of: session.path) where name.hasPrefix(importPrefix) {
          try folder.removeFolder("\(session.path)/\(name)")
        }
        try folder.removeFolder(session.path)
      }
    }
  }

  /// Runs `body`, and accepts leftovers of another account, after an import by root, and those
  /// whose journal is too long. They only take space, and must not keep the owner out.
  private static func skippingOtherAccounts(_ body: () throws -> Void) throws {
    do { try body() } catch let error as StoreError where error.code == .cannotRead || error.code == .cannotWrite {
      return
    }
  }

  /// In bytes: enough for a million files in one transaction.
  private static let longestJournal = 256 << 20

  private static func hasEnded(_ session: String, in folder: LibraryFolder) throws(StoreError) -> Bool {
    // A session without a lock file was interrupted while it was created.
    guard let lock = try folder.openIfPresent("\(session)/lock", O_RDWR) else { return true }
    defer { close(lock) }
    return flock(lock, LOCK_EX | LOCK_NB) == 0
  }

  /// Returns a journal's notes without an incomplete last one: no file got its path.
  private static func readNotes(in journal: String, _ folder: LibraryFolder) throws(StoreError) -> [JournalNote] {
    guard let descriptor = try folder.openIfPresent(journal, O_RDONLY) else { return [] }
    let file = OpenFile(descriptor: descriptor, name: folder.absolute(journal))
    guard try file.byteCount() <= longestJournal else {
      throw StoreError(.cannotRead, folder.absolute(journal), reason: "it is longer than a journal ever is")
    }
    var bytes = Data()
    try file.forEachChunk { bytes.append(contentsOf: $0) }
    return bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false).dropLast()
      .map { JournalNote(line: String(decoding: $0, as: UTF8.self)) }
  }
}

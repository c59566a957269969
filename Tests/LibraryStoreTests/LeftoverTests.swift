import Foundation
import GRDB
import Testing

@testable import LibraryStore

/// Tests the opening of a library after a process was killed during an import.
@Suite struct LeftoverTests {
  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func write(_ text: String, _ name: String) throws {
    let path = "\(folder.library)/originals/1970/01"
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    try text.write(toFile: "\(path)/\(name)", atomically: false, encoding: .utf8)
  }

  /// Returns the hash of a text as it is in a journal.
  private func hash(_ text: String) throws -> String {
    try ByteSource.data(Data(text.utf8)).sha256().map { String(format: "%02x", $0) }.joined()
  }

  /// Puts a database in the place of the library's own, as a user does with a backup.
  private func putBack(_ backup: String) throws {
    for suffix in ["", "-wal", "-shm"] {
      try? FileManager.default.removeItem(atPath: "\(folder.library)/library.sqlite\(suffix)")
    }
    try FileManager.default.copyItem(atPath: backup, toPath: "\(folder.library)/library.sqlite")
  }

  @Test func theFilesOfADeadSessionAreCleared() throws {
    var store: LibraryStore? = try folder.open()
    try store?.add("kept", as: "Kept.jpg")
    let moment = try "\(store?.uuid ?? "") \(store?.latestTransaction() ?? 0)"
    // Another process goes on in the meantime.
    try store?.add("later", as: "Later.jpg")
    store = nil
    try write("placed", "Lost 1.jpg")
    let notes = try [("placed", "Lost 1.jpg"), ("kept", "Kept.jpg")].map {
      "\(moment) \(try hash($0)) originals/1970/01/\($1)\n"
    }
    let session = try folder.leaveSession(journal: notes.joined() + "\(moment) \(hash("later")) originals/1970/01/La")
    try "half".write(toFile: "\(session)/1", atomically: false, encoding: .utf8)

    _ = try folder.open()

    #expect(folder.files(in: "originals") == ["1970/01/Kept.jpg", "1970/01/Later.jpg"])
    #expect(!FileManager.default.fileExists(atPath: session))
  }

  @Test func theFilesOfAFirstImportThatWasKilledAreCleared() throws {
    let uuid = try folder.open().uuid
    try write("placed", "Lost.jpg")
    try folder.leaveSession(journal: "\(uuid) 0 \(hash("placed")) originals/1970/01/Lost.jpg\n")
    _ = try folder.open()
    #expect(folder.files(in: "originals") == [])
  }

  @Test func `a session that was killed before its files got their folders is cleared`() throws {
    let uuid = try folder.open().uuid
    let session = try folder.leaveSession(journal: "\(uuid) 0 \(hash("placed")) originals/1970/01/Lost.jpg\n")
    _ = try folder.open()
    #expect(!FileManager.default.fileExists(atPath: session))
  }

  @Test func theFilesOfAFirstImportThatAnEarlierVersionBeganStay() throws {
    _ = try folder.open()
    try write("placed", "Lost.jpg")
    try folder.leaveSession(journal: "originals/1970/01/Lost.jpg\n")
    // The journal is needed until the library has rows.
    for _ in 0..<2 { _ = try folder.open() }
    try folder.open().add("kept", as: "Kept.jpg")
    _ = try folder.open()
    #expect(folder.files(in: "originals") == ["1970/01/Kept.jpg", "1970/01/Lost.jpg"])
    #expect(folder.files(in: "incoming").allSatisfy { !$0.contains("journal") })
  }

  @Test func `a journal with a malformed line removes no original, and the library opens`() throws {
    var store: LibraryStore? = try folder.open()
    try store?.add("kept", as: "Kept.jpg")
    let moment = try "\(store?.uuid ?? "") \(store?.latestTransaction() ?? 0)"
    store = nil
    try write("placed", "Lost.jpg")
    let session = try folder.leaveSession(
      journal: "\(moment) \(hash("placed")) originals/1970/01/Lost.jpg\n\(moment)\n")
    _ = try folder.open()
    // As for a repair.
    #expect(try IncomingFolder.endedSessions(in: LibraryFolder(path: folder.library)) { _ in false }.isEmpty)
    #expect(folder.files(in: "originals") == ["1970/01/Kept.jpg", "1970/01/Lost.jpg"])
    #expect(FileManager.default.fileExists(atPath: session))
  }

  @Test func `a line that a full disk cuts is not in the journal`() async {
    await #expect(processExitsWith: .success) {
      let temporary = try TemporaryFolder()
      let folder = LibraryFolder(path: temporary.library)
      try folder.makeRoot()
      let incoming = try IncomingFolder(in: folder, session: UUID())
      let notes = ["A", "B", "C"].map { name in
        JournalNote(
          .init(path: "originals/1970/01/\(name).jpg", sha256: Data(repeating: 1, count: 32)),
          at: .init(library: UUID().uuidString, transaction: 0))
      }
      try incoming.recordPaths([notes[0]])
      // A limit of the file's size cuts the next write, as a full disk does.
      let resource = __rlimit_resource_t(RLIMIT_FSIZE.rawValue)
      var limit = rlimit()
      getrlimit(resource, &limit)
      let former = limit.rlim_cur
      signal(SIGXFSZ, SIG_IGN)
      limit.rlim_cur = rlim_t(notes[0].line.utf8.count + 20)
      setrlimit(resource, &limit)
      #expect(throws: StoreError.self) { try incoming.recordPaths([notes[1]]) }
      limit.rlim_cur = former
      setrlimit(resource, &limit)
      try incoming.recordPaths([notes[2]])
      let journal = try String(contentsOfFile: folder.absolute("\(incoming.path)/journal"), encoding: .utf8)
      try #require(journal == "\(notes[0].line)\n\(notes[2].line)\n")
    }
  }

  @Test func `a noted file is hashed only if it has changed since`() throws {
    _ = try folder.open()
    try write("trash", "Trash.jpg")
    let root = LibraryFolder(path: folder.library)
    let path = "originals/1970/01/Trash.jpg"
    // With the hash of other bytes, the note is about the file only if the file is not hashed.
    let file = JournalNote.File(path: path, sha256: Data(repeating: 0, count: 32))
    let moment = JournalNote.Moment(library: UUID().uuidString, transaction: 1)
    let note = JournalNote(file, at: moment, removedFrom: root)
    #expect(JournalNote(line: note.line).path == path)
    #expect(try JournalNote(line: note.line).isAboutFile(in: root))
    try write("trash, and more", "Trash.jpg")
    #expect(try !JournalNote(line: note.line).isAboutFile(in: root))
    // At the path of a file that is about to be named, there may be another program's.
    #expect(JournalNote(file, at: moment).stamp == nil)
  }

  @Test(arguments: ["originals/1970/01/A\tB.jpg", "originals/1970/01/A\t1:2"])
  func aTabInANameIsPartOfThePath(_ path: String) throws {
    let file = JournalNote.File(path: path, sha256: Data(repeating: 0, count: 32))
    let note = JournalNote(file, at: .init(library: UUID().uuidString, transaction: 1))
    #expect(JournalNote(line: note.line).path == path)
  }

  @Test func anotherFileThatGotThePathOfANoteStays() throws {
    var store: LibraryStore? = try folder.open()
    try store?.add("kept", as: "Kept.jpg")
    let moment = try "\(store?.uuid ?? "") \(store?.latestTransaction() ?? 0)"
    store = nil
    // As after a backup of the database that is older than the file.
    try write("wedding", "Wedding.jpg")
    try folder.leaveSession(journal: "\(moment) \(hash("placed")) originals/1970/01/Wedding.jpg\n")
    _ = try folder.open()
    #expect(folder.files(in: "originals") == ["1970/01/Kept.jpg", "1970/01/Wedding.jpg"])
  }

  @Test func theJournalOfARunningCommitNamesTheLibraryAndItsLatestTransaction() throws {
    let store = try folder.open()
    try store.add("one")
    let staged = try store.stage(.data(Data("two".utf8)))
    let placement = Placement(
      staged: staged, originalFilename: "B.jpg", creationDate: Date(timeIntervalSince1970: 0), timeZoneOffset: 0)
    let journal = (staged.path as NSString).deletingLastPathComponent + "/journal"
    let lines = try store.commit(placing: [placement]) { _ in try String(contentsOfFile: journal, encoding: .utf8) }
    let hash = try hash("two")
    #expect(lines == "\(store.uuid) 1 \(hash) originals/1970/01/B.jpg\n")
    #expect(try String(contentsOfFile: journal, encoding: .utf8) == "")
  }

  @Test func aBackupThatIsOlderThanAJournalRemovesNoOriginal() throws {
    let backup = "\(folder.path)/backup.sqlite"
    var store: LibraryStore? = try folder.open()
    try store?.add("one", as: "One.jpg")
    try store?.database.pool.writeWithoutTransaction { _ = try $0.checkpoint(.truncate) }
    store = nil
    try FileManager.default.copyItem(atPath: "\(folder.library)/library.sqlite", toPath: backup)
    store = try folder.open()
    try store?.add("two", as: "Two.jpg")
    let moment = try "\(store?.uuid ?? "") \(store?.latestTransaction() ?? 0)"
    try store?.add("wedding", as: "Wedding.jpg")
    store = nil
    let session = try folder.leaveSession(journal: "\(moment) \(hash("wedding")) originals/1970/01/Wedding.jpg\n")
    try putBack(backup)

    _ = try folder.open()

    #expect(folder.files(in: "originals") == ["1970/01/One.jpg", "1970/01/Two.jpg", "1970/01/Wedding.jpg"])
    #expect(!FileManager.default.fileExists(atPath: session))
  }

  @Test(
    "A journal of another database, or of an earlier version, removes no original",
    arguments: ["\(UUID().uuidString) 0 ", ""], [true, false])
  func foreignJournal(_ moment: String, hasHash: Bool) throws {
    try folder.open().add("kept", as: "Kept.jpg")
    try write("wedding", "My 2 weddings.jpg")
    let noted = try hasHash && !moment.isEmpty ? hash("wedding") + " " : ""
    try folder.leaveSession(journal: "\(moment)\(noted)originals/1970/01/My 2 weddings.jpg\n")
    _ = try folder.open()
    #expect(folder.files(in: "originals") == ["1970/01/Kept.jpg", "1970/01/My 2 weddings.jpg"])
  }

  @Test("A library that has lost its rows is refused before any leftover is cleared", arguments: [true, false])
  func emptyDatabase(_ isOwn: Bool) throws {
    let uuid = try folder.open().uuid
    try write("one", "One.jpg")
    try write("two", "Two.jpg")
    let session = try folder.leaveSession(
      journal: "\(isOwn ? uuid : UUID().uuidString) 0 \(hash("one")) originals/1970/01/One.jpg\n")
    let error = #expect(throws: StoreError.self) { try folder.open() }
    #expect(error?.code == .damaged)
    #expect(folder.files(in: "originals") == ["1970/01/One.jpg", "1970/01/Two.jpg"])
    #expect(FileManager.default.fileExists(atPath: session))
  }
}

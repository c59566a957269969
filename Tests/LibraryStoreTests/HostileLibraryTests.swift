import Foundation
import GRDB
import Synchronization
import Testing

@testable import LibraryStore

/// Tests libraries that another person made, and links from them to files outside.
@Suite struct HostileLibraryTests {
  let folder: TemporaryFolder
  /// A folder outside the library, with one file.
  private let home: String

  init() throws {
    folder = try TemporaryFolder()
    home = "\(folder.path)/home"
    try FileManager.default.createDirectory(atPath: home, withIntermediateDirectories: true)
    try "precious".write(toFile: "\(home)/letter.txt", atomically: false, encoding: .utf8)
    try folder.open().add("one", as: "A.jpg")
  }

  /// Returns the names in the folder outside the library, and the content of its original file.
  private func outside() -> [String] {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: home)) ?? []
    return names.sorted() + [(try? String(contentsOfFile: "\(home)/letter.txt", encoding: .utf8)) ?? "gone"]
  }

  private let untouched = ["letter.txt", "precious"]

  /// Runs a statement on the library's database.
  private func tamper(_ sql: String) throws {
    let queue = try DatabaseQueue(path: "\(folder.library)/library.sqlite")
    try queue.write { try $0.execute(sql: sql) }
    try queue.close()
  }

  /// Replaces the file or folder at a path of the library with a link.
  private func link(_ name: String, to target: String) throws {
    try? FileManager.default.removeItem(atPath: "\(folder.library)/\(name)")
    try FileManager.default.createSymbolicLink(atPath: "\(folder.library)/\(name)", withDestinationPath: target)
  }

  private func expectDamaged(_ error: StoreError?, _ comment: Comment? = nil) {
    #expect(error?.code == .damaged, comment)
    #expect(outside() == untouched, comment)
  }

  @Test(arguments: [
    "../home/letter.txt", "originals/../../home/letter.txt", "originals/./1970", "originals//1970", "/etc/hostname",
    "library.sqlite", "", "originals/1970\0/../../../home/letter.txt",
  ])
  func aJournalThatNamesWhatIsNoOriginalDeletesNothing(_ line: String) throws {
    let uuid = try folder.open().uuid
    let session = try folder.leaveSession(journal: "\(uuid) 0 originals/1970/01/A.jpg\n\(uuid) 0 \(line)\n")
    #expect(try folder.open().fetch(FetchQuery(.assets)).ids.count == 1)
    #expect(outside() == untouched)
    #expect(folder.files(in: "originals") == ["1970/01/A.jpg"])
    #expect(FileManager.default.fileExists(atPath: session))
  }

  @Test(arguments: ["DELETE", "WAL"])
  func anotherProgramsDatabaseAndTheFilesBesideItStayAsTheyAre(_ journalMode: String) throws {
    let music = "\(folder.path)/Music"
    try FileManager.default.createDirectory(atPath: music, withIntermediateDirectories: true)
    let queue = try DatabaseQueue(path: "\(music)/library.sqlite")
    try queue.writeWithoutTransaction { try $0.execute(sql: "PRAGMA journal_mode = \(journalMode)") }
    try queue.write { try $0.execute(sql: "CREATE TABLE song (title TEXT)") }
    try queue.close()
    chmod(music, 0o755)
    let before = try Data(contentsOf: URL(fileURLWithPath: "\(music)/library.sqlite"))
    for create in [false, true] {
      let error = #expect(throws: StoreError.self) { try LibraryStore(path: music, create: create) }
      #expect(error?.code == .notALibrary)
    }
    #expect(try Data(contentsOf: URL(fileURLWithPath: "\(music)/library.sqlite")) == before)
    #expect(try FileManager.default.contentsOfDirectory(atPath: music) == ["library.sqlite"])
    let mode = try FileManager.default.attributesOfItem(atPath: music)[.posixPermissions] as? Int
    #expect(mode == 0o755)
  }

  /// Gives a file of the library a second name in the other folder, and returns that. A missing
  /// file is made.
  private func hardLink(_ name: String) throws -> String {
    let (file, other) = ("\(folder.library)/\(name)", "\(home)/other")
    if !FileManager.default.fileExists(atPath: file) { try Data("precious".utf8).write(to: URL(fileURLWithPath: file)) }
    try FileManager.default.linkItem(atPath: file, toPath: other)
    chmod(other, 0o644)
    return other
  }

  private struct Content: Equatable {
    var bytes: Data
    var mode: Int?

    init(_ path: String) throws {
      bytes = try Data(contentsOf: URL(fileURLWithPath: path))
      mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
    }
  }

  @Test(arguments: [
    "library.sqlite", "library.sqlite-wal", "library.sqlite-shm", "library.sqlite-journal", "renditions.sqlite",
    "renditions.sqlite-wal", "renditions.sqlite-shm", "incoming/commits", "incoming/commit.lock", "incoming/reserve",
  ])
  func aLibraryWithAHardLinkIsReadOnlyAndTheOtherNamesFileStays(_ name: String) throws {
    let other = try hardLink(name)
    let before = try Content(other)
    do {
      let store = try folder.open()
      #expect(store.readOnlyReason?.hasPrefix("its file \(name) has a second name elsewhere") == true)
      #expect(try store.fetch(FetchQuery(.assets)).ids.count == 1)
    }
    #expect(try Content(other) == before)
  }

  @Test func noLibraryIsMadeAroundAHardLink() throws {
    let other = try hardLink("incoming/reserve")
    let before = try Content(other)
    for name in try FileManager.default.contentsOfDirectory(atPath: folder.library) where name != "incoming" {
      try FileManager.default.removeItem(atPath: "\(folder.library)/\(name)")
    }
    #expect(#expect(throws: StoreError.self) { try folder.open() }?.code == .readOnly)
    #expect(try Content(other) == before)
  }

  @Test func noLibraryIsRepairedAroundAHardLink() throws {
    let other = try hardLink("incoming/commit.lock")
    let before = try Content(other)
    let error = #expect(throws: StoreError.self) {
      try LibraryStore(path: folder.library, create: false, isRepairing: true)
    }
    #expect(error?.code == .readOnly)
    #expect(try Content(other) == before)
  }

  @Test func restrictingALibraryLeavesTheModeOfAFileWithASecondName() throws {
    let other = try hardLink("originals/1970/01/A.jpg")
    chmod(folder.library, 0o755)
    _ = try folder.open()
    #expect(try Content(other).mode == 0o644)
    #expect(try Content("\(folder.library)/library.sqlite").mode == 0o600)
  }

  /// The file has no blocks, but as many bytes as no memory holds.
  @Test func aJournalThatIsTooLongIsNotRead() async throws {
    let session = "\(folder.library)/incoming/\(UUID().uuidString)"
    try FileManager.default.createDirectory(atPath: session, withIntermediateDirectories: true)
    try Data().write(to: URL(fileURLWithPath: "\(session)/journal"))
    try #require(truncate("\(session)/journal", 1 << 40) == 0)
    let count = try await onOwnThread("the opening") { [folder] in
      try folder.open().fetch(FetchQuery(.assets)).ids.count
    }
    #expect(count == 1)
  }

  @Test func aJournalThatNamesAFileBehindALinkDeletesNothing() throws {
    try folder.leaveSession(
      journal: "\(try folder.open().uuid) 0 \(String(repeating: "0", count: 64)) originals/2019/letter.txt\n")
    try link("originals/2019", to: home)
    expectDamaged(#expect(throws: StoreError.self) { try folder.open() })
  }

  @Test func aSessionThatIsALinkIsNotEmptied() throws {
    try link("incoming/\(UUID().uuidString)", to: home)
    expectDamaged(#expect(throws: StoreError.self) { try folder.open() })
  }

  @Test(arguments: [
    "library.sqlite", "library.sqlite-wal", "library.sqlite-journal", "renditions.sqlite", "renditions.sqlite-shm",
    "incoming/commit.lock", "incoming/commits",
  ])
  func aFileThatIsALinkIsNotOpened(_ name: String) throws {
    try link(name, to: "\(home)/letter.txt")
    expectDamaged(#expect(throws: StoreError.self) { try folder.open() })
  }

  @Test(arguments: ["originals", "adjustments", "renditions", "incoming"])
  func aFolderThatIsALinkIsNotUsed(_ name: String) throws {
    try link(name, to: home)
    expectDamaged(#expect(throws: StoreError.self) { try folder.open() })
  }

  @Test(arguments: ["incoming/commit.lock", "incoming/commits", "library.sqlite"])
  func aPipeInTheFilesPlaceKeepsNobodyWaiting(_ name: String) async throws {
    let path = "\(folder.library)/\(name)"
    unlink(path)
    try #require(mkfifo(path, 0o600) == 0)
    let error = await #expect(throws: StoreError.self) {
      try await onOwnThread("the opening") { [folder] in _ = try folder.open() }
    }
    expectDamaged(error)
  }

  @Test func aLibraryBelowALinkIsOpened() throws {
    let link = "\(folder.path)/Link.calotype"
    try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: folder.library)
    #expect(try LibraryStore(path: link, create: false).fetch(FetchQuery(.assets)).ids.count == 1)
  }

  @Test(arguments: [
    "../home/letter.txt", "originals/../../home/letter.txt", "library.sqlite", "originals/2019/letter.txt",
  ])
  func anOriginalElsewhereIsNotRead(_ path: String) throws {
    try link("originals/2019", to: home)
    try tamper("UPDATE original SET path = '\(path)'")
    let store = try folder.open()
    let resource = try #require(try store.resources(assetIDs: store.fetch(FetchQuery(.assets)).ids).values.first?.first)
    expectDamaged(#expect(throws: StoreError.self) { try store.originals.url(of: resource) })
    expectDamaged(#expect(throws: StoreError.self) { _ = try store.originals.open(resource) })
    let copy = "\(folder.path)/copy"
    expectDamaged(#expect(throws: StoreError.self) { try store.copyOriginal(of: resource, to: copy) })
    #expect(!FileManager.default.fileExists(atPath: copy))
    let found = Mutex<[VerificationFinding]>([])
    try store.verify(
      isCancelled: { false }, progress: { _ in }, found: { finding in found.withLock { $0.append(finding) } })
    let isTold = found.withLock { $0 }.contains { if case .cannotRead(path, _) = $0 { true } else { false } }
    #expect(isTold)
  }

  /// SQL that moves all assets to the trash long ago, with a last clock reading two days ago.
  private static let expiredTrash = """
    UPDATE asset SET trashed_date = 1, visibility = 4;
    UPDATE library SET trash_read_date = strftime('%s', 'now') - 172800.0;
    """

  @Test func anOriginalElsewhereIsNotDeletedFromTheTrash() throws {
    try tamper("UPDATE original SET path = '../home/letter.txt'; \(Self.expiredTrash)")
    let store = try folder.open()
    expectDamaged(#expect(throws: StoreError.self) { try store.emptyExpiredTrash() })
    #expect(try store.database.pool.read { try Int.fetchOne($0, sql: "SELECT COUNT(*) FROM asset") } == 1)
  }

  @Test func anOriginalBehindALinkIsNotDeletedFromTheTrash() throws {
    try link("originals/2019", to: home)
    try tamper("UPDATE original SET path = 'originals/2019/letter.txt'; \(Self.expiredTrash)")
    try? folder.open().emptyExpiredTrash()
    #expect(outside() == untouched)
  }

  @Test func anErrorOfTheFileSystemIsNotTakenForDamage() throws {
    let store = try folder.open()
    // The system refuses to move a folder into itself with EINVAL, as FAT refuses names.
    let error = #expect(throws: StoreError.self) {
      try store.folder.replace("originals/itself", with: "originals")
    }
    #expect(error?.code == .cannotWrite)
    #expect(error?.file == "\(folder.library)/originals/itself")
    #expect(error?.reason.hasPrefix("its disk refuses it (Invalid argument)") == true)
  }

  @Test func anOriginalIsNotWrittenBehindALink() throws {
    try link("originals/2019", to: home)
    let store = try folder.open()
    expectDamaged(
      #expect(throws: StoreError.self) { try store.add("two", date: Date(timeIntervalSince1970: 1_551_690_000)) })
  }

  @Test func aRenditionThatIsALinkIsNeitherReadNorWritten() throws {
    let store = try folder.open()
    let asset = UUID().uuidString
    try link("renditions/\(asset)-1-full", to: "\(home)/letter.txt")
    expectDamaged(
      #expect(throws: StoreError.self) { try store.renditions.file(uuid: asset, version: "1", name: "full") })
    // The file is written under a new name and then replaces the link.
    try store.renditions.write(Data("picture".utf8), to: "\(folder.library)/renditions/\(asset)-1-full")
    #expect(outside() == untouched)
    let path = try store.renditions.file(uuid: asset, version: "1", name: "full")
    #expect(try String(contentsOfFile: path, encoding: .utf8) == "picture")
    store.renditions.remove([asset])
    #expect(folder.files(in: "renditions") == [])
  }

  @Test(
    "A planted trigger, view or column ends the opening, before it runs",
    arguments: [
      "CREATE TRIGGER planted AFTER UPDATE ON asset BEGIN \(endless); END",
      "CREATE TRIGGER planted AFTER INSERT ON history_transaction BEGIN DELETE FROM asset; END",
      "CREATE VIEW planted AS \(endless)", "CREATE VIRTUAL TABLE planted USING fts5 (text)",
      "CREATE INDEX planted ON asset (hex(zeroblob(rating)))",
      "CREATE UNIQUE INDEX planted ON asset (rating)",
      "ALTER TABLE original RENAME TO planted; CREATE VIEW original AS \(endless)",
      "DROP TABLE grdb_migrations; CREATE VIEW grdb_migrations AS \(endless)",
      "ALTER TABLE asset ADD COLUMN planted TEXT AS (hex(zeroblob(1 << 30)))", "DROP TRIGGER asset_tally_insert",
    ])
  func planted(_ sql: String) async throws {
    try tamper(sql)
    let error = await #expect(throws: StoreError.self) {
      try await onOwnThread("the opening") { [folder] in _ = try folder.open() }
    }
    #expect(error?.code == .damaged)
    #expect(error?.isAboutDatabase == true)
    #expect(error?.reason.hasPrefix("the database is not as Calotype makes it: ") == true, "\(error?.reason ?? "")")
  }

  /// A statement without an end.
  private static let endless = "WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT max(i) FROM n"

  @Test(
    "A difference that does no harm is accepted",
    arguments: [
      "ANALYZE", "CREATE INDEX mine ON asset (rating, creation_date)", "DROP INDEX asset_by_local_date",
      """
      PRAGMA writable_schema = ON;
      UPDATE sqlite_schema SET sql = replace(sql, 'CREATE TABLE asset (', 'CREATE TABLE asset ( -- a former comment''s
        ') WHERE name = 'asset';
      """,
    ])
  func harmless(_ sql: String) throws {
    try tamper(sql)
    #expect(try folder.open().fetch(FetchQuery(.assets)).ids.count == 1)
  }

  @Test(
    "A comment ends where SQLite ends it, and hides nothing",
    arguments: ["-- \r\n UPDATE asset SET rating = 5; \n", "/* \n */ UPDATE asset SET rating = 5; -- */ \n"])
  func comments(_ hidden: String) throws {
    try tamper(
      """
      PRAGMA writable_schema = ON;
      UPDATE sqlite_schema SET sql = replace(sql, 'BEGIN', 'BEGIN \(hidden)') WHERE name = 'asset_tally_insert';
      """)
    let error = #expect(throws: StoreError.self) { _ = try folder.open() }
    #expect(error?.reason.contains("its trigger “asset_tally_insert” is not one that Calotype made") == true)
  }

  private func addComment(_ text: String) throws {
    try tamper(
      """
      PRAGMA writable_schema = ON;
      UPDATE sqlite_schema SET sql = replace(sql, 'BEGIN', 'BEGIN -- a' || \(text) || 'b' || char(10))
        WHERE name = 'asset_tally_insert';
      """)
  }

  @Test(arguments: ["char(13)", "char(0x85)", "char(0x2028)"])
  func `a comment goes on until a line feed`(text: String) throws {
    try addComment(text)
    #expect(try folder.open().fetch(FetchQuery(.assets)).ids.count == 1)
  }

  @Test func `a statement with a zero is refused`() throws {
    try addComment("char(0)")
    #expect(#expect(throws: StoreError.self) { try folder.open() }?.code == .damaged)
  }

  @Test func `a comment in a text hides nothing`() throws {
    try tamper(
      """
      PRAGMA writable_schema = ON;
      UPDATE sqlite_schema SET sql = replace(sql, 'rating INTEGER NOT NULL DEFAULT 0',
        'rating TEXT DEFAULT ''--'' CHECK (length(randomblob(1000)) > 0)') WHERE name = 'asset';
      """)
    #expect(#expect(throws: StoreError.self) { try folder.open() }?.code == .damaged)
  }

  private static let later = "INSERT INTO grdb_migrations VALUES ('1000: of a later version');"

  @Test(
    "Pictures beside something planted are made again",
    arguments: [
      "CREATE TRIGGER planted AFTER INSERT ON picture BEGIN \(endless); END",
      "\(later) CREATE TRIGGER planted AFTER INSERT ON picture BEGIN \(endless); END",
      "\(later) CREATE VIEW planted AS \(endless)",
      "\(later) ALTER TABLE picture ADD COLUMN planted TEXT AS (hex(zeroblob(10)))",
      "\(later) ALTER TABLE picture ADD COLUMN planted TEXT CHECK (length(hex(zeroblob(10))) > 0)",
      "\(later) CREATE TABLE planted (a, CHECK (hex(zeroblob(10)) > 0))",
      "\(later) CREATE TABLE planted (a DEFAULT (hex(zeroblob(10))))",
      "\(later) CREATE INDEX planted ON picture (hex(zeroblob(10)))",
      "\(later) create virtual table planted using fts5 (text)",
    ])
  func plantedPictures(change: String) throws {
    let picture = RenditionStore.Picture(
      kind: "grid", pixelWidth: 1, pixelHeight: 1, uniformTypeIdentifier: "public.jpeg", data: Data([1]))
    let entry = RenditionStore.Entry(uuid: "A", version: "1", pictures: [picture], placeholder: nil)
    do { try folder.open().renditions.store([entry]) }
    let queue = try DatabaseQueue(path: "\(folder.library)/renditions.sqlite")
    try queue.write {
      try $0.execute(sql: change)
    }
    try queue.close()
    let store = try folder.open()
    #expect(try store.renditions.picture(uuid: "A", kind: "grid", version: "1") == nil)
    try store.renditions.store([entry])
    #expect(try store.renditions.picture(uuid: "A", kind: "grid", version: "1") != nil)
  }

  @Test func `pictures of a later version are used if it only adds tables`() throws {
    let picture = RenditionStore.Picture(
      kind: "grid", pixelWidth: 1, pixelHeight: 1, uniformTypeIdentifier: "public.jpeg", data: Data([1]))
    do { try folder.open().renditions.store([.init(uuid: "A", version: "1", pictures: [picture], placeholder: nil)]) }
    let queue = try DatabaseQueue(path: "\(folder.library)/renditions.sqlite")
    try queue.write {
      try $0.execute(sql: Self.later)
      try $0.execute(sql: "CREATE TABLE face (uuid TEXT NOT NULL PRIMARY KEY, x REAL DEFAULT 0) WITHOUT ROWID")
      try $0.execute(sql: "CREATE INDEX face_by_place ON face (x)")
    }
    try queue.close()
    #expect(try folder.open().renditions.picture(uuid: "A", kind: "grid", version: "1") != nil)
  }

  @Test(arguments: ["library.sqlite", "renditions.sqlite"])
  func aRollbackJournalThatNamesAnotherFileDoesNotReachSQLite(_ database: String) throws {
    let journal = try RollbackJournal(of: "\(folder.library)/\(database)", deleting: "\(home)/letter.txt")
    try journal.bytes.write(to: URL(fileURLWithPath: "\(folder.library)/\(database)-journal"))
    expectDamaged(#expect(throws: StoreError.self) { try folder.open() })
  }
}

/// A journal that SQLite rolls back when it opens the database, and that makes it delete another
/// file afterward.
private struct RollbackJournal {
  let bytes: Data

  init(of database: String, deleting file: String) throws {
    let pageSize = 4096
    let pages = try Data(contentsOf: URL(fileURLWithPath: database)).count / pageSize
    let magic = Data([0xD9, 0xD5, 0x05, 0xF9, 0x20, 0xA1, 0x63, 0xD7])
    func number(_ value: UInt32) -> Data { withUnsafeBytes(of: value.bigEndian) { Data($0) } }
    let header = magic + [0, 0x1234, UInt32(pages), 512, UInt32(pageSize)].flatMap(number)
    let name = Data(file.utf8)
    let sum = name.reduce(UInt32(0)) { $0 &+ UInt32(bitPattern: Int32(Int8(bitPattern: $1))) }
    bytes =
      header + Data(count: 512 - header.count) + number(UInt32((1 << 30) / pageSize + 1)) + name
      + number(UInt32(name.count)) + number(sum) + magic
  }
}

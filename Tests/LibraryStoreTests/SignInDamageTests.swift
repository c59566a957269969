import Essentials
import Foundation
import GRDB
import Testing

@testable import LibraryStore

@Suite struct SignInDamageTests {
  let folder: TemporaryFolder
  let store: LibraryStore
  /// The path of the file about signing in.
  let path: String

  init() throws {
    folder = try TemporaryFolder()
    store = try folder.open()
    path = try store.signInDatabase.path
    try #require(try store.signIn.setPasswordHash("hash", of: store.signIn.owner().id, replacing: nil))
  }

  private static let garbage = Data(repeating: 0x5A, count: 40_000)

  private func damage() throws { try Self.garbage.write(to: URL(fileURLWithPath: path), options: []) }

  private func contents(_ path: String) -> Data? { FileManager.default.contents(atPath: path) }

  /// Overwrites the page at which an index begins.
  private func damageIndex() throws {
    let (page, size) = try DatabaseQueue(path: path).read { db in
      (
        try Int.fetchOne(db, sql: "SELECT rootpage FROM sqlite_schema WHERE name = 'sign_in_failure_by_date'"),
        try Int.fetchOne(db, sql: "PRAGMA page_size")
      )
    }
    let file = try FileHandle(forWritingTo: URL(fileURLWithPath: path))
    try file.seek(toOffset: UInt64((try #require(page) - 1) * #require(size)))
    try file.write(contentsOf: Self.garbage.prefix(try #require(size)))
    try file.close()
  }

  @Test func `a damaged file is renamed, and a new one is made`() throws {
    try damage()
    let kept = try #require(try folder.open().signIn.setAsideDamagedFile())
    #expect(kept == path.replacing(".sqlite", with: ".damaged-1.sqlite"))
    #expect(contents(kept) == Self.garbage)
    #expect(try folder.open().signIn.owner().passwordHash == nil)
    #expect(try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int == 0o600)
  }

  @Test(arguments: ["-journal", "-shm"])
  func `the files of SQLite beside a damaged file are renamed with it`(suffix: String) throws {
    try damage()
    // SQLite keeps a journal that begins with zeros.
    let beside = Data(count: 1_024) + Data("beside".utf8)
    try beside.write(to: URL(fileURLWithPath: path + suffix))
    let kept = try #require(try folder.open().signIn.setAsideDamagedFile())
    #expect(contents(kept + suffix) == beside)
    #expect(contents(path + suffix) == nil)
  }

  @Test func `a file that is damaged where only failures are listed is renamed`() throws {
    try damageIndex()
    #expect(try folder.open().signIn.owner().passwordHash == "hash")
    #expect(try folder.open().signIn.setAsideDamagedFile() != nil)
    #expect(try folder.open().signIn.owner().passwordHash == nil)
  }

  @Test func `the second damaged file gets another name`() throws {
    for number in 1...2 {
      try damage()
      let kept = try #require(try folder.open().signIn.setAsideDamagedFile())
      #expect(kept.hasSuffix(".damaged-\(number).sqlite"))
      #expect(contents(kept) == Self.garbage)
      _ = try folder.open().signIn.owner()
    }
  }

  @Test func `a journal that was kept alone is not overwritten`() throws {
    let earlier = path.replacing(".sqlite", with: ".damaged-1.sqlite-journal")
    try Data("earlier".utf8).write(to: URL(fileURLWithPath: earlier))
    try damage()
    #expect(try folder.open().signIn.setAsideDamagedFile()?.hasSuffix(".damaged-2.sqlite") == true)
    #expect(contents(earlier) == Data("earlier".utf8))
  }

  @Test func `a whole file is left alone`() throws {
    #expect(try folder.open().signIn.setAsideDamagedFile() == nil)
    #expect(try folder.open().signIn.owner().passwordHash == "hash")
  }

  @Test func `a file of a later version is left alone`() throws {
    try store.signInDatabase.write { try $0.execute("INSERT INTO grdb_migrations VALUES ('99: later')") }
    #expect(try folder.open().signIn.setAsideDamagedFile() == nil)
    #expect(throws: StoreError.self) { try folder.open().signIn.owner() }
  }

  @Test func `a locked file is left alone`() throws {
    let other = try DatabaseQueue(path: path)
    try other.inTransaction(.exclusive) { _ in
      let error = #expect(throws: StoreError.self) { try SignInDatabase.setAsideIfDamaged(path, patience: 0.1) }
      #expect(error?.code == .busy)
      return .rollback
    }
    #expect(try folder.open().signIn.owner().passwordHash == "hash")
  }

  @Test func `a folder in the place of the file is left alone`() throws {
    try FileManager.default.removeItem(atPath: path)
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
    let error = #expect(throws: StoreError.self) { try folder.open().signIn.setAsideDamagedFile() }
    #expect(error?.description.hasPrefix(path) == true)
    #expect(error?.description.contains("password reset") == false)
    #expect(FileManager.default.fileExists(atPath: path))
  }

  @Test func `a file is renamed by one process at a time`() throws {
    try damage()
    try SignInFile.withLock(onFolderOf: path) {
      let error = #expect(throws: StoreError.self) { try SignInDatabase.setAsideIfDamaged(path, patience: 0.1) }
      #expect(error?.code == .busy)
    }
    #expect(contents(path) == Self.garbage)
  }

  @Test func `the error about a damaged file names it, and the command that heals it`() throws {
    try damage()
    let error = #expect(throws: StoreError.self) { try folder.open().signIn.owner() }
    #expect(error?.code == .damaged)
    #expect(
      error?.description == """
        \(path): the file is damaged (file is not a database); \
        `calotype password reset` puts the file aside and makes a new one
        """)
  }

  @Test func `an open library goes on with the new file`() throws {
    try damage()
    _ = try folder.open().signIn.setAsideDamagedFile()
    #expect(try store.signIn.owner().passwordHash == nil)
    #expect(try store.signIn.setPasswordHash("new", of: store.signIn.owner().id, replacing: nil))
    #expect(try folder.open().signIn.owner().passwordHash == "new")
  }
}

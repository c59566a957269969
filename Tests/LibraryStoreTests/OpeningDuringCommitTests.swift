import Foundation
import GRDB
import Testing

@testable import LibraryStore

/// Tests the opening of a library while a commit of another process goes on, which may never end.
@Suite struct OpeningDuringCommitTests {
  let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
    try folder.open().add("one", as: "A.jpg")
  }

  /// Holds the lock of commits, as another process does.
  private func holdLock() throws -> Int32 {
    let lock = open("\(folder.library)/incoming/commit.lock", O_RDWR | O_CLOEXEC)
    try #require(flock(lock, LOCK_EX | LOCK_NB) == 0)
    return lock
  }

  @Test func `a reader waits for no commit`() async throws {
    let lock = try holdLock()
    defer { close(lock) }
    let count = try await onOwnThread("the opening") { [folder] in
      let store = try folder.open()
      try? store.emptyExpiredTrash()
      return try store.fetch(FetchQuery(.assets)).ids.count
    }
    #expect(count == 1)
  }

  @Test func `leftovers stay until an opening has the lock`() throws {
    let session = try folder.leaveSession(journal: "")
    let lock = try holdLock()
    _ = try folder.open()
    #expect(FileManager.default.fileExists(atPath: session))
    close(lock)
    _ = try folder.open()
    #expect(!FileManager.default.fileExists(atPath: session))
  }

  @Test func `a change through a library that was opened meanwhile is kept`() throws {
    let lock = try holdLock()
    let store = try folder.open()
    close(lock)
    try store.add("two", as: "B.jpg")
    #expect(try folder.open().fetch(FetchQuery(.assets)).ids.count == 2)
  }

  @Test func `the trash is not emptied during a commit`() throws {
    let store = try folder.open()
    try store.database.write {
      try $0.run(script: "UPDATE asset SET trashed_date = 1, visibility = 4; UPDATE library SET trash_read_date = 1")
    }
    let lock = try holdLock()
    #expect(#expect(throws: StoreError.self) { try store.emptyExpiredTrash() }?.code == .busy)
    close(lock)
    try store.emptyExpiredTrash()
  }

  /// Returns whether the library can be opened without the lock.
  private func canOpen() throws -> Bool {
    let library = LibraryFolder(path: folder.library)
    let writing = LibraryStore.Writing(commits: try CommitLock(in: library), signal: try CommitSignal(in: library))
    return try LibraryStore.openDuringCommit(library, writing) != nil
  }

  private func tamper(_ database: String, _ sql: String) throws {
    let queue = try DatabaseQueue(path: "\(folder.library)/\(database)")
    try queue.write { try $0.execute(sql: sql) }
    try queue.close()
  }

  @Test func `a whole library of this version needs no lock`() throws { #expect(try canOpen()) }

  @Test func `a repair has to end first`() throws {
    try FileManager.default.createDirectory(atPath: "\(folder.library)/repair", withIntermediateDirectories: true)
    #expect(try !canOpen())
  }

  @Test func `an earlier version waits for its migration`() throws {
    try tamper("library.sqlite", "DELETE FROM grdb_migrations WHERE identifier LIKE '17:%'")
    #expect(try !canOpen())
  }

  @Test(arguments: [false, true])
  func `files without rows may belong to a first import`(hasFiles: Bool) throws {
    let empty = try TemporaryFolder()
    _ = try empty.open()
    let library = LibraryFolder(path: empty.library)
    if hasFiles {
      for name in ["originals/2019", "originals/2019/03"] { try library.makeFolder(name) }
      try Data("one".utf8).write(to: URL(fileURLWithPath: library.absolute("originals/2019/03/A.jpg")))
    }
    let writing = LibraryStore.Writing(commits: try CommitLock(in: library), signal: try CommitSignal(in: library))
    #expect(try (LibraryStore.openDuringCommit(library, writing) == nil) == hasFiles)
  }

  @Test(arguments: ["DROP TABLE picture", "CREATE VIEW planted AS SELECT 1"])
  func `pictures are replaced under the lock alone`(sql: String) throws {
    try tamper("renditions.sqlite", sql)
    #expect(try !canOpen())
    let hasPlaceholders = try DatabaseQueue(path: "\(folder.library)/renditions.sqlite").read {
      try $0.tableExists("placeholder")
    }
    #expect(hasPlaceholders)
  }
}

import Foundation
import Testing

@testable import LibraryStore

@Suite struct CommitLockTests {
  let folder: TemporaryFolder
  let lock: CommitLock

  init() throws {
    folder = try TemporaryFolder()
    try FileManager.default.createDirectory(atPath: folder.library, withIntermediateDirectories: true)
    lock = try CommitLock(in: LibraryFolder(path: folder.library))
  }

  @Test func `the wait for another process's commit has an end, which names the process`() throws {
    let other = open("\(folder.library)/incoming/commit.lock", O_RDWR | O_CLOEXEC)
    try #require(flock(other, LOCK_EX) == 0)
    let error = #expect(throws: StoreError.self) { try lock.lock(patience: 0) }
    #expect(error?.code == .busy)
    #expect(error?.reason.hasPrefix("process \(getpid()) (") == true, "\(error?.reason ?? "")")
    close(other)
    try lock.lock()
    lock.unlock()
  }

  @Test func `the wait for another thread's commit has an end`() throws {
    try lock.lock()
    #expect(#expect(throws: StoreError.self) { try lock.lock(patience: 0) }?.code == .busy)
    lock.unlock()
    try lock.lock()
    lock.unlock()
  }

  @Test func `a copy of the database waits for another process's commit, with an end`() throws {
    let other = open("\(folder.library)/incoming/commit.lock", O_RDWR | O_CLOEXEC)
    defer { close(other) }
    try #require(flock(other, LOCK_EX) == 0)
    let error = #expect(throws: StoreError.self) {
      try ScratchFolder(copyingDatabaseOf: LibraryFolder(path: folder.library), patience: 0)
    }
    #expect(error?.code == .busy)
  }

  @Test func `a server begins although another process keeps the lock of servers`() throws {
    let store = try folder.open()
    let other = open("\(folder.library)/incoming/serve.lock", O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
    defer { close(other) }
    try #require(flock(other, LOCK_EX) == 0)
    let server = try store.announceServer(patience: 0)
    withExtendedLifetime(server) {}
  }
}

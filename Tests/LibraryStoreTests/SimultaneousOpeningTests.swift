import Dispatch
import Foundation
import Synchronization
import Testing

@testable import LibraryStore

@Suite struct SimultaneousOpeningTests {
  @Test func aLibraryThatSeveralMakeAtOnceIsOne() throws {
    for _ in 0..<20 {
      let folder = try TemporaryFolder()
      let found = Mutex<(uuids: Set<String>, errors: [String])>(([], []))
      DispatchQueue.concurrentPerform(iterations: 4) { _ in
        do {
          let store = try LibraryStore(path: folder.library, create: true)
          _ = found.withLock { $0.uuids.insert(store.uuid) }
        } catch { found.withLock { $0.errors.append("\(error)") } }
      }
      #expect(found.withLock { $0.errors } == [])
      #expect(found.withLock { $0.uuids.count } == 1)
    }
  }

  @Test(
    "A library that another process is making is not taken for a person's files",
    arguments: [
      ["incoming"], ["incoming", "library.sqlite-journal"], ["library.sqlite", "library.sqlite-wal", "originals"],
    ])
  func halfMade(names: [String]) throws {
    let folder = try TemporaryFolder()
    try FileManager.default.createDirectory(atPath: folder.library, withIntermediateDirectories: true)
    for name in names { try Data().write(to: URL(fileURLWithPath: "\(folder.library)/\(name)")) }
    #expect(throws: Never.self) { try LibraryStore.checkForNewLibrary(folder.library) }
  }

  @Test func aFolderWithSomebodysFilesBecomesNoLibrary() throws {
    let folder = try TemporaryFolder()
    try FileManager.default.createDirectory(atPath: folder.library, withIntermediateDirectories: true)
    try Data().write(to: URL(fileURLWithPath: "\(folder.library)/letter.txt"))
    #expect(throws: StoreError.self) { try LibraryStore.checkForNewLibrary(folder.library) }
  }
}

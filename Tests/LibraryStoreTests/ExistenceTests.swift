import Foundation
import Testing

@testable import LibraryStore

@Suite struct ExistenceTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private var exists: Bool { get throws { try LibraryStore.exists(at: FilePath(folder.library)) } }

  @Test func aFolderIsALibraryOnceItHasADatabase() throws {
    #expect(try !exists)
    try FileManager.default.createDirectory(
      atPath: "\(folder.library)/originals", withIntermediateDirectories: true)
    #expect(try !exists)
    _ = try folder.open()
    #expect(try exists)
  }

  @Test func aFileIsNoLibrary() throws {
    try Data().write(to: URL(fileURLWithPath: folder.library))
    #expect(try !exists)
  }

  @Test func aLibraryThatHasLostItsDatabaseIsAnError() throws {
    try folder.open().add("bytes")
    try FileManager.default.removeItem(atPath: "\(folder.library)/library.sqlite")
    let error = #expect(throws: StoreError.self) { try exists }
    #expect(error?.code == .damaged && error?.file == folder.library)
  }
}

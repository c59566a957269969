import Foundation
import GRDB
import Testing

@testable import LibraryStore

/// Tests damage of the files in `renditions/`.
@Suite struct RenditionFileTests {
  private let folder: TemporaryFolder
  private let store: LibraryStore
  private static let uuid = UUID().uuidString
  private static let data = Data("a rendition".utf8)

  init() throws {
    folder = try TemporaryFolder()
    store = try folder.open()
  }

  /// Returns the path of a rendition that was written just now.
  private func written(_ data: Data = Self.data) throws -> String {
    let path = try find()
    try store.renditions.write(data, to: path)
    return path
  }

  private func find() throws -> String {
    try store.renditions.file(uuid: Self.uuid, version: "1", name: "movie.mp4")
  }

  private func overwrite(_ path: String, with text: String) throws {
    try Data(text.utf8).write(to: URL(fileURLWithPath: path))
  }

  private func forgetRows() throws {
    let queue = try DatabaseQueue(path: "\(folder.library)/renditions.sqlite")
    try queue.writeWithoutTransaction { try $0.execute(sql: "DELETE FROM file") }
    try queue.close()
  }

  @Test("A file of another size is missing, and can be written again", arguments: ["", "a ren", "a rendition, longer"])
  func size(_ text: String) throws {
    let path = try written()
    try overwrite(path, with: text)
    #expect(try find() == path)
    #expect(folder.files(in: "renditions") == [])
    #expect(try written() == path)
    #expect(try find() == path)
    #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == Self.data)
  }

  @Test func theSizeIsKnownToTheNextProcess() throws {
    let path = try written()
    try overwrite(path, with: "a ren")
    _ = try folder.open().renditions.file(uuid: Self.uuid, version: "1", name: "movie.mp4")
    #expect(folder.files(in: "renditions") == [])
  }

  @Test func aMovieThatAnotherModuleWroteIsKept() throws {
    let path = try find()
    try overwrite(path, with: "a movie")
    store.renditions.keep(path)
    _ = try find()
    #expect(folder.files(in: "renditions").count == 1)
    try overwrite(path, with: "a mov")
    _ = try find()
    #expect(folder.files(in: "renditions") == [])
  }

  @Test("A file of an earlier version is whole unless it is empty", arguments: ["", "a ren"])
  func earlier(_ text: String) throws {
    let path = try written()
    try forgetRows()
    try overwrite(path, with: text)
    #expect(try store.renditions.findings { false }.isEmpty == !text.isEmpty)
    _ = try find()
    #expect(folder.files(in: "renditions").isEmpty == text.isEmpty)
  }

  @Test func aNewFileMayHaveAnotherSizeThanADeletedOne() throws {
    let path = try written()
    unlink(path)
    _ = try find()
    try overwrite(path, with: "longer than the one before")
    #expect(try find() == path)
    #expect(folder.files(in: "renditions").count == 1)
  }

  @Test("Verifying finds and removes a damaged file", arguments: ["", "a ren", "a renditiOn"])
  func verifying(_ text: String) throws {
    let path = try written()
    #expect(try store.renditions.findings { false } == [])
    try overwrite(path, with: text)
    #expect(try store.renditions.findings { true } == [])
    #expect(try store.renditions.findings { false } == ["1 of the files in renditions are damaged"])
    #expect(folder.files(in: "renditions") == [])
    #expect(try store.renditions.findings { false } == [])
  }

  @Test func damagedRowsAreNoErrorOfTheVerification() throws {
    _ = try written()
    let queue = try DatabaseQueue(path: "\(folder.library)/renditions.sqlite")
    try queue.writeWithoutTransaction { try $0.execute(sql: "UPDATE file SET byte_count = -1") }
    try queue.close()
    #expect(try store.renditions.findings { false } == [])
    _ = try find()
    #expect(folder.files(in: "renditions") == [])
  }

  @Test func anEmptyFileOfAReadOnlyLibraryIsNotUsed() throws {
    let path = try written()
    let scratch = LibraryFolder(path: "\(folder.path)/scratch")
    try scratch.makeRoot()
    let renditions = try RenditionStore(of: LibraryFolder(path: folder.library), in: scratch)
    #expect(try renditions.file(uuid: Self.uuid, version: "1", name: "movie.mp4") == path)
    try overwrite(path, with: "")
    #expect(try renditions.file(uuid: Self.uuid, version: "1", name: "movie.mp4").hasPrefix(scratch.path))
    #expect(folder.files(in: "renditions").count == 1)
  }
}

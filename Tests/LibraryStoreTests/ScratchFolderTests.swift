import Foundation
import Testing

@testable import LibraryStore

@Suite struct ScratchFolderTests {
  /// A hostile file says that it has terabytes, which no disk has room for.
  @Test func `the copy of a sparse database takes the room of its data`() throws {
    let folder = try TemporaryFolder()
    let library = LibraryFolder(path: folder.path)
    let file = URL(fileURLWithPath: library.absolute("library.sqlite"))
    try Data("start".utf8).write(to: file)
    let handle = try FileHandle(forWritingTo: file)
    try handle.truncate(atOffset: 1 << 40)
    try handle.seekToEnd()
    try handle.write(contentsOf: Data("end".utf8))
    try handle.truncate(atOffset: 3 << 40)
    try handle.close()

    let scratch = try ScratchFolder(copyingDatabaseOf: library)
    let copy = try #require(try scratch.folder.status("library.sqlite"))
    #expect(copy.st_size == 3 << 40)
    #expect(copy.st_blocks * 512 < 1 << 20)
    let reader = try FileHandle(forReadingFrom: URL(fileURLWithPath: scratch.folder.absolute("library.sqlite")))
    #expect(try reader.read(upToCount: 5) == Data("start".utf8))
    try reader.seek(toOffset: 1 << 40)
    #expect(try reader.read(upToCount: 4) == Data("end\0".utf8))
  }
}

import Foundation
import Testing

@testable import MediaMetadata

@Suite struct MediaBytesTests {
  @Test(arguments: [0, (1 << 20) - 4, (1 << 20) - 3, (1 << 20) - 1, 1 << 20, (2 << 20) - 5])
  func `a text is found wherever the pieces of the search end`(offset: Int) throws {
    let folder = try TemporaryFolder()
    var data = Data(count: 2 << 20)
    data.replaceSubrange(offset..<offset + 4, with: Data("ftyp".utf8))
    let file = folder.url.appending(path: "file")
    try data.write(to: file)
    for source in [MediaBytes(try MediaFile(path: file.path)), MediaBytes([UInt8](data))] {
      #expect(source.firstIndex(of: "ftyp", from: 0) == offset)
      #expect(source.firstIndex(of: "ftyp", from: offset) == offset)
      #expect(source.firstIndex(of: "ftyp", from: offset + 1) == nil)
      #expect(source.firstIndex(of: "moov", from: 0) == nil)
    }
  }

  @Test func `a search ends after 64 MiB of a file`() throws {
    let folder = try TemporaryFolder()
    let path = folder.url.appending(path: "file").path
    try Data().write(to: URL(fileURLWithPath: path))
    let handle = try #require(FileHandle(forWritingAtPath: path))
    try handle.seek(toOffset: (64 << 20) + 2000)
    try handle.write(contentsOf: Data("ftyp".utf8))
    try handle.truncate(atOffset: 65 << 20)
    try handle.close()
    #expect(MediaBytes(try MediaFile(path: path)).firstIndex(of: "ftyp", from: 1000) == nil)
    #expect(MediaBytes(try MediaFile(path: path)).firstIndex(of: "ftyp", from: 2 << 20) == (64 << 20) + 2000)
  }

  @Test func `searches from each finding on read each byte once`() throws {
    let folder = try TemporaryFolder()
    // More findings than pieces of the search fit into its limit.
    let offsets = (0..<1000).map { 100 + $0 * 3000 }
    var data = Data(count: 3 << 20)
    for offset in offsets { data.replaceSubrange(offset..<offset + 4, with: Data("ftyp".utf8)) }
    let file = folder.url.appending(path: "file")
    try data.write(to: file)
    for source in [MediaBytes(try MediaFile(path: file.path)), MediaBytes([UInt8](data))] {
      let budget = source.unreadBudget
      var found: [Int] = []
      while let offset = source.firstIndex(of: "ftyp", from: found.last.map { $0 + 1 } ?? 0) {
        found.append(offset)
        #expect(source.byte(at: offset) == UInt8(ascii: "f"))
      }
      #expect(found == offsets)
      #expect(source.unreadBudget == budget)
    }
  }

  @Test func `an earlier place can be searched after a later one`() throws {
    let folder = try TemporaryFolder()
    var data = Data(count: 3 << 20)
    let offsets = [5, (1 << 20) + 2, (2 << 20) + 7]
    for offset in offsets { data.replaceSubrange(offset..<offset + 4, with: Data("ftyp".utf8)) }
    let file = folder.url.appending(path: "file")
    try data.write(to: file)
    let source = MediaBytes(try MediaFile(path: file.path))
    for offset in offsets.reversed() { #expect(source.firstIndex(of: "ftyp", from: offset - 3) == offset) }
  }
}

import Foundation
import Testing

@testable import PhotosServer

@Suite struct ZipLayoutTests {
  private static let date = Date(timeIntervalSince1970: 1_551_741_611)

  private func entry(_ name: String, _ byteCount: Int, date: Date = date) -> ZipLayout.Entry {
    .init(name: name, byteCount: byteCount, date: date, timeZoneOffset: -6 * 3600)
  }

  /// Writes the headers of an archive to a file; the contents of its files are holes.
  private func write(_ layout: ZipLayout, _ body: (URL) throws -> Void) throws {
    let file = FileManager.default.temporaryDirectory.appendingPathComponent("Layout-\(UUID().uuidString).zip")
    defer { try? FileManager.default.removeItem(at: file) }
    try Data().write(to: file)
    let handle = try FileHandle(forWritingTo: file)
    try handle.truncate(atOffset: UInt64(layout.byteCount))
    var position = 0
    for (part, place) in layout.parts(in: 0..<layout.byteCount) {
      #expect(place.lowerBound == position)
      position = place.upperBound
      let bytes: [UInt8]
      switch part {
      case .header(let index): bytes = layout.header(of: index, crc: 0)
      case .contents: continue
      case .directoryEntry(let index): bytes = layout.directoryEntry(of: index, crc: 0)
      case .end: bytes = layout.end
      }
      #expect(bytes.count == place.count)
      try handle.seek(toOffset: UInt64(place.lowerBound))
      try handle.write(contentsOf: bytes)
    }
    #expect(position == layout.byteCount)
    try handle.close()
    try body(file)
  }

  private func list(_ file: URL) throws -> [String] {
    let script = """
      import sys, zipfile
      for i in zipfile.ZipFile(sys.argv[1]).infolist(): print(i.filename, i.file_size, i.header_offset, i.date_time)
      """
    let result = try #require(try ArchiveFile.run(["python3", "-c", script, file.path]), "this test needs Python")
    #expect(result.status == 0, "\(result.output)")
    return result.output.split(separator: "\n").map(String.init)
  }

  @Test func `files and offsets beyond 4 GB are in ZIP64`() throws {
    let large = 5_000_000_000
    let layout = ZipLayout([
      entry("a.mov", large), entry("b.txt", 0), entry("c.mov", Int(UInt32.max)), entry("d.mov", Int(UInt32.max) - 1),
    ])
    try write(layout) { file in
      let lines = try list(file)
      #expect(lines.map { $0.split(separator: " ")[1] } == ["5000000000", "0", "4294967295", "4294967294"])
      // Python compares the header at each offset with the directory.
      let script = "import sys, zipfile; z = zipfile.ZipFile(sys.argv[1]); [z.open(i).close() for i in z.infolist()]"
      #expect(try ArchiveFile.run(["python3", "-c", script, file.path])?.status == 0)
      if let names = try ArchiveFile.run(["zipinfo", "-1", file.path]) {
        #expect(names.output.split(separator: "\n").count == 4)
      }
    }
  }

  @Test(arguments: [65_534, 65_535, 70_000])
  func `more files than ZIP counts are in ZIP64`(count: Int) throws {
    let layout = ZipLayout((0..<count).map { entry("\($0).txt", 0) })
    try write(layout) { file in
      #expect(try list(file).count == count)
      if count == 70_000 { try ArchiveFile.check(file) }
    }
  }

  @Test(arguments: [
    (1_551_741_611.9, "(2019, 3, 4, 17, 20, 10)"), (0, "(1980, 1, 1, 0, 0, 0)"),
    (-5_000_000_000, "(1980, 1, 1, 0, 0, 0)"), (4_000_000_000, "(2096, 10, 2, 1, 6, 40)"),
    (9_000_000_000, "(2107, 12, 31, 23, 59, 58)"),
  ])
  func `dates are those of the place's clock`(seconds: Double, text: String) throws {
    let layout = ZipLayout([entry("a.txt", 0, date: Date(timeIntervalSince1970: seconds))])
    try write(layout) { file in
      let lines = try list(file)
      #expect(lines == ["a.txt 0 0 \(text)"])
    }
  }

  @Test func `names of other scripts are marked as UTF-8`() throws {
    let layout = ZipLayout([entry("Île 写真 😀.txt", 0)])
    try write(layout) { file in
      let lines = try list(file)
      #expect(lines[0].hasPrefix("Île 写真 😀.txt 0 0"))
    }
  }

  @Test func `the parts of a range are those that it touches`() {
    let layout = ZipLayout([entry("a", 100), entry("b", 0), entry("c", 10)])
    #expect(layout.parts(in: 0..<1).map(\.part) == [.header(0)])
    #expect(layout.parts(in: 50..<60).map(\.part) == [.contents(0)])
    #expect(
      layout.parts(in: 0..<layout.byteCount).map(\.part)
        == [
          .header(0), .contents(0), .header(1), .header(2), .contents(2), .directoryEntry(0), .directoryEntry(1),
          .directoryEntry(2), .end,
        ])
    #expect(layout.parts(in: layout.byteCount - 1..<layout.byteCount).map(\.part) == [.end])
  }

  @Test(arguments: [("", 0), ("123456789", 0xCBF4_3926), ("The quick brown fox jumps over the lazy dog", 0x414F_A339)])
  func `the CRC-32 is that of ZIP, however it is divided`(text: String, expected: UInt32) {
    let bytes = Array(text.utf8)
    for split in 0...bytes.count {
      var crc = CRC32()
      for part in [bytes[..<split], bytes[split...]] { Array(part).withUnsafeBytes { crc.update($0) } }
      #expect(crc.value == expected)
    }
  }
}

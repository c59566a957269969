import Foundation
import GRDB
import Testing

@testable import LibraryStore

/// Tests opening a library whose database of renditions was damaged before.
@Suite struct RenditionOpeningTests {
  private let fixture: RenditionFixture
  private let whole: Data

  init() throws {
    fixture = try RenditionFixture()
    whole = try Data(contentsOf: URL(fileURLWithPath: fixture.file))
  }

  /// Writes a damaged database in the place of the whole one.
  private func replace(with bytes: Data) throws {
    for suffix in ["-wal", "-shm"] { unlink(fixture.file + suffix) }
    try bytes.write(to: URL(fileURLWithPath: fixture.file))
  }

  /// Checks that the library opens, and that it finds, stores and keeps renditions.
  private func expectStoring(_ comment: Comment) throws {
    do {
      let renditions = try fixture.folder.open().renditions
      _ = try fixture.read(renditions)
      try renditions.store(RenditionFixture.entries)
      #expect(try fixture.read(renditions) == RenditionFixture.entries.count, comment)
    }
    #expect(try fixture.read(fixture.folder.open().renditions) == RenditionFixture.entries.count, comment)
  }

  @Test(arguments: [0, 1, 15, 16, 50, 99, 100, 511, 512, 1000, 4095, 4096, 4097, 8192, 20_000, 40_000])
  func `a database that is cut off is made anew`(_ length: Int) throws {
    try #require(whole.count > length)
    try replace(with: whole.prefix(length))
    try expectStoring("\(length) bytes")
  }

  @Test func `a database with another byte in its header is made anew`() throws {
    for place in 0..<100 where whole[place] != 0xFF {
      var damaged = whole
      damaged[place] = 0xFF
      try replace(with: damaged)
      try expectStoring("byte \(place)")
    }
  }

  @Test func `a database with random bytes in its header is made anew`() throws {
    var random = LinearGenerator(seed: 15)
    for round in 0..<40 {
      var damaged = whole
      for _ in 0..<Int.random(in: 2...60, using: &random) {
        damaged[Int.random(in: 0..<100, using: &random)] = UInt8.random(in: 0...255, using: &random)
      }
      try replace(with: damaged)
      try expectStoring("round \(round)")
    }
  }

  @Test func `a database with garbage in its pages is made anew`() throws {
    var random = LinearGenerator(seed: 16)
    let pages = whole.count / RenditionFixture.pageSize
    for first in 0..<pages {
      var damaged = whole
      for page in [first, Int.random(in: 0..<pages, using: &random)] {
        let start = page * RenditionFixture.pageSize
        let garbage = (0..<RenditionFixture.pageSize).map { _ in UInt8.random(in: 0...255, using: &random) }
        damaged.replaceSubrange(start..<start + garbage.count, with: garbage)
      }
      try replace(with: damaged)
      try expectStoring("page \(first)")
    }
  }

  @Test func `a database of garbage is made anew`() throws {
    var random = LinearGenerator(seed: 17)
    try replace(with: Data((0..<whole.count).map { _ in UInt8.random(in: 0...255, using: &random) }))
    try expectStoring("garbage")
  }

  @Test(arguments: [
    "DROP TABLE picture", "DROP TABLE placeholder", "DROP TABLE failure", "DROP TABLE file",
    "DROP TABLE grdb_migrations", "ALTER TABLE picture DROP COLUMN checksum",
    "ALTER TABLE placeholder RENAME COLUMN pixels TO colors",
    "DELETE FROM grdb_migrations", "UPDATE grdb_migrations SET identifier = 'x' || identifier",
  ])
  func `opening makes missing tables and columns anew`(_ damage: String) throws {
    try fixture.change(damage)
    _ = try fixture.folder.open()
    let tables = "SELECT COUNT(*) FROM sqlite_schema WHERE name IN ('picture', 'placeholder', 'failure', 'file')"
    #expect(try fixture.count(tables) == 4)
    try expectStoring("\(damage)")
  }

  @Test(arguments: ["", "-wal", "-shm", "-journal"])
  func `a folder in the place of its file is moved away`(_ suffix: String) throws {
    let path = fixture.file + suffix
    unlink(path)
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
    try "a letter".write(toFile: "\(path)/letter.txt", atomically: false, encoding: .utf8)
    let store = try fixture.folder.open()
    #expect(store.readOnlyReason == nil)
    #expect(fixture.folder.files(in: "").filter { $0.hasSuffix("letter.txt") }.count == 1)
    try expectStoring("renditions.sqlite\(suffix)")
  }

  @Test(
    .enabled(if: geteuid() != 0, "root has every permission: skipped"), arguments: ["", "-wal", "-shm"])
  func `a file that can't be read is made anew`(_ suffix: String) throws {
    try Data(contentsOf: URL(fileURLWithPath: fixture.file)).write(to: URL(fileURLWithPath: fixture.file + suffix))
    chmod(fixture.file + suffix, 0)
    try expectStoring("renditions.sqlite\(suffix)")
  }

  @Test(arguments: [
    "UPDATE picture SET pixel_width = 'wide'", "UPDATE picture SET data = 7", "UPDATE picture SET kind = x'00'",
    "UPDATE picture SET uniform_type_identifier = x'FF'", "UPDATE picture SET checksum = 'sum'",
    "UPDATE placeholder SET pixels = 'colors'", "UPDATE placeholder SET version = x'31'",
  ])
  func `a value of a wrong type counts as missing`(_ damage: String) throws {
    // Without STRICT, SQLite stores values of any type, as a damaged page can contain them.
    try fixture.change(
      """
      PRAGMA writable_schema = ON;
      UPDATE sqlite_schema SET sql = replace(replace(sql, 'WITHOUT ROWID', ''), 'STRICT', '') WHERE name = 'picture';
      UPDATE sqlite_schema SET sql = replace(sql, 'STRICT,', '') WHERE name = 'placeholder';
      """)
    try fixture.change(damage)
    try fixture.change(
      """
      PRAGMA writable_schema = ON;
      UPDATE sqlite_schema SET sql = trim(sql) || ' STRICT' WHERE name = 'picture';
      UPDATE sqlite_schema SET sql = replace(sql, '  WITHOUT ROWID', ' STRICT, WITHOUT ROWID') WHERE name = 'placeholder';
      """)
    let renditions = try fixture.folder.open().renditions
    let versions = Dictionary(uniqueKeysWithValues: RenditionFixture.entries.map { ($0.uuid, $0.version) })
    let isOfPictures = damage.hasPrefix("UPDATE picture")
    #expect(try fixture.read(renditions) == (isOfPictures ? 0 : RenditionFixture.entries.count))
    #expect(
      try renditions.placeholders(for: versions).count == (isOfPictures ? RenditionFixture.entries.count : 0))
    try expectStoring("\(damage)")
  }
}

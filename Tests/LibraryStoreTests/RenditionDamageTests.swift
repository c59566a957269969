import Foundation
import Synchronization
import TestSupport
import Testing

@testable import LibraryStore

@Suite struct RenditionDamageTests {
  private let fixture: RenditionFixture
  private var folder: TemporaryFolder { fixture.folder }
  private var file: String { fixture.file }
  private static let pageSize = RenditionFixture.pageSize
  private static let entries = RenditionFixture.entries

  init() throws { fixture = try RenditionFixture() }

  private func overwrite(page: Int, with byte: UInt8) throws {
    let handle = try FileHandle(forWritingTo: URL(fileURLWithPath: file))
    try handle.seek(toOffset: UInt64(page * Self.pageSize))
    try handle.write(contentsOf: Data(repeating: byte, count: Self.pageSize))
    try handle.close()
  }

  @Test("A page that is overwritten while the library is open is a cache miss", arguments: [0, 0x5A] as [UInt8])
  func anyPage(byte: UInt8) throws {
    let whole = try Data(contentsOf: URL(fileURLWithPath: file))
    let pages = whole.count / Self.pageSize
    #expect(pages > 12)
    var misses = 0
    for page in 0..<pages {
      try? FileManager.default.removeItem(atPath: file + "-wal")
      try? FileManager.default.removeItem(atPath: file + "-shm")
      try whole.write(to: URL(fileURLWithPath: file))
      let store = try folder.open()
      try overwrite(page: page, with: byte)
      if try fixture.read(store.renditions) < Self.entries.count { misses += 1 }
      _ = store.renditions.failure(of: "grid", sha256: Data())
      try store.renditions.store(Self.entries)
      #expect(try fixture.read(store.renditions) == Self.entries.count)
    }
    #expect(misses > pages / 2)
  }

  @Test("Verifying reports a damaged page", arguments: [0, 0x5A] as [UInt8])
  func verifying(byte: UInt8) throws {
    let pages = try Data(contentsOf: URL(fileURLWithPath: file)).count / Self.pageSize
    var untold: [Int] = []
    for page in 1..<pages {
      let whole = try Data(contentsOf: URL(fileURLWithPath: file))
      #expect(try folder.open().renditions.findings { false } == [])
      let store = try folder.open()
      try overwrite(page: page, with: byte)
      if try store.renditions.findings(isCancelled: { false }) == [] { untold.append(page) }
      try whole.write(to: URL(fileURLWithPath: file))
    }
    // Opening reads the page with the migrations, which is not read again.
    #expect(untold.count <= 1)
  }

  @Test(
    "One damaged value is a cache miss for its row only",
    arguments: [
      "UPDATE picture SET data = zeroblob(9000) WHERE asset_uuid = 'asset 1'",
      "UPDATE picture SET pixel_width = -1 WHERE asset_uuid = 'asset 1'",
      "UPDATE picture SET checksum = 7 WHERE asset_uuid = 'asset 1'",
      "UPDATE picture SET pixel_height = 1 << 40 WHERE asset_uuid = 'asset 1'",
      "UPDATE picture SET pixel_width = pixel_width | 64 WHERE asset_uuid = 'asset 1'",
      "UPDATE picture SET pixel_height = pixel_height | 1024 WHERE asset_uuid = 'asset 1'",
      "UPDATE picture SET uniform_type_identifier = 'public.jpef' WHERE asset_uuid = 'asset 1'",
    ])
  func oneValue(_ damage: String) throws {
    let store = try folder.open()
    try fixture.change(damage)
    #expect(try store.renditions.findings { false } == ["1 of the pictures are damaged"])
    #expect(try fixture.read(store.renditions) == Self.entries.count - 1)
    #expect(try fixture.count("SELECT COUNT(*) FROM picture") == Self.entries.count - 1)
    #expect(try fixture.count("SELECT COUNT(*) FROM placeholder") == Self.entries.count)
    #expect(try store.renditions.findings { false } == [])
    try store.renditions.store(Self.entries)
    #expect(try fixture.read(store.renditions) == Self.entries.count)
  }

  @Test(
    "A damaged key of a picture is a cache miss for its row only",
    arguments: ["asset_uuid = 'asset q'", "kind = 'gric'", "version = '3'"])
  func keyOfAPicture(_ damage: String) throws {
    let store = try folder.open()
    try fixture.change("UPDATE picture SET \(damage) WHERE asset_uuid = 'asset 1'")
    #expect(try fixture.read(store.renditions) == Self.entries.count - 1)
    #expect(try store.renditions.findings { false } == [])
    try store.renditions.store(Self.entries)
    #expect(try fixture.read(store.renditions) == Self.entries.count)
  }

  @Test(
    "A damaged placeholder is a cache miss for its row only",
    arguments: ["pixels = x'81'", "pixels = x''", "checksum = 7"])
  func placeholder(_ damage: String) throws {
    let store = try folder.open()
    try fixture.change("UPDATE placeholder SET \(damage) WHERE asset_uuid = 'asset 1'")
    #expect(try store.renditions.findings { false } == ["1 of the placeholders are damaged"])
    let versions = Dictionary(uniqueKeysWithValues: Self.entries.map { ($0.uuid, $0.version) })
    #expect(try store.renditions.placeholders(for: versions).keys.sorted() == ["asset 0", "asset 2", "asset 3"])
    #expect(try fixture.count("SELECT COUNT(*) FROM placeholder") == Self.entries.count - 1)
    #expect(try store.renditions.findings { false } == [])
  }

  @Test func aPlaceholderOfAnEarlierVersionStays() throws {
    let store = try folder.open()
    try fixture.change("UPDATE placeholder SET checksum = NULL")
    #expect(try store.renditions.findings { false } == [])
    let versions = Dictionary(uniqueKeysWithValues: Self.entries.map { ($0.uuid, $0.version) })
    #expect(try store.renditions.placeholders(for: versions).count == Self.entries.count)
  }

  @Test("Pictures of earlier versions stay", arguments: ["NULL", "SHA-256", "data alone"])
  func earlier(_ checksum: String) throws {
    let store = try folder.open()
    let data = Self.entries[1].pictures[0].data
    let value =
      switch checksum {
      case "SHA-256": "\(RenditionStore.formerChecksum(of: data))"
      case "data alone": "\(Int64(bitPattern: XXH64.checksum(of: data)))"
      default: "NULL"
      }
    try fixture.change("UPDATE picture SET checksum = \(value) WHERE asset_uuid = 'asset 1'")
    #expect(try store.renditions.findings { false } == [])
    #expect(try fixture.read(store.renditions) == Self.entries.count)
  }

  @Test func aCancelledVerificationOfTheRenditionsTellsNothing() throws {
    let store = try folder.open()
    try fixture.change("UPDATE picture SET checksum = 7")
    #expect(try store.renditions.findings { true } == [])
  }

  @Test func cancellingInterruptsALongStatement() throws {
    let store = try folder.open()
    // Without an interrupt it ends after minutes.
    let long =
      "WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM c LIMIT 1000000000) SELECT COUNT(*) FROM c"
    let looks = Atomic(0)
    let found = try store.read { db in
      try db.work(until: { looks.add(1, ordering: .relaxed).newValue > 1 }, cancelled: nil) {
        try db.value(long) as Int?
      }
    }
    #expect(found == nil)
    #expect(looks.load(ordering: .relaxed) > 1)
    #expect(try store.read { try $0.value("SELECT 1") } == 1)
  }

  @Test func failuresAreForgottenUnderTheCommitLockThoughAllIsDamaged() async throws {
    let store = try folder.open()
    let pages = try Data(contentsOf: URL(fileURLWithPath: file)).count / Self.pageSize
    for page in 0..<pages { try overwrite(page: page, with: 0x5A) }
    // A commit that replaces a damaged original does this.
    try await onOwnThread("forgetting failures") {
      try store.requireWriting().commits.lock()
      store.renditions.forgetFailures(of: Data([1]))
      try store.requireWriting().commits.unlock()
    }
  }

  @Test func `a process uses the rendition database that another one replaced`() throws {
    let (one, other) = (try folder.open(), try folder.open())
    for page in 0..<12 { try overwrite(page: page, with: 0x5A) }
    #expect(try fixture.read(one.renditions) == 0)
    try one.renditions.store(Self.entries)
    _ = try fixture.read(other.renditions)
    #expect(try fixture.read(other.renditions) == Self.entries.count)
  }
}

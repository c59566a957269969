import Foundation
import GRDB
import Testing

@testable import LibraryStore

@Suite struct RenditionDamageTests {
  private let folder: TemporaryFolder
  private var file: String { "\(folder.library)/renditions.sqlite" }
  private static let pageSize = 4096

  private static let entries = (0..<4).map { number in
    RenditionStore.Entry(
      uuid: "asset \(number)", version: "1",
      pictures: [
        RenditionStore.Picture(
          kind: "grid", pixelWidth: 4, pixelHeight: 3, uniformTypeIdentifier: "public.jpeg",
          data: Data((0..<9000).map { UInt8(truncatingIfNeeded: $0 * (number + 3)) }))
      ], placeholder: Data([UInt8(number)]))
  }

  init() throws {
    folder = try TemporaryFolder()
    try folder.open().renditions.store(Self.entries)
    let queue = try DatabaseQueue(path: file)
    try queue.inDatabase { try $0.execute(sql: "PRAGMA wal_checkpoint(TRUNCATE)") }
    try queue.close()
  }

  private func overwrite(page: Int, with byte: UInt8) throws {
    let handle = try FileHandle(forWritingTo: URL(fileURLWithPath: file))
    try handle.seek(toOffset: UInt64(page * Self.pageSize))
    try handle.write(contentsOf: Data(repeating: byte, count: Self.pageSize))
    try handle.close()
  }

  /// Reads everything and returns the number of pictures found. Checks that each is the one that
  /// was stored.
  private func read(_ renditions: RenditionStore) throws -> Int {
    var found = 0
    for entry in Self.entries {
      guard let picture = try renditions.picture(uuid: entry.uuid, kind: "grid", version: "1") else { continue }
      #expect(picture.data == entry.pictures[0].data)
      found += 1
    }
    let versions = Dictionary(uniqueKeysWithValues: Self.entries.map { ($0.uuid, $0.version) })
    for (uuid, placeholder) in try renditions.placeholders(for: versions) {
      #expect(placeholder == Self.entries.first { $0.uuid == uuid }?.placeholder)
    }
    return found
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
      if try read(store.renditions) < Self.entries.count { misses += 1 }
      _ = store.renditions.failure(of: "grid", sha256: Data())
      try store.renditions.store(Self.entries)
      #expect(try read(store.renditions) == Self.entries.count)
    }
    #expect(misses > pages / 2)
  }

  @Test("Verifying tells of a damaged page", arguments: [0, 0x5A] as [UInt8])
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

  /// Changes the database of an open library.
  private func change(_ sql: String) throws {
    let queue = try DatabaseQueue(path: file)
    try queue.writeWithoutTransaction { try $0.execute(sql: sql) }
    try queue.close()
  }

  private func count(_ sql: String) throws -> Int? {
    try DatabaseQueue(path: file).read { try Int.fetchOne($0, sql: sql) }
  }

  @Test(
    "One damaged value is a miss of its own",
    arguments: [
      "UPDATE picture SET data = zeroblob(9000) WHERE asset_uuid = 'asset 1'",
      "UPDATE picture SET pixel_width = -1 WHERE asset_uuid = 'asset 1'",
      "UPDATE picture SET checksum = 7 WHERE asset_uuid = 'asset 1'",
      "UPDATE picture SET pixel_height = 1 << 40 WHERE asset_uuid = 'asset 1'",
    ])
  func oneValue(_ damage: String) throws {
    let store = try folder.open()
    try change(damage)
    #expect(try store.renditions.findings { false } == ["1 of the pictures are damaged"])
    #expect(try read(store.renditions) == Self.entries.count - 1)
    #expect(try count("SELECT COUNT(*) FROM picture") == Self.entries.count - 1)
    #expect(try count("SELECT COUNT(*) FROM placeholder") == Self.entries.count)
    #expect(try store.renditions.findings { false } == [])
    try store.renditions.store(Self.entries)
    #expect(try read(store.renditions) == Self.entries.count)
  }

  @Test("Pictures of earlier versions stay", arguments: ["NULL", "SHA-256"])
  func earlier(_ checksum: String) throws {
    let store = try folder.open()
    let former = RenditionStore.formerChecksum(of: Self.entries[1].pictures[0].data)
    let value = checksum == "NULL" ? "NULL" : "\(former)"
    try change("UPDATE picture SET checksum = \(value) WHERE asset_uuid = 'asset 1'")
    #expect(try store.renditions.findings { false } == [])
    #expect(try read(store.renditions) == Self.entries.count)
  }

  @Test func aCancelledVerificationOfTheRenditionsTellsNothing() throws {
    let store = try folder.open()
    try change("UPDATE picture SET checksum = 7")
    #expect(try store.renditions.findings { true } == [])
  }

  @Test func cancellingInterruptsALongStatement() throws {
    let store = try folder.open()
    let endless = "WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM c) SELECT COUNT(*) FROM c"
    let start = ContinuousClock.now
    let found = try store.read { db in
      try db.work(until: { start.duration(to: .now) > .milliseconds(50) }, cancelled: nil) {
        try db.value(endless) as Int?
      }
    }
    #expect(found == nil)
    #expect(try store.read { try $0.value("SELECT 1") } == 1)
  }

  @Test(.timeLimit(.minutes(1))) func failuresAreForgottenUnderTheCommitLockThoughAllIsDamaged() throws {
    let store = try folder.open()
    let pages = try Data(contentsOf: URL(fileURLWithPath: file)).count / Self.pageSize
    for page in 0..<pages { try overwrite(page: page, with: 0x5A) }
    // A commit that replaces a damaged original does this.
    try store.requireWriting().commits.lock()
    store.renditions.forgetFailures(of: Data([1]))
    try store.requireWriting().commits.unlock()
  }

  @Test func `a process uses the rendition database that another one replaced`() throws {
    let (one, other) = (try folder.open(), try folder.open())
    for page in 0..<12 { try overwrite(page: page, with: 0x5A) }
    #expect(try read(one.renditions) == 0)
    try one.renditions.store(Self.entries)
    _ = try read(other.renditions)
    #expect(try read(other.renditions) == Self.entries.count)
  }
}

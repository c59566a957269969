import Foundation
import GRDB
import Testing

@testable import LibraryStore

/// A library with renditions of four assets, whose database is closed and has no log.
struct RenditionFixture {
  let folder: TemporaryFolder
  var file: String { "\(folder.library)/renditions.sqlite" }
  static let pageSize = 4096

  static let entries = (0..<4).map { number in
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

  /// Reads everything and returns the number of pictures found. Checks that each is the one that
  /// was stored.
  func read(_ renditions: RenditionStore) throws -> Int {
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

  /// Runs a statement on the database.
  func change(_ sql: String) throws {
    let queue = try DatabaseQueue(path: file)
    try queue.writeWithoutTransaction { try $0.execute(sql: sql) }
    try queue.close()
  }

  func count(_ sql: String) throws -> Int? {
    try DatabaseQueue(path: file).read { try Int.fetchOne($0, sql: sql) }
  }
}

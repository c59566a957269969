import Crypto
import Essentials
import Foundation
import GRDB
import Testing

@testable import LibraryStore

/// Tests that migrations stay as they landed. People have libraries of each version.
@Suite struct SchemaVersionTests {
  /// The first bytes of the SHA-256 of each version's tables. A migration that has landed is never
  /// changed; another one changes what it has made.
  private static let fingerprints = [
    "4d4e49149825", "d3e9b55f7094", "60423ba1feb2", "3173ffd7eba7", "3173ffd7eba7", "de65342a2357",
    "de65342a2357", "dce02fbb70f3", "216b2b8f059f", "6095d2cd2a3c", "4280fac77112", "22ce858890b2",
    "e7577f2a8a87", "e6bec6857afb", "e612c9c5e71e", "f11f6abc1059", "19c255276216", "36ea06c30475",
    "36ea06c30475",
  ]

  /// Returns the tables, indexes and triggers of a database, and the albums that it began with.
  private static func content(of db: Database) throws -> String {
    let tables = try String.fetchAll(
      db,
      sql: """
        SELECT type || ' ' || name || ' ' || coalesce(sql, '') FROM sqlite_schema
        WHERE name NOT LIKE 'sqlite_%' ORDER BY type, name
        """)
    let hasCollections = try db.tableExists("collection")
    let albums =
      try hasCollections
      ? String.fetchAll(
        db,
        sql: "SELECT kind || ' ' || subtype || ' ' || title || ' ' || rank FROM collection ORDER BY kind, subtype")
      : []
    return (tables + albums).joined(separator: "\n")
  }

  /// Makes the folders of a library, and an empty database in it.
  private static func make(in folder: TemporaryFolder) throws -> DatabaseQueue {
    for name in ["originals", "adjustments", "renditions", "incoming"] {
      try FileManager.default.createDirectory(
        atPath: "\(folder.library)/\(name)", withIntermediateDirectories: true)
    }
    return try DatabaseQueue(path: "\(folder.library)/library.sqlite")
  }

  /// Makes a library of a version.
  private static func make(_ version: Int, in folder: TemporaryFolder) throws -> DatabaseQueue {
    let queue = try make(in: folder)
    let migration = Schema.migrations[version - 1].name
    #expect(migration.hasPrefix("\(version): "))
    try SQLiteDatabase.migrator(Schema.migrations).migrate(queue, upTo: migration)
    return queue
  }

  @Test func `each version has its fingerprint`() { #expect(Self.fingerprints.count == Schema.migrations.count) }

  @Test(arguments: 1...fingerprints.count)
  func `a version has the tables that it landed with`(version: Int) throws {
    let content = try Self.make(version, in: TemporaryFolder()).read(Self.content)
    #expect(SHA256.hash(data: Data(content.utf8)).prefix(6).hexadecimal == Self.fingerprints[version - 1])
  }

  @Test(arguments: 1...fingerprints.count)
  func `a library of a version becomes equal to a new one`(version: Int) throws {
    let (old, new) = (try TemporaryFolder(), try TemporaryFolder())
    try Self.make(version, in: old).close()
    #expect(try old.open().readOnlyReason == nil)
    _ = try new.open()
    let contents = try [old, new].map { folder in
      try DatabaseQueue(path: "\(folder.library)/library.sqlite").read(Self.content)
    }
    #expect(contents[0] == contents[1])
  }

  @Test func `a library whose making was interrupted before its first table becomes whole`() throws {
    let folder = try TemporaryFolder()
    let queue = try Self.make(in: folder)
    try queue.write {
      try $0.execute(sql: "CREATE TABLE grdb_migrations (identifier TEXT NOT NULL PRIMARY KEY)")
    }
    try queue.close()
    let store = try folder.open()
    #expect(store.readOnlyReason == nil)
    let fingerprint = try store.database.pool.read { try SQLiteDatabase.fingerprint(of: $0) }
    #expect(SQLiteDatabase.fingerprints.contains(fingerprint))
  }

  /// Version 2 has this index since version 11. Libraries that are older lack it.
  @Test(arguments: 2...16)
  func `a library without the index of the rows gets it`(version: Int) throws {
    let folder = try TemporaryFolder()
    let queue = try Self.make(version, in: folder)
    try queue.write { try $0.execute(sql: "DROP INDEX asset_by_id") }
    try queue.close()
    let store = try folder.open()
    #expect(
      try store.database.read {
        try $0.isTrue("SELECT EXISTS (SELECT 1 FROM sqlite_schema WHERE name = 'asset_by_id')")
      })
  }

  @Test func `new databases are known without a comparison`() throws {
    let store = try TemporaryFolder().open()
    for database in [store.database, store.renditions.database] {
      let fingerprint = try database.pool.read { try SQLiteDatabase.fingerprint(of: $0) }
      #expect(SQLiteDatabase.fingerprints.contains(fingerprint), "\(fingerprint)")
    }
  }

  @Test func `a new library has each album`() throws {
    let store = try TemporaryFolder().open()
    let found: [String] = try store.database.read {
      try $0.values("SELECT title FROM collection WHERE kind = 2 ORDER BY rank")
    }
    #expect(found == SmartAlbum.listed.map(\.title))
  }

  @Test func `an older library loses its password`() throws {
    let folder = try TemporaryFolder()
    let queue = try Self.make(16, in: folder)
    try queue.write { try $0.execute(sql: "UPDATE person SET password_hash = 'a hash that nobody may see'") }
    try queue.close()
    do { #expect(try folder.open().signIn.owner().passwordHash == nil) }
    for name in try FileManager.default.contentsOfDirectory(atPath: folder.library) {
      let content = FileManager.default.contents(atPath: "\(folder.library)/\(name)") ?? Data()
      #expect(content.range(of: Data("nobody may see".utf8)) == nil, "\(name)")
    }
  }
}

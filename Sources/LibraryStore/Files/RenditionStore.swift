import Foundation
internal import GRDB

/// What was computed from originals, kept to be at hand: small pictures as blobs in `renditions.sqlite`, large ones and movies as
/// files in `renditions/`. All of it can be deleted; it is made again.
public final class RenditionStore: Sendable {
  private let database: DatabasePool
  private let folder: LibraryFolder

  /// One stored picture.
  public struct Picture: Sendable {
    public var kind: String
    public var pixelWidth: Int
    public var pixelHeight: Int
    public var uniformTypeIdentifier: String
    public var data: Data

    public init(kind: String, pixelWidth: Int, pixelHeight: Int, uniformTypeIdentifier: String, data: Data) {
      self.kind = kind
      self.pixelWidth = pixelWidth
      self.pixelHeight = pixelHeight
      self.uniformTypeIdentifier = uniformTypeIdentifier
      self.data = data
    }
  }

  /// The pictures of one asset that belong together.
  public struct Entry: Sendable {
    public var uuid: String
    public var version: String
    public var pictures: [Picture]
    public var placeholder: Data?

    public init(uuid: String, version: String, pictures: [Picture], placeholder: Data?) {
      self.uuid = uuid
      self.version = version
      self.pictures = pictures
      self.placeholder = placeholder
    }
  }

  init(in folder: LibraryFolder) throws {
    let name = "renditions.sqlite"
    let file = folder.absolute(name)
    self.folder = folder
    // SQLite would give it the permissions that the umask leaves.
    close(try folder.open(name, O_RDWR | O_CREAT))
    do {
      database = try Self.open(file)
    } catch let error as DatabaseError where [.SQLITE_CORRUPT, .SQLITE_NOTADB].contains(error.resultCode) {
      for suffix in ["", "-wal", "-shm"] { try folder.remove(name + suffix) }
      close(try folder.open(name, O_RDWR | O_CREAT))
      database = try StoreError.mapping(file) { try Self.open(file) }
    } catch {
      database = try StoreError.mapping(file) { throw error }
    }
  }

  private static func open(_ file: String) throws -> DatabasePool {
    var configuration = Configuration()
    configuration.busyMode = .timeout(30)
    let pool = try DatabasePool(path: file, configuration: configuration)
    var migrator = DatabaseMigrator()
    migrator.registerMigration("1: pictures and placeholders") { db in
      try db.execute(
        sql: """
          CREATE TABLE picture (
            asset_uuid TEXT NOT NULL,
            kind TEXT NOT NULL,
            version TEXT NOT NULL,
            pixel_width INTEGER NOT NULL,
            pixel_height INTEGER NOT NULL,
            uniform_type_identifier TEXT NOT NULL,
            data BLOB NOT NULL,
            PRIMARY KEY (asset_uuid, kind)
          ) STRICT;
          CREATE TABLE placeholder (
            asset_uuid TEXT PRIMARY KEY,
            version TEXT NOT NULL,
            pixels BLOB NOT NULL
          ) STRICT, WITHOUT ROWID;
          """)
    }
    migrator.registerMigration("2: what decoders did not survive") { db in
      try db.execute(
        sql: """
          CREATE TABLE failure (
            sha256 BLOB NOT NULL,
            task TEXT NOT NULL,
            date REAL NOT NULL,
            reason TEXT NOT NULL,
            PRIMARY KEY (sha256, task)
          ) STRICT, WITHOUT ROWID;
          """)
    }
    if try !pool.read({ try migrator.hasCompletedMigrations($0) }) { try migrator.migrate(pool) }
    return pool
  }

  public func store(_ entries: [Entry]) throws {
    try StoreError.mapping("renditions.sqlite") {
      try database.write { db in
        for entry in entries {
          for picture in entry.pictures {
            try db.cachedStatement(sql: "INSERT OR REPLACE INTO picture VALUES (?, ?, ?, ?, ?, ?, ?)").execute(
              arguments: [
                entry.uuid, picture.kind, entry.version, picture.pixelWidth, picture.pixelHeight,
                picture.uniformTypeIdentifier, picture.data,
              ])
          }
          if let placeholder = entry.placeholder {
            try db.cachedStatement(sql: "INSERT OR REPLACE INTO placeholder VALUES (?, ?, ?)")
              .execute(arguments: [entry.uuid, entry.version, placeholder])
          }
        }
      }
    }
  }

  public func picture(uuid: String, kind: String, version: String) throws -> Picture? {
    try StoreError.mapping("renditions.sqlite") {
      try database.read { db in
        let statement = try db.cachedStatement(
          sql: "SELECT * FROM picture WHERE asset_uuid = ? AND kind = ? AND version = ?")
        return try Row.fetchOne(statement, arguments: [uuid, kind, version]).map { row in
          Picture(
            kind: kind, pixelWidth: row["pixel_width"], pixelHeight: row["pixel_height"],
            uniformTypeIdentifier: row["uniform_type_identifier"], data: row["data"])
        }
      }
    }
  }

  /// The placeholders at hand, by asset; those of an older version are left out.
  public func placeholders(for versions: [String: String]) throws -> [String: Data] {
    let list = String(decoding: try JSONEncoder().encode(Array(versions.keys)), as: UTF8.self)
    return try StoreError.mapping("renditions.sqlite") {
      try database.read { db in
        let statement = try db.cachedStatement(
          sql: "SELECT * FROM placeholder WHERE asset_uuid IN (SELECT value FROM json_each(?))")
        let rows = try Row.fetchCursor(statement, arguments: [list])
        var found: [String: Data] = [:]
        while let row = try rows.next() {
          let uuid: String = row["asset_uuid"]
          if versions[uuid] == row["version"] { found[uuid] = row["pixels"] }
        }
        return found
      }
    }
  }

  /// Remembers that making something of a file failed, and forgets what failed long ago.
  public func storeFailure(of task: String, sha256: Data, reason: String, now: Date = Date()) {
    // Without a memory of it, it is tried again.
    try? database.write { db in
      try db.cachedStatement(sql: "DELETE FROM failure WHERE date < ?")
        .execute(arguments: [now.timeIntervalSince1970 - Self.secondsOfAFailure])
      try db.cachedStatement(sql: "INSERT OR REPLACE INTO failure VALUES (?, ?, ?, ?)")
        .execute(arguments: [sha256, task, now.timeIntervalSince1970, reason])
    }
  }

  /// Whatever failed of a file may be tried again.
  public func forgetFailures(of sha256: Data) {
    try? database.write { try $0.execute(sql: "DELETE FROM failure WHERE sha256 = ?", arguments: [sha256]) }
  }

  /// Why making something of a file failed during the last day, if it did.
  public func failure(of task: String, sha256: Data, now: Date = Date()) -> String? {
    try? database.read { db in
      let statement = try db.cachedStatement(
        sql: "SELECT reason FROM failure WHERE sha256 = ? AND task = ? AND date >= ? AND date <= ?")
      let date = now.timeIntervalSince1970
      return try String.fetchOne(statement, arguments: [sha256, task, date - Self.secondsOfAFailure, date])
    }
  }

  private static let secondsOfAFailure: TimeInterval = 24 * 3600

  /// Forgets the renditions of assets that are gone, or of assets that show something else now: then their copies stay. What can't be
  /// forgotten only takes space.
  public func remove(_ uuids: [String], keepsCopies: Bool = false) {
    guard !uuids.isEmpty else { return }
    try? database.write { db in
      for uuid in uuids {
        try db.cachedStatement(sql: "DELETE FROM picture WHERE asset_uuid = ?").execute(arguments: [uuid])
        try db.cachedStatement(sql: "DELETE FROM placeholder WHERE asset_uuid = ?").execute(arguments: [uuid])
      }
    }
    let gone = Set(uuids)
    removeFiles { gone.contains(String($0.prefix(Self.uuidLength))) && !(keepsCopies && Self.isCopy($0)) }
  }

  /// Forgets an asset's files of other versions than this one; copies have none.
  public func removeFiles(of uuid: String, notOfVersion version: String) {
    removeFiles { $0.hasPrefix(uuid) && !$0.hasPrefix("\(uuid)-\(version)-") && !Self.isCopy($0) }
  }

  private func removeFiles(where isGone: (Substring) -> Bool) {
    for name in (try? folder.contents(of: Self.folderName)) ?? []
    // What is unfinished has a dot in front.
    where isGone(name.drop { $0 == "." }) { try? folder.remove("\(Self.folderName)/\(name)") }
  }

  private static let uuidLength = 36
  private static let copyMark = "-copy-"
  private static func isCopy(_ name: Substring) -> Bool { name.dropFirst(uuidLength).hasPrefix(copyMark) }

  /// Where what is copied out of an original lies, or is to be put. Programs are told of it and read it at any time, so it stays as long as
  /// the asset does: its name says what it holds.
  public func copy(uuid: String, name: String) throws(StoreError) -> String {
    try path(to: "\(uuid)\(Self.copyMark)\(name)")
  }

  /// Where a rendition too large for a blob lies, or is to be put.
  public func file(uuid: String, version: String, name: String) throws(StoreError) -> String {
    try path(to: "\(uuid)-\(version)-\(name)")
  }

  private static let folderName = "renditions"

  private func path(to name: String) throws(StoreError) -> String {
    let path = "\(Self.folderName)/\(name)"
    try folder.checkIsFile(path)
    return folder.absolute(path)
  }

  /// Keeps bytes as the file that `copy` or `file` named; the file is there when it is whole.
  public func write(_ data: Data, to file: String) throws(StoreError) {
    let name = (file as NSString).lastPathComponent
    // The name begins with the asset's, so that what a killed process leaves goes with the asset.
    let unfinished = "\(Self.folderName)/.\(name).\(UUID().uuidString)"
    let descriptor = try folder.open(unfinished, O_WRONLY | O_CREAT | O_EXCL)
    defer { close(descriptor) }
    do throws(StoreError) {
      _ = try FileOperations.copy(ByteSource.data(data), to: descriptor, file)
      try folder.replace("\(Self.folderName)/\(name)", with: unfinished)
    } catch {
      try? folder.remove(unfinished)
      throw error
    }
  }
}

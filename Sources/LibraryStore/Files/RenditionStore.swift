import Crypto
import Foundation
internal import GRDB
import Synchronization

/// The pictures and movies computed from originals: small pictures as blobs in `renditions.sqlite`,
/// large ones and movies as files in `renditions/` (`RenditionStore+Files.swift`). All of it can be
/// deleted and is computed again.
///
/// If SQLite finds the database damaged, it counts as an empty cache: reads find nothing, and an
/// empty database replaces it. If only a value is damaged, its row counts as missing and is
/// deleted.
///
/// The renditions of a library that can't be written are read in place. New ones go to a private
/// folder of limited size (`Limits`).
public final class RenditionStore: Sendable {
  let folder: LibraryFolder
  private let opened: Mutex<Opened>
  /// The lock that is held while the file is replaced, since another process may do the same. `nil`
  /// if no other process uses the file.
  private let commits: CommitLock?
  let limits: Limits?
  /// The library whose renditions are only read. They are used if this store has none.
  let library: ReadOnlyLibrary?

  struct ReadOnlyLibrary {
    let folder: LibraryFolder
    /// `nil` if its database can't be read in place, or is an earlier version's.
    let pool: DatabasePool?
  }

  /// The limits of a store in bytes.
  struct Limits {
    /// The limit of the database. If it is reached, all its pictures are deleted.
    var pictures = 128 << 20
    /// The limit of the files before the latest one. The oldest are deleted first.
    var files = 512 << 20
  }

  private struct Opened {
    let pool: DatabasePool
    /// The identity of the open file: another process may have replaced it.
    let identity: FileIdentity?
  }

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

  /// Opens the store of a library. Called under the commit lock.
  init(in folder: LibraryFolder, commits: CommitLock?) throws {
    self.folder = folder
    self.commits = commits
    (limits, library) = (nil, nil)
    opened = Mutex(try StoreError.mapping(folder.absolute(Self.file)) { try Self.open(in: folder, limits: nil) })
  }

  /// Reads the renditions of a library that can't be written, and stores new ones in a scratch
  /// folder.
  init(of library: LibraryFolder, in scratch: LibraryFolder, limits: Limits = Limits()) throws {
    folder = scratch
    commits = nil
    self.limits = limits
    let pool = library.openInPlace(Self.file)
    let isUpToDate = try? pool?.read { try Self.migrator.hasCompletedMigrations($0) }
    self.library = ReadOnlyLibrary(folder: library, pool: isUpToDate == true ? pool : nil)
    opened = Mutex(try StoreError.mapping(scratch.absolute(Self.file)) { try Self.open(in: scratch, limits: limits) })
  }

  static let file = "renditions.sqlite"

  private static func open(in folder: LibraryFolder, limits: Limits?) throws -> Opened {
    do { return try connect(in: folder, limits) } catch let error where isDamage(error) {
      try remove(in: folder)
      return try connect(in: folder, limits)
    }
  }

  private static func remove(in folder: LibraryFolder) throws {
    for suffix in ["", "-wal", "-shm"] { try folder.remove(file + suffix) }
  }

  var pool: DatabasePool { opened.withLock(\.pool) }

  private static func isDamage(_ error: any Error) -> Bool {
    guard let error = error as? DatabaseError else { return false }
    // The statements are correct. If SQLite rejects one, a table or a column is missing.
    let codes: [ResultCode] = [.SQLITE_CORRUPT, .SQLITE_NOTADB, .SQLITE_ERROR]
    let extended: [ResultCode] = [.SQLITE_IOERR_READ, .SQLITE_IOERR_SHORT_READ]
    return codes.contains(error.resultCode) || extended.contains(error.extendedResultCode)
  }

  /// Reads from the database. If it is damaged, returns `missing` and replaces it with an empty
  /// one.
  func read<Value>(missing: Value, _ body: (Database) throws -> Value) throws -> Value {
    try StoreError.mapping(folder.absolute(Self.file)) {
      let pool = pool
      do { return try pool.read(body) } catch let error where Self.isDamage(error) {
        replace(pool)
        return missing
      }
    }
  }

  /// Reads from the database of a library that can't be written. If that fails, the rendition is
  /// computed again.
  func readInLibrary<Value>(_ body: (Database) throws -> Value?) -> Value? {
    (try? library?.pool?.read(body)).flatMap(\.self)
  }

  /// Writes to the database. If it is damaged, replaces it with an empty one and writes to that. If
  /// it has reached its limit, deletes its pictures first.
  func write(_ body: (Database) throws -> Void) throws {
    try StoreError.mapping(folder.absolute(Self.file)) {
      let pool = pool
      do { try pool.write(body) } catch let error where Self.isDamage(error) {
        replace(pool)
        try self.pool.write(body)
      } catch let error as DatabaseError where error.resultCode == .SQLITE_FULL && limits != nil {
        try pool.write { try $0.execute(sql: "DELETE FROM picture; DELETE FROM placeholder") }
        try pool.write(body)
      }
    }
  }

  /// Replaces a damaged database with an empty one, unless another thread or process has done so.
  ///
  /// If that fails, the damaged one stays, and its unreadable entries stay missing.
  private func replace(_ damaged: DatabasePool) {
    if let commits, (try? commits.lock()) == nil { return }
    defer { commits?.unlock() }
    let current = opened.withLock(\.self)
    guard current.pool === damaged else { return }
    if FileIdentity(in: folder, Self.file) == current.identity { try? Self.remove(in: folder) }
    guard let fresh = try? Self.open(in: folder, limits: limits) else { return }
    opened.withLock { $0 = fresh }
  }

  /// Returns the problems of the database and of the files, one sentence each; none if the check is
  /// cancelled. Reads all of them.
  ///
  /// Damaged files are removed, since only their sizes are compared when they are used. Nothing
  /// else is changed.
  func findings(isCancelled: @escaping @Sendable () -> Bool) throws -> [String] {
    guard let pool = library.map(\.pool) ?? pool else { return [] }
    do {
      let cancelled: (problems: [String], files: [String: FileRecord]) = ([], [:])
      let (problems, files) = try pool.read { db in
        try db.work(until: isCancelled, cancelled: cancelled) {
          let integrity = try String.fetchAll(db, sql: "PRAGMA integrity_check").filter { $0 != "ok" }
          let pictures = try Row.fetchCursor(db, sql: "SELECT * FROM picture")
          var damaged = 0
          while let row = try pictures.next() {
            if isCancelled() { return cancelled }
            if (try? Self.picture(row)) == nil { damaged += 1 }
          }
          let problems = integrity + (damaged > 0 ? ["\(damaged) of the pictures are damaged"] : [])
          return (problems: problems, files: try Self.fileRecords(db))
        }
      }
      let damaged = removeDamagedFiles(knowing: files, isCancelled: isCancelled)
      if isCancelled() { return [] }
      return problems + (damaged > 0 ? ["\(damaged) of the files in \(Self.folderName) are damaged"] : [])
    } catch let error as DatabaseError where Self.isDamage(error) {
      return [error.message ?? error.description]
    }
  }

  /// Computes a checksum of a value, to detect damage of large values that SQLite does not notice.
  private static func checksum(of data: Data) -> Int64 { Int64(bitPattern: XXH64.checksum(of: data)) }

  /// Returns whether a value is the one that was stored with a checksum.
  private static func isWhole(_ data: Data, _ checksum: Int64) -> Bool {
    checksum == Self.checksum(of: data) || checksum == formerChecksum(of: data)
  }

  /// Returns the checksum that earlier versions stored: the first bytes of a SHA-256.
  static func formerChecksum(of data: Data) -> Int64 {
    SHA256.hash(data: data).withUnsafeBytes { $0.loadUnaligned(as: Int64.self) }
  }

  private static func connect(in folder: LibraryFolder, _ limits: Limits?) throws -> Opened {
    // SQLite would create the file with the permissions that the umask leaves.
    close(try folder.open(file, O_RDWR | O_CREAT))
    var configuration = Configuration()
    configuration.busyMode = .timeout(30)
    if let limits {
      configuration.prepareDatabase { db in
        let pageSize = try Int.fetchOne(db, sql: "PRAGMA page_size") ?? 4096
        try db.execute(sql: "PRAGMA max_page_count = \(limits.pictures / pageSize)")
      }
    }
    let pool = try DatabasePool(path: folder.absolute(file), configuration: configuration)
    if try !pool.read({ try migrator.hasCompletedMigrations($0) }) { try migrator.migrate(pool) }
    return Opened(pool: pool, identity: FileIdentity(in: folder, file))
  }

  private static let migrator: DatabaseMigrator = {
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
    migrator.registerMigration("3: checksums") { db in
      // NULL for earlier pictures, which are not checked.
      try db.execute(sql: "ALTER TABLE picture ADD COLUMN checksum INTEGER")
    }
    migrator.registerMigration("4: files") { db in
      // Files of earlier versions have no row.
      try db.execute(
        sql: """
          CREATE TABLE file (
            name TEXT PRIMARY KEY,
            byte_count INTEGER NOT NULL,
            sha256 BLOB NOT NULL
          ) STRICT, WITHOUT ROWID;
          """)
    }
    return migrator
  }()

  public func store(_ entries: [Entry]) throws {
    try write { db in
      for entry in entries {
        for picture in entry.pictures {
          try db.cachedStatement(sql: "INSERT OR REPLACE INTO picture VALUES (?, ?, ?, ?, ?, ?, ?, ?)").execute(
            arguments: [
              entry.uuid, picture.kind, entry.version, picture.pixelWidth, picture.pixelHeight,
              picture.uniformTypeIdentifier, picture.data, Self.checksum(of: picture.data),
            ])
        }
        if let placeholder = entry.placeholder {
          try db.cachedStatement(sql: "INSERT OR REPLACE INTO placeholder VALUES (?, ?, ?)")
            .execute(arguments: [entry.uuid, entry.version, placeholder])
        }
      }
    }
  }

  public func picture(uuid: String, kind: String, version: String) throws -> Picture? {
    let key: StatementArguments = [uuid, kind, version]
    func row(_ db: Database) throws -> Row? {
      let statement = try db.cachedStatement(
        sql: "SELECT * FROM picture WHERE asset_uuid = ? AND kind = ? AND version = ?")
      return try Row.fetchOne(statement, arguments: key)
    }
    if let stored = try read(missing: nil, row) {
      if let picture = try? Self.picture(stored) { return picture }
      // If it can't be deleted, it stays missing.
      try? write { db in
        try db.execute(
          sql: "DELETE FROM picture WHERE asset_uuid = ? AND kind = ? AND version = ?", arguments: key)
      }
    }
    return readInLibrary(row).flatMap { try? Self.picture($0) }
  }

  /// Returns the picture of a row; throws if a value is damaged.
  private static func picture(_ row: Row) throws -> Picture {
    let picture = Picture(
      kind: try row.value("kind"), pixelWidth: try row.pixels("pixel_width"),
      pixelHeight: try row.pixels("pixel_height"),
      uniformTypeIdentifier: try row.value("uniform_type_identifier"), data: try row.value("data"))
    if let checksum: Int64 = try row.value("checksum"), !isWhole(picture.data, checksum) {
      throw StoreError.damagedValue(of: "data")
    }
    return picture
  }

  /// Returns the stored placeholders by asset, without those of an older version.
  public func placeholders(for versions: [String: String]) throws -> [String: Data] {
    let list = String(decoding: try JSONEncoder().encode(Array(versions.keys)), as: UTF8.self)
    func placeholders(_ db: Database) throws -> (found: [String: Data], damaged: [String]) {
      let statement = try db.cachedStatement(
        sql: "SELECT * FROM placeholder WHERE asset_uuid IN (SELECT value FROM json_each(?))")
      let rows = try Row.fetchCursor(statement, arguments: [list])
      var found: [String: Data] = [:]
      var damaged: [String] = []
      while let row = try rows.next() {
        let uuid: String = try row.value("asset_uuid")
        do {
          if versions[uuid] == (try row.value("version")) { found[uuid] = try row.value("pixels") }
        } catch { damaged.append(uuid) }
      }
      return (found, damaged)
    }
    let own = try read(missing: (found: [:], damaged: []), placeholders)
    if !own.damaged.isEmpty {
      try? write { db in
        for uuid in own.damaged {
          try db.execute(sql: "DELETE FROM placeholder WHERE asset_uuid = ?", arguments: [uuid])
        }
      }
    }
    return own.found.merging(readInLibrary(placeholders)?.found ?? [:]) { own, _ in own }
  }

  /// Records that a task failed for a file, and deletes old records.
  public func storeFailure(of task: String, sha256: Data, reason: String, now: Date = Date()) {
    // If the failure can't be recorded, the task is tried again.
    try? write { db in
      try db.cachedStatement(sql: "DELETE FROM failure WHERE date < ?")
        .execute(arguments: [now.timeIntervalSince1970 - Self.secondsOfAFailure])
      try db.cachedStatement(sql: "INSERT OR REPLACE INTO failure VALUES (?, ?, ?, ?)")
        .execute(arguments: [sha256, task, now.timeIntervalSince1970, reason])
    }
  }

  /// Deletes the recorded failures of a file, so that its tasks may be tried again.
  ///
  /// Called under the commit lock, so it does not replace a damaged database: that would take the
  /// lock again.
  public func forgetFailures(of sha256: Data) {
    try? pool.write { try $0.execute(sql: "DELETE FROM failure WHERE sha256 = ?", arguments: [sha256]) }
  }

  /// Returns the reason that a task failed for a file during the last day; `nil` if it did not.
  public func failure(of task: String, sha256: Data, now: Date = Date()) -> String? {
    func failure(_ db: Database) throws -> String? {
      let statement = try db.cachedStatement(
        sql: "SELECT reason FROM failure WHERE sha256 = ? AND task = ? AND date >= ? AND date <= ?")
      let date = now.timeIntervalSince1970
      return try String.fetchOne(statement, arguments: [sha256, task, date - Self.secondsOfAFailure, date])
    }
    return (try? read(missing: nil, failure)) ?? readInLibrary(failure)
  }

  private static let secondsOfAFailure: TimeInterval = 24 * 3600

  /// Deletes the renditions of assets. If the assets only show something else now, `keepsCopies`
  /// keeps their copies. A rendition that can't be deleted only takes space.
  public func remove(_ uuids: [String], keepsCopies: Bool = false) {
    guard !uuids.isEmpty else { return }
    // The commit lock is held, so a damaged database is not replaced here. Its pictures are not
    // shown, since their versions don't match.
    try? pool.write { db in
      for uuid in uuids {
        try db.cachedStatement(sql: "DELETE FROM picture WHERE asset_uuid = ?").execute(arguments: [uuid])
        try db.cachedStatement(sql: "DELETE FROM placeholder WHERE asset_uuid = ?").execute(arguments: [uuid])
      }
    }
    removeFiles(ofAssets: Set(uuids), keepsCopies: keepsCopies)
  }
}

/// The identity of the file at a path.
private struct FileIdentity: Equatable {
  let device: UInt64
  let inode: UInt64

  init?(in folder: LibraryFolder, _ name: String) {
    guard let status = (try? folder.status(name)).flatMap(\.self) else { return nil }
    device = UInt64(status.st_dev)
    inode = UInt64(status.st_ino)
  }
}

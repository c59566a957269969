import Crypto
import Foundation
import Synchronization

/// The pictures and movies computed from originals: small pictures as blobs in `renditions.sqlite`,
/// large ones and movies as files in `renditions/` (`RenditionStore+Files.swift`). All of it can be
/// deleted and is computed again.
///
/// If the database can't be opened, or SQLite finds it damaged later, it counts as an empty cache:
/// reads find nothing, and an empty database replaces it. If only a value is damaged, its row
/// counts as missing and is deleted.
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
    let database: SQLiteDatabase?
  }

  /// The limits of a store in bytes.
  struct Limits {
    /// The limit of the database. If it is reached, all its pictures are deleted.
    var pictures = 128 << 20
    /// The limit of the files before the latest one. The oldest are deleted first.
    var files = 512 << 20
  }

  private struct Opened {
    let database: SQLiteDatabase
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

  /// Opens the store of a library. Unless the commit lock is held, it fails if a database must be
  /// made or replaced.
  init(in folder: LibraryFolder, commits: CommitLock?, isLocked: Bool = true) throws {
    self.folder = folder
    self.commits = commits
    (limits, library) = (nil, nil)
    opened = Mutex(
      isLocked ? try Self.open(in: folder, limits: nil) : try Self.connect(in: folder, nil, mayMigrate: false))
  }

  /// Reads the renditions of a library that can't be written, and stores new ones in a scratch
  /// folder.
  init(of library: LibraryFolder, in scratch: LibraryFolder, limits: Limits = Limits()) throws {
    folder = scratch
    commits = nil
    self.limits = limits
    let database = library.openInPlace(Self.file)
    let isComplete = (try? database.map(Self.isComplete)) == true
    self.library = ReadOnlyLibrary(folder: library, database: isComplete ? database : nil)
    opened = Mutex(try Self.open(in: scratch, limits: limits))
  }

  static let file = LibraryFolder.renditionDatabase

  /// Opens the database. One that can't be opened is replaced, unless a later attempt may succeed.
  private static func open(in folder: LibraryFolder, limits: Limits?) throws -> Opened {
    do { return try connect(in: folder, limits) } catch let error as StoreError
      where error.code != .notEnoughSpace && error.code != .busy
    {
      try removeDatabase(in: folder)
      return try connect(in: folder, limits)
    }
  }

  /// Removes the database. A folder in the place of one of its files gets another name, since
  /// nothing is known of the files in it.
  static func removeDatabase(in folder: LibraryFolder) throws(StoreError) {
    for name in LibraryFolder.databaseSuffixes.map({ file + $0 }) {
      if let status = try folder.status(name), status.st_mode & S_IFMT == S_IFDIR {
        try folder.replace("\(name)-\(UUID().uuidString)", with: name)
      } else {
        try folder.remove(name)
      }
    }
  }

  var database: SQLiteDatabase { opened.withLock(\.database) }

  /// Reads from the database. If it is damaged, returns `missing` and replaces it with an empty
  /// one.
  func read<Value>(missing: Value, _ body: (any Session) throws -> Value) throws -> Value {
    try StoreError.mapping(folder.absolute(Self.file)) {
      let database = database
      do { return try database.read(body) } catch let error where SQLiteDatabase.isDamage(error) {
        replace(database)
        return missing
      }
    }
  }

  /// Reads from the database of a library that can't be written. If that fails, the rendition is
  /// computed again.
  func readInLibrary<Value>(_ body: (any Session) throws -> Value?) -> Value? {
    (try? library?.database?.read(body)).flatMap(\.self)
  }

  /// Writes to the database. If it is damaged, replaces it with an empty one and writes to that. If
  /// it has reached its limit, deletes its pictures first.
  func write(_ body: (any Session) throws -> Void) throws {
    try StoreError.mapping(folder.absolute(Self.file)) {
      let database = database
      do { try database.write(body) } catch let error where SQLiteDatabase.isDamage(error) {
        replace(database)
        try self.database.write(body)
      } catch let error where SQLiteDatabase.isFull(error) && limits != nil {
        try database.write { try $0.run(script: "DELETE FROM picture; DELETE FROM placeholder") }
        try database.write(body)
      }
    }
  }

  /// Replaces a damaged database with an empty one, unless another thread or process has done so.
  ///
  /// If that fails, the damaged one stays, and its unreadable entries stay missing.
  private func replace(_ damaged: SQLiteDatabase) {
    if let commits, (try? commits.lock()) == nil { return }
    defer { commits?.unlock() }
    let current = opened.withLock(\.self)
    guard current.database === damaged else { return }
    if FileIdentity(in: folder, Self.file) == current.identity { try? Self.removeDatabase(in: folder) }
    guard let fresh = try? Self.open(in: folder, limits: limits) else { return }
    opened.withLock { $0 = fresh }
  }

  /// Returns the problems of the database and of the files, one sentence each; none if the check is
  /// canceled. Reads all of them.
  ///
  /// Damaged files are removed, since only their sizes are compared when they are used. Nothing
  /// else is changed.
  func findings(isCancelled: @escaping @Sendable () -> Bool) throws -> [String] {
    guard let database = library.map(\.database) ?? database else { return [] }
    do {
      let cancelled: (problems: [String], files: [String: FileRecord]) = ([], [:])
      let (problems, files) = try database.read { db in
        try db.work(until: isCancelled, cancelled: cancelled) {
          let integrity = try (db.values("PRAGMA integrity_check") as [String]).filter { $0 != "ok" }
          var damaged = 0
          try db.forEachRow("SELECT * FROM picture") { row in
            if (try? Self.picture(row)) == nil { damaged += 1 }
          }
          var damagedPlaceholders = 0
          try db.forEachRow("SELECT * FROM placeholder") { row in
            if (try? Self.placeholder(row)) == nil { damagedPlaceholders += 1 }
          }
          let problems =
            integrity + (damaged > 0 ? ["\(damaged) of the pictures are damaged"] : [])
            + (damagedPlaceholders > 0 ? ["\(damagedPlaceholders) of the placeholders are damaged"] : [])
          return (problems: problems, files: try Self.fileRecords(db))
        }
      }
      let damaged = removeDamagedFiles(knowing: files, isCancelled: isCancelled)
      if isCancelled() { return [] }
      return problems + (damaged > 0 ? ["\(damaged) of the files in \(Self.folderName) are damaged"] : [])
    } catch let error where SQLiteDatabase.isDamage(error) {
      return [SQLiteDatabase.message(of: error)]
    }
  }

  /// Computes a checksum of a value, to detect damage of large values that SQLite does not notice.
  private static func checksum(of data: Data) -> Int64 { Int64(bitPattern: XXH64.checksum(of: data)) }

  /// Computes a checksum of a picture with its size and type. The columns of its key need none: if
  /// one of them is damaged, the picture is not found.
  private static func checksum(of picture: Picture) -> Int64 {
    let facts = "\(picture.pixelWidth) \(picture.pixelHeight) \(picture.uniformTypeIdentifier)"
    return checksum(of: picture.data) ^ checksum(of: Data(facts.utf8))
  }

  /// Returns whether a picture is the one that was stored with a checksum. Earlier versions stored
  /// one of the data alone.
  private static func isWhole(_ picture: Picture, _ checksum: Int64) -> Bool {
    checksum == Self.checksum(of: picture) || checksum == Self.checksum(of: picture.data)
      || checksum == formerChecksum(of: picture.data)
  }

  /// Returns the checksum that the first versions stored: the first bytes of a SHA-256.
  static func formerChecksum(of data: Data) -> Int64 {
    SHA256.hash(data: data).withUnsafeBytes { $0.loadUnaligned(as: Int64.self) }
  }

  /// Whether a database has this version's tables. Throws if it may run statements of its own.
  private static func isComplete(_ database: SQLiteDatabase) throws -> Bool {
    let version = try database.version(migrations)
    guard try version != .later || database.isHarmless(beside: migrations) else {
      throw StoreError(.damaged, "", reason: "its tables are not those of this version")
    }
    return version.isComplete
  }

  private static func beingMade(in folder: LibraryFolder) -> StoreError {
    StoreError(.busy, folder.absolute(file), reason: "another process is making it")
  }

  private static func connect(
    in folder: LibraryFolder, _ limits: Limits?, mayMigrate: Bool = true
  ) throws -> Opened {
    guard try mayMigrate || folder.hasLog(file) else { throw beingMade(in: folder) }
    // SQLite would create the file with the permissions that the umask leaves.
    close(try folder.open(file, mayMigrate ? O_RDWR | O_CREAT : O_RDWR))
    let found = FileIdentity(in: folder, file)
    return try StoreError.mapping(folder.absolute(file)) {
      let database = try SQLiteDatabase(path: folder.absolute(file), byteLimit: limits?.pictures)
      if try !isComplete(database) {
        guard mayMigrate else { throw beingMade(in: folder) }
        try database.migrate(migrations)
      }
      try database.read { db in
        for columns in columns { try db.run(script: "SELECT \(columns) LIMIT 0") }
      }
      let opened = Opened(database: database, identity: FileIdentity(in: folder, file))
      guard mayMigrate || opened.identity == found else { throw beingMade(in: folder) }
      return opened
    }
  }

  public func store(_ entries: [Entry]) throws {
    try write { db in
      for entry in entries {
        for picture in entry.pictures {
          try db.execute(
            "INSERT OR REPLACE INTO picture VALUES (?, ?, ?, ?, ?, ?, ?, ?)", entry.uuid, picture.kind, entry.version,
            picture.pixelWidth, picture.pixelHeight, picture.uniformTypeIdentifier, picture.data,
            Self.checksum(of: picture))
        }
        if let placeholder = entry.placeholder {
          try db.execute(
            "INSERT OR REPLACE INTO placeholder VALUES (?, ?, ?, ?)", entry.uuid, entry.version, placeholder,
            Self.checksum(of: placeholder))
        }
      }
    }
  }

  public func picture(uuid: String, kind: String, version: String) throws -> Picture? {
    func row(_ db: any Session) throws -> StoreRow? {
      try db.row("SELECT * FROM picture WHERE asset_uuid = ? AND kind = ? AND version = ?", uuid, kind, version)
    }
    if let stored = try read(missing: nil, row) {
      if let picture = try? Self.picture(stored) { return picture }
      // If it can't be deleted, it stays missing.
      try? write { db in
        try db.execute("DELETE FROM picture WHERE asset_uuid = ? AND kind = ? AND version = ?", uuid, kind, version)
      }
    }
    return readInLibrary(row).flatMap { try? Self.picture($0) }
  }

  /// Returns the picture of a row; throws if a value is damaged.
  private static func picture(_ row: StoreRow) throws -> Picture {
    let picture = Picture(
      kind: try row.value("kind"), pixelWidth: try row.pixels("pixel_width"),
      pixelHeight: try row.pixels("pixel_height"),
      uniformTypeIdentifier: try row.value("uniform_type_identifier"), data: try row.value("data"))
    if let checksum: Int64 = try row.value("checksum"), !isWhole(picture, checksum) {
      throw StoreError.damagedValue(of: "data")
    }
    return picture
  }

  /// Returns the placeholder of a row; throws if a value is damaged.
  private static func placeholder(_ row: StoreRow) throws -> Data {
    let pixels: Data = try row.value("pixels")
    if let checksum: Int64 = try row.value("checksum"), checksum != self.checksum(of: pixels) {
      throw StoreError.damagedValue(of: "pixels")
    }
    return pixels
  }

  /// Returns the stored placeholders by asset, without those of an older version.
  public func placeholders(for versions: [String: String]) throws -> [String: Data] {
    let list = try JSONArgument.array(versions.keys)
    func placeholders(_ db: any Session) throws -> (found: [String: Data], damaged: [String]) {
      var found: [String: Data] = [:]
      var damaged: [String] = []
      for row in try db.rows("SELECT * FROM placeholder WHERE asset_uuid IN \(BoundSQL.list)", list) {
        let uuid: String = try row.value("asset_uuid")
        do {
          if versions[uuid] == (try row.value("version")) { found[uuid] = try Self.placeholder(row) }
        } catch { damaged.append(uuid) }
      }
      return (found, damaged)
    }
    let own = try read(missing: (found: [:], damaged: []), placeholders)
    if !own.damaged.isEmpty {
      try? write { db in
        for uuid in own.damaged {
          try db.execute("DELETE FROM placeholder WHERE asset_uuid = ?", uuid)
        }
      }
    }
    return own.found.merging(readInLibrary(placeholders)?.found ?? [:]) { own, _ in own }
  }

  /// Records that a task failed for a file, and deletes old records.
  public func storeFailure(of task: String, sha256: Data, reason: String, now: Date = Date()) {
    // If the failure can't be recorded, the task is tried again.
    try? write { db in
      try db.execute("DELETE FROM failure WHERE date < ?", now.timeIntervalSince1970 - Self.secondsOfAFailure)
      try db.execute(
        "INSERT OR REPLACE INTO failure VALUES (?, ?, ?, ?)", sha256, task, now.timeIntervalSince1970, reason)
    }
  }

  /// Deletes the recorded failures of a file, so that its tasks may be tried again.
  ///
  /// Called under the commit lock, so it does not replace a damaged database: that would take the
  /// lock again.
  public func forgetFailures(of sha256: Data) {
    try? database.write { _ = try $0.execute("DELETE FROM failure WHERE sha256 = ?", sha256) }
  }

  /// Returns the reason that a task failed for a file during the last day; `nil` if it did not.
  public func failure(of task: String, sha256: Data, now: Date = Date()) -> String? {
    func failure(_ db: any Session) throws -> String? {
      let date = now.timeIntervalSince1970
      return try db.value(
        "SELECT reason FROM failure WHERE sha256 = ? AND task = ? AND date >= ? AND date <= ?",
        sha256, task, date - Self.secondsOfAFailure, date)
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
    try? database.write { db in
      for uuid in uuids {
        try db.execute("DELETE FROM picture WHERE asset_uuid = ?", uuid)
        try db.execute("DELETE FROM placeholder WHERE asset_uuid = ?", uuid)
      }
    }
    removeFiles(ofAssets: Set(uuids), keepsCopies: keepsCopies)
  }
}

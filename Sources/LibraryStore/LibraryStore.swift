import Foundation
import Synchronization

/// A library on disk: its database, its originals, its renditions.
///
///     let store = try LibraryStore(path: "/photos/Photos Library.calotype", create: true)
///     let ids = try store.fetch(FetchQuery(.assets)).ids
///
/// Any thread may use it. Reads continue during a write. Several processes may open the same
/// library.
public final class LibraryStore: Sendable {
  /// The absolute path of the library's folder.
  public let path: String
  let folder: LibraryFolder
  /// The identity of the library, independent of its path.
  public let uuid: String
  let database: SQLiteDatabase
  /// The file that contains the library's rows.
  public let databasePath: String
  public let renditions: RenditionStore
  public let originals: any Originals
  private let openedIncoming = Mutex<IncomingFolder?>(nil)
  let openedSignIn = Mutex<SignInDatabase?>(nil)
  /// The reason that the library can't be written; nil if it can be. Such a library refuses
  /// changes. It shows its contents as they were when it was opened, or with other processes'
  /// changes.
  public var readOnlyReason: String? { obstacleToWriting?.reason }
  private let obstacleToWriting: StoreError?
  let writing: Writing?
  let scratch: ScratchFolder?
  /// Whether the database can change, by this process or by others that share it.
  let isLive: Bool
  let watchers = Mutex<[WeakWatcher]>([])
  let clock: @Sendable () -> Date
  let trustsClock: Bool
  let historyLimits: HistoryLimits

  /// Opens the library, or creates it if there is none and `create` is true. `clock` returns the
  /// time of transactions and fetches.
  ///
  /// A computer's clock may be wrong: unless `trustsClock` is set, a single reading never expires
  /// the trash. A library that has files of originals but none in its database is refused. With
  /// `isRepairing` it opens with another database, which replaces the library's own when the repair
  /// is finished (`finishRepair`). `originals` can replace the store of originals: it receives the
  /// one for the library's folder, and returns the one to use.
  public init(
    path: String, create: Bool, historyLimits: HistoryLimits = .standard,
    clock: @escaping @Sendable () -> Date = { Date() }, trustsClock: Bool = false, isRepairing: Bool = false,
    originals: (any Originals) -> any Originals = { $0 }
  ) throws {
    self.path = path
    self.clock = clock
    self.trustsClock = trustsClock
    self.historyLimits = historyLimits
    let folder = LibraryFolder(path: path)
    self.folder = folder
    self.originals = originals(FolderOriginals(folder: folder))
    // Checked again after the originals: another process may have created the library just now and
    // added files.
    if !isRepairing, Self.isDatabaseLost(in: folder), let file = Self.fileOfOriginals(path),
      Self.isDatabaseLost(in: folder)
    {
      throw Self.lostDatabase(in: folder, originals: file)
    }
    let isNew = try !isRepairing && folder.status(Self.databaseName) == nil
    if isNew {
      guard create else { throw StoreError(.notALibrary, path, reason: "there is no photo library here") }
      try Self.checkForNewLibrary(path)
      if let obstacle = folder.hardLinkObstacle() { throw obstacle }
      try folder.makeRoot()
    } else {
      try Self.checkIsLibrary(folder)
    }
    var obstacle = isNew ? nil : folder.obstacleToWriting()
    if obstacle == nil { folder.restrictAccess() }
    try folder.checkOwnFiles()
    if isNew || isRepairing {
      for name in ["originals", "adjustments", "renditions", "incoming"] { try folder.makeFolder(name) }
    }
    // SQLite would create the file with the permissions that the umask leaves.
    if isNew { close(try folder.open(Self.databaseName, O_RDWR | O_CREAT)) }
    databasePath = folder.absolute(isRepairing ? Self.repairedDatabase : Self.databaseName)
    let opened: Opened
    if isRepairing {
      if let obstacle { throw obstacle }
      opened = try Self.openForRepair(folder)
    } else if obstacle != nil {
      opened = try Self.openInPlace(folder) ?? Self.openCopy(of: folder)
    } else {
      do {
        opened = try Self.openForWriting(folder)
      } catch let error as StoreError where error.code == .notEnoughSpace && !isNew {
        do {
          opened = try SpaceReserve(folder: folder).released { try Self.openForWriting(folder) }
        } catch let error as StoreError where error.code == .notEnoughSpace {
          opened = try Self.openCopy(of: folder)
          obstacle = error
        }
      }
    }
    (database, uuid, renditions) = (opened.database, opened.uuid, opened.renditions)
    (writing, scratch, isLive) = (opened.writing, opened.scratch, opened.isLive)
    obstacleToWriting = obstacle
  }

  /// The result of opening a library.
  struct Opened {
    var database: SQLiteDatabase
    var uuid: String
    var renditions: RenditionStore
    var writing: Writing?
    var scratch: ScratchFolder?
    var isLive: Bool
  }

  /// The lock and the signal that all processes use to write to the library.
  struct Writing {
    let commits: CommitLock
    let signal: CommitSignal
    /// The file of the open database, or `nil` while it is being opened.
    var database: FileIdentity?
  }

  private static func openForWriting(_ folder: LibraryFolder) throws -> Opened {
    var writing = Writing(commits: try CommitLock(in: folder), signal: try CommitSignal(in: folder))
    if try !writing.commits.lockIfFree() {
      if let opened = try openDuringCommit(folder, writing) { return opened }
      try writing.commits.lock()
    }
    // If several processes open the library at the same time, one of them creates the tables. No
    // process clears the files that another one is creating.
    defer { writing.commits.unlock() }
    let (database, uuid) = try openDatabase(in: folder, of: folder)
    let renditions = try RenditionStore(in: folder, commits: writing.commits)
    try clearLeftovers(in: folder, database, uuid)
    SpaceReserve(folder: folder).makeIfPossible()
    writing.database = FileIdentity(in: folder, databaseName)
    return Opened(database: database, uuid: uuid, renditions: renditions, writing: writing, isLive: true)
  }

  /// Opens a library of this version while a commit goes on, which may never end: its process may
  /// have been stopped. Leftovers stay until another opening. Returns `nil` if the opening must
  /// wait.
  static func openDuringCommit(_ folder: LibraryFolder, _ writing: Writing) throws -> Opened? {
    // A repair that ends renames databases. Then nobody may open one.
    guard try folder.status(repairFolder) == nil, let identity = FileIdentity(in: folder, databaseName) else {
      return nil
    }
    let file = folder.absolute(databaseName)
    // A database without a log is being made. Whoever opens it disturbs its maker.
    guard try folder.hasLog(databaseName), let database = try? SQLiteDatabase(path: file, isDurable: true),
      (try? database.version(Schema.migrations)) == .current,
      // Files without rows may belong to a first import that is still running.
      (try? hasRows(database, in: folder)) == true || fileOfOriginals(folder.path) == nil,
      let renditions = try? RenditionStore(in: folder, commits: writing.commits, isLocked: false)
    else { return nil }
    let uuid = try StoreError.mapping(file) {
      try migrate(database, file, ofLibraryAt: folder.path, isRepairing: false)
    }
    var writing = writing
    writing.database = identity
    return Opened(database: database, uuid: uuid, renditions: renditions, writing: writing, isLive: true)
  }

  /// Clears the leftovers of ended sessions, unless the database has lost its rows.
  private static func clearLeftovers(in folder: LibraryFolder, _ database: SQLiteDatabase, _ uuid: String) throws {
    let sessions = try database.read { db in
      let current = JournalNote.Moment(library: uuid, transaction: try latestTransaction(db))
      return try IncomingFolder.endedSessions(in: folder) { note in
        try note.isInHistory(of: current) && !isNamed(note.path, db) && note.isAboutFile(in: folder)
      }
    }
    let hasRows = try hasRows(database, in: folder)
    // Without any rows, a journal of an earlier version explains its files, but does not prove that
    // they may go. It stays until there are rows.
    if !hasRows { try checkForLostRows(in: folder, except: sessions.flatMap { $0.abandoned + $0.unproven }) }
    try IncomingFolder.clear(sessions.filter { hasRows || $0.unproven.isEmpty }, in: folder)
  }

  /// Opens the database in place, for reading; returns `nil` if it can't be read there, or must be
  /// migrated.
  private static func openInPlace(_ folder: LibraryFolder) throws -> Opened? {
    guard let database = folder.openInPlace(Self.databaseName),
      (try? database.version(Schema.migrations))?.isComplete == true
    else { return nil }
    return try opened(database, of: folder, in: ScratchFolder(for: folder), isLive: !folder.isOnImmutableDisk)
  }

  /// Opens a copy of the current database.
  private static func openCopy(of folder: LibraryFolder) throws -> Opened {
    let scratch = try ScratchFolder(copyingDatabaseOf: folder)
    let (database, _) = try openDatabase(in: scratch.folder, of: folder)
    return try opened(database, of: folder, in: scratch, isLive: false)
  }

  private static func opened(
    _ database: SQLiteDatabase, of folder: LibraryFolder, in scratch: ScratchFolder, isLive: Bool
  ) throws -> Opened {
    let file = folder.absolute(Self.databaseName)
    let uuid = try StoreError.mapping(file) {
      try migrate(database, file, ofLibraryAt: folder.path, isRepairing: false)
    }
    if try !hasRows(database, in: folder) { try checkForLostRows(in: folder) }
    let renditions = try RenditionStore(of: folder, in: scratch.folder)
    return Opened(database: database, uuid: uuid, renditions: renditions, scratch: scratch, isLive: isLive)
  }

  static func openDatabase(
    in folder: LibraryFolder, of library: LibraryFolder, isRepairing: Bool = false
  ) throws -> (SQLiteDatabase, uuid: String) {
    let file = library.absolute(Self.databaseName)
    let database = try StoreError.mapping(file) {
      try SQLiteDatabase(path: folder.absolute(Self.databaseName), isDurable: true)
    }
    let uuid = try StoreError.mapping(file) {
      try migrate(database, file, ofLibraryAt: library.path, isRepairing: isRepairing)
    }
    return (database, uuid)
  }

  /// Returns the lock and the signal of writers; throws if the library is read-only.
  func requireWriting() throws(StoreError) -> Writing {
    guard let writing else {
      throw StoreError(
        obstacleToWriting?.code ?? .readOnly, path,
        reason: "the library is open read-only, and nothing was changed: \(readOnlyReason ?? "it can’t be written")")
    }
    return writing
  }

  /// Throws if another file has taken the place of the open database, as after a repair: the rows
  /// would go to a file that no other process reads. Called under the commit lock.
  func checkDatabaseIsInPlace(_ writing: Writing) throws(StoreError) {
    guard FileIdentity(path: databasePath) != writing.database else { return }
    throw StoreError(
      .replaced, databasePath,
      reason:
        "the database was moved or replaced since the library was opened, as `calotype repair` does; nothing was changed; "
        + "open the library again")
  }

  /// The folder of files that no transaction refers to yet.
  public var incomingURL: URL {
    URL(fileURLWithPath: (scratch?.folder ?? folder).absolute("incoming"), isDirectory: true)
  }

  /// This process's folder for incoming files, created with the first one.
  var incoming: IncomingFolder {
    get throws(StoreError) {
      if let opened = openedIncoming.withLock(\.self) { return opened }
      let commits = try requireWriting().commits
      try commits.lock()
      defer { commits.unlock() }
      return try incomingInsideCommit
    }
  }

  /// The same folder, for callers that hold the commit lock: no other process clears it while it is
  /// created.
  var incomingInsideCommit: IncomingFolder {
    get throws(StoreError) {
      try openedIncoming.withLock { folder throws(StoreError) in
        if let folder { return folder }
        let made = try IncomingFolder(in: self.folder, session: UUID())
        folder = made
        return made
      }
    }
  }

  /// The time of transactions.
  public var now: Date { clock() }

  /// Throws unless the folder is empty or missing, so that a new library is not mixed with other
  /// files.
  static func checkForNewLibrary(_ path: String) throws(StoreError) {
    let contents = (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []
    // Another process may be creating the same library.
    let own =
      ["originals", "adjustments", "renditions", "incoming"]
      + ["", "-wal", "-shm", "-journal"].map { Self.databaseName + $0 }
    let foreign = contents.filter { !own.contains($0) }
    guard foreign.isEmpty else {
      throw StoreError(
        .notALibrary, path, reason: "the folder is not empty and holds no \(Self.databaseName); choose a new folder")
    }
  }

  /// Throws if `library.sqlite` is another program's database: it has tables, but not a library's,
  /// and no folder of a library is beside it.
  private static func checkIsLibrary(_ folder: LibraryFolder) throws {
    for name in ["originals", "adjustments", "renditions", "incoming"] where try folder.status(name) != nil { return }
    try folder.checkOwnFiles()
    // SQLite makes files beside a database that keeps a log, even to read it.
    let copy = try ScratchFolder(copyingDatabaseOf: folder)
    let sql = """
      SELECT EXISTS (SELECT 1 FROM sqlite_schema WHERE type = 'table')
        AND NOT EXISTS (SELECT 1 FROM sqlite_schema WHERE name = 'original')
      """
    // A damaged database is reported later.
    let isForeign = try? SQLiteDatabase.inspect(copy.folder.absolute(Self.databaseName)) {
      try $0.isTrue(sql)
    }
    guard isForeign != true else {
      throw StoreError(
        .notALibrary, folder.path,
        reason: "this is no photo library: its \(Self.databaseName) is another program’s; nothing was changed; "
          + "check the path")
    }
  }

  private static func migrate(
    _ database: SQLiteDatabase, _ file: String, ofLibraryAt path: String, isRepairing: Bool
  ) throws -> String {
    let version = try database.version(Schema.migrations)
    if version == .later {
      throw StoreError(.madeByNewerVersion, file, reason: "the library was made by a newer version of Calotype")
    }
    if !isRepairing, version == .none,
      let file = fileOfOriginals(path)
    {
      throw lostDatabase(in: LibraryFolder(path: path), originals: file)
    }
    if version != .current { try database.migrate(Schema.migrations) }
    return try database.read { db in
      guard let uuid: String = try db.value("SELECT uuid FROM library") else {
        throw StoreError(.damaged, file, reason: "the database has no row for its library")
      }
      return uuid
    }
  }
}

import Foundation

/// A repair fills a new database in the folder `repair`, while the library's own database stays in
/// place. When the new one is full, it replaces the library's own.
extension LibraryStore {
  static let repairFolder = "repair"
  static let formerDatabasePrefix = "library-before-repair-"
  static let repairedDatabase = "\(repairFolder)/\(LibraryStore.databaseName)"

  /// Opens a new database for the library, or the one from an interrupted repair of this account.
  static func openForRepair(_ folder: LibraryFolder) throws -> Opened {
    var writing = Writing(commits: try CommitLock(in: folder), signal: try CommitSignal(in: folder))
    try writing.commits.lock()
    defer { writing.commits.unlock() }
    try folder.makeFolder(repairFolder)
    let repair = LibraryFolder(path: folder.absolute(repairFolder))
    try repair.checkOwnFiles()
    // Without a note, a repair can be made, but not continued after an interruption.
    let note = try? RepairNote(ofLibraryAt: folder.path)
    let (database, uuid) = try openUnfinished(in: repair, of: folder, note) ?? openNew(in: repair, of: folder, note)
    try forgetMissing(database, in: folder)
    let renditions = try RenditionStore(in: folder, commits: writing.commits)
    // The new database has no rows yet: a missing row is no reason to delete a file.
    try IncomingFolder.clear(IncomingFolder.endedSessions(in: folder) { _ in false }, in: folder)
    writing.database = FileIdentity(in: folder, repairedDatabase)
    return Opened(database: database, uuid: uuid, renditions: renditions, writing: writing, isLive: true)
  }

  /// Opens the database of an interrupted repair. Returns `nil` if there is none, if it is damaged,
  /// or if another account began it, whose rows would be taken over unchecked.
  private static func openUnfinished(
    in repair: LibraryFolder, of folder: LibraryFolder, _ note: RepairNote?
  ) throws -> (SQLiteDatabase, uuid: String)? {
    guard let noted = try note?.read(), try repair.status(Self.databaseName) != nil else { return nil }
    do {
      let opened = try openDatabase(in: repair, of: folder, isRepairing: true)
      return opened.uuid == noted ? opened : nil
    } catch let error as StoreError where error.code == .damaged { return nil }
  }

  private static func openNew(
    in repair: LibraryFolder, of folder: LibraryFolder, _ note: RepairNote?
  ) throws -> (SQLiteDatabase, uuid: String) {
    for name in try folder.contents(of: repairFolder) { try repair.remove(name) }
    // The assets are created anew, and renditions belong to assets.
    try RenditionStore.removeDatabase(in: folder)
    for file in try folder.contents(of: "renditions") { try folder.remove("renditions/\(file)") }
    // SQLite would create the file with the permissions that the umask leaves.
    close(try repair.open(Self.databaseName, O_RDWR | O_CREAT))
    let opened = try openDatabase(in: repair, of: folder, isRepairing: true)
    // Without the note, as on a full disk, an interrupted repair begins anew.
    try? note?.write(opened.uuid)
    return opened
  }

  /// Removes the assets of files that an interrupted repair found and that are missing now.
  private static func forgetMissing(_ database: SQLiteDatabase, in folder: LibraryFolder) throws {
    try StoreError.mapping(folder.absolute(repairedDatabase)) {
      try database.write { db in
        let gone = try (db.values("SELECT path FROM original") as [String]).filter { try folder.status($0) == nil }
        for path in gone {
          try db.execute(
            """
            DELETE FROM asset WHERE id IN (
              SELECT asset_id FROM resource JOIN original ON original.id = original_id WHERE path = ?)
            """, path)
        }
        if !gone.isEmpty {
          try db.execute(
            "DELETE FROM original WHERE NOT EXISTS (SELECT 1 FROM resource WHERE original_id = original.id)")
        }
      }
    }
  }

  /// Replaces the library's database with the repaired one. The former database gets another name
  /// in the library's folder. Returns that name; `nil` if the library had no database.
  ///
  /// This store can't be used afterward. If the process exits before the end, the library is
  /// refused until another repair finishes it.
  public func finishRepair() throws -> String? {
    let writing = try requireWriting()
    try writing.commits.lock()
    defer { writing.commits.unlock() }
    // Another account's repair may have begun anew.
    try checkDatabaseIsInPlace(writing)
    let name = try StoreError.mapping(databasePath) {
      let (hasOriginals, date) = try database.read { db in
        (
          try db.isTrue("SELECT EXISTS (SELECT 1 FROM original)"),
          try db.value("SELECT CAST(creation_date AS INTEGER) FROM library") as Int? ?? 0
        )
      }
      if !hasOriginals, let file = Self.fileOfOriginals(path) { throw Self.uselessRepair(in: folder, originals: file) }
      // A single file is renamed in one step.
      try database.closeWithoutLog()
      // The name is the same if an interrupted repair is finished later.
      return "\(Self.formerDatabasePrefix)\(date).sqlite"
    }
    // The former database is renamed first. While there is no database, the library is refused, and
    // no other database is opened with its log.
    for suffix in ["", "-wal", "-journal"] where try folder.status("\(Self.databaseName)\(suffix)") != nil {
      try folder.replace(name + suffix, with: "\(Self.databaseName)\(suffix)")
      try folder.synchronize("")
    }
    try folder.remove("\(Self.databaseName)-shm")
    try folder.replace(Self.databaseName, with: Self.repairedDatabase)
    try folder.synchronize("")
    // The note only tells of a database that has another name now.
    try? RepairNote(ofLibraryAt: path).remove()
    try folder.removeFolder(Self.repairFolder)
    return try folder.status(name) == nil ? nil : name
  }

  private static func uselessRepair(in folder: LibraryFolder, originals file: String) -> StoreError {
    StoreError(
      .damaged, folder.absolute(file),
      reason: """
        no asset could be made of any file in originals, and the library's database was left as it was; move this file out \
        of the library's folder, and run `calotype repair` again
        """)
  }
}

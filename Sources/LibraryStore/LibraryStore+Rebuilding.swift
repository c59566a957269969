import Foundation
internal import GRDB

extension LibraryStore {
  /// Returns SQLite's first error message about `library.sqlite`; `nil` if the database is whole.
  public func damage() throws -> String? {
    try read { db in try String.fetchOne(db, sql: "PRAGMA integrity_check(1)") }.flatMap { $0 == "ok" ? nil : $0 }
  }

  /// Renames a library's database and its log within the folder, and removes the renditions.
  ///
  /// Returns the new name; `nil` if there was no database.
  public static func setDatabaseAside(ofLibraryAt path: String, date: Date) throws -> String? {
    let folder = LibraryFolder(path: path)
    try folder.checkOwnFiles()
    let commits = try CommitLock(in: folder)
    try commits.lock()
    defer { commits.unlock() }
    let name = "library-before-repair-\(Int(date.timeIntervalSince1970)).sqlite"
    var isMoved = false
    // The database is moved last: without its log it lacks the latest changes, and as long as it is
    // there, an interrupted repair is repeated.
    for suffix in ["-shm", "-wal", ""] where try folder.status("library.sqlite\(suffix)") != nil {
      try folder.replace(name + suffix, with: "library.sqlite\(suffix)")
      isMoved = true
    }
    for suffix in ["", "-wal", "-shm"] { try folder.remove("renditions.sqlite\(suffix)") }
    try folder.makeFolder("renditions")
    for file in try folder.contents(of: "renditions") { try folder.remove("renditions/\(file)") }
    try folder.synchronize("")
    return isMoved ? name : nil
  }

  /// Whether the library has files of originals, whatever its database says. What other systems leave there (`.DS_Store`, `@eaDir`)
  /// is none.
  static func hasFilesOfOriginals(_ path: String) -> Bool {
    let folder = "\(path)/originals"
    for case let name as String in FileManager.default.enumerator(atPath: folder) ?? .init() {
      var status = stat()
      guard OriginalPath.isNameOfOriginal(name), lstat("\(folder)/\(name)", &status) == 0 else { continue }
      if status.st_mode & S_IFMT == S_IFREG { return true }
    }
    return false
  }

  static func isDatabaseLost(in folder: LibraryFolder) -> Bool {
    guard let status = (try? folder.status("library.sqlite")).flatMap(\.self) else { return true }
    return status.st_size == 0
  }

  /// Throws if the database has no row of an original though the library has files of originals, unless its owner emptied it.
  static func checkForLostRows(_ database: DatabasePool, in folder: LibraryFolder) throws {
    let isEmpty = try StoreError.mapping(folder.absolute("library.sqlite")) {
      try database.read {
        let sql = "SELECT NOT EXISTS (SELECT 1 FROM original) AND NOT EXISTS (SELECT 1 FROM deleted_original)"
        return try Bool.fetchOne($0, sql: sql) ?? true
      }
    }
    if isEmpty, hasFilesOfOriginals(folder.path) { throw lostDatabase(in: folder) }
  }

  static func lostDatabase(in folder: LibraryFolder) -> StoreError {
    StoreError(
      .damaged, folder.absolute("library.sqlite"),
      reason: """
        the library's database is missing or empty, but its originals are there. They are safe, and nothing was changed; \
        `calotype repair` makes the library anew from them
        """)
  }

  /// Adds a file among the library's originals or edits that has no row. The file is not moved.
  public func stageInPlace(_ source: ByteSource) throws -> StagedOriginal {
    guard case .file(let file) = source, let relativePath = pathInLibrary(file) else {
      throw StoreError(.badQuery, source.name, reason: "the file is not among the library's originals and edits")
    }
    let (sha256, byteCount) = (try source.sha256(), try source.byteCount())
    if let known = try original(sha256: sha256) {
      return StagedOriginal(
        sha256: sha256, byteCount: known.byteCount, path: known.path, in: folder, synchronization: nil)
    }
    return StagedOriginal(
      sha256: sha256, byteCount: byteCount, path: relativePath, in: folder, isInPlace: true, synchronization: nil)
  }

  /// Returns whether a row names a file among the library's originals and edits.
  public func names(_ file: FilePath) throws -> Bool {
    guard let relativePath = pathInLibrary(file) else { return false }
    return try read { db in
      let statement = try db.cachedStatement(sql: "SELECT EXISTS (SELECT 1 FROM original WHERE path = ?)")
      return try Bool.fetchOne(statement, arguments: [relativePath]) ?? false
    }
  }

  private func pathInLibrary(_ path: FilePath) -> String? {
    guard let file = path.string else { return nil }
    // The file's path may contain links that the library's own path does not.
    let root = URL(fileURLWithPath: self.path).resolvingSymlinksInPath().path
    guard file.hasPrefix(root + "/"), !file.contains("/../") else { return nil }
    let relativePath = String(file.dropFirst(root.count + 1))
    return relativePath.hasPrefix("originals/") || relativePath.hasPrefix("adjustments/") ? relativePath : nil
  }
}

import Foundation

extension LibraryStore {
  /// Returns SQLite's first error message about `library.sqlite`; `nil` if the database is intact,
  /// or if `mendRows` has to mend it first.
  public func damage() throws -> String? {
    try read { db in
      // SQLite's check fails at some of these values, and says nothing about the rest.
      guard try Self.unreadableValues(db).isEmpty else { return nil }
      let message: String? = try db.value("PRAGMA integrity_check(1)")
      return message == "ok" ? nil : message
    }
  }

  /// Returns the path of any file among the originals, relative to the library's folder; `nil` if
  /// there is none. Does not consult the database. Files of other systems (`.DS_Store`, `@eaDir`)
  /// don't count, nor do abandoned ones.
  static func fileOfOriginals(_ path: String, except abandoned: [String] = []) -> String? {
    // Compared by bytes: equal strings may be two files.
    let abandoned = Set(abandoned.map { Array($0.utf8) })
    for case let name as String in FileManager.default.enumerator(atPath: "\(path)/originals") ?? .init() {
      var status = stat()
      let file = "originals/\(name)"
      guard OriginalPath.isNameOfOriginal(name), lstat("\(path)/\(file)", &status) == 0 else { continue }
      guard !abandoned.contains(Array(file.utf8)) else { continue }
      if status.st_mode & S_IFMT == S_IFREG { return file }
    }
    return nil
  }

  static func isDatabaseLost(in folder: LibraryFolder) -> Bool {
    guard let status = (try? folder.status(Self.databaseName)).flatMap(\.self) else { return true }
    return status.st_size == 0
  }

  /// Returns whether the database has the row of an original, or of one that was deleted: its owner
  /// may have emptied the library.
  static func hasRows(_ database: SQLiteDatabase, in folder: LibraryFolder) throws -> Bool {
    try StoreError.mapping(folder.absolute(Self.databaseName)) {
      try database.read {
        let sql = "SELECT EXISTS (SELECT 1 FROM original) OR EXISTS (SELECT 1 FROM deleted_original)"
        return try $0.isTrue(sql)
      }
    }
  }

  /// Throws if a library whose database has no rows has files of originals. Accepts one with only
  /// abandoned files: its first import was interrupted.
  static func checkForLostRows(in folder: LibraryFolder, except abandoned: [String] = []) throws {
    guard let file = fileOfOriginals(folder.path, except: abandoned) else { return }
    throw lostDatabase(in: folder, originals: file)
  }

  static func lostDatabase(in folder: LibraryFolder, originals file: String) -> StoreError {
    StoreError(
      .damaged, folder.absolute(Self.databaseName),
      reason: """
        the library's database is missing or empty, but there are files in originals, such as \(file). They are safe, \
        and nothing was changed; `calotype repair` makes the library anew from them. If you emptied the library and this \
        file is a leftover, move it out of the library's folder
        """)
  }

  /// Stages a file among the library's originals or edits that has no row. The commit moves it only
  /// if the library's own copy of its bytes is damaged or missing: to the path of that copy.
  public func stageInPlace(_ source: ByteSource) throws -> StagedOriginal {
    guard case .file(let file) = source, let relativePath = pathInLibrary(file) else {
      throw StoreError(.badQuery, source.name, reason: "the file is not among the library's originals and edits")
    }
    let (sha256, byteCount) = (try source.sha256(), try source.byteCount())
    let known = try original(sha256: sha256)
    let isReplacement = try known.map { try !isWhole($0.path, sha256, like: source, isHashed: true) } ?? false
    if let known, !isReplacement {
      return StagedOriginal(
        sha256: sha256, byteCount: known.byteCount, path: known.path, in: folder, synchronization: nil)
    }
    return StagedOriginal(
      sha256: sha256, byteCount: byteCount, path: relativePath, in: folder, isReplacement: isReplacement,
      isInPlace: true, synchronization: nil)
  }

  /// Returns whether a row refers to a file among the library's originals and edits.
  public func names(_ file: FilePath) throws -> Bool {
    guard let relativePath = pathInLibrary(file) else { return false }
    return try read { try Self.isNamed(relativePath, $0) }
  }

  static func isNamed(_ relativePath: String, _ db: any Session) throws -> Bool {
    try db.isTrue("SELECT EXISTS (SELECT 1 FROM original WHERE path = ?)", relativePath)
  }

  func pathInLibrary(_ path: FilePath) -> String? {
    guard let file = path.string else { return nil }
    // The file's path may contain links that the library's own path does not.
    let root = URL(fileURLWithPath: self.path).resolvingSymlinksInPath().path
    guard file.hasPrefix(root + "/"), !file.contains("/../") else { return nil }
    let relativePath = String(file.dropFirst(root.count + 1))
    return relativePath.hasPrefix("originals/") || relativePath.hasPrefix("adjustments/") ? relativePath : nil
  }
}

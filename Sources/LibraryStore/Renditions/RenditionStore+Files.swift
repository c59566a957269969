import Foundation

/// The renditions that are too large for blobs: full-size pictures, converted movies, and the
/// movies of motion photos. Each is a file in `renditions/`, and a row with its size and digest.
///
/// If a file does not have the size in its row, it is removed and counts as missing. A file without
/// a row counts as whole unless it is empty.
extension RenditionStore {
  static let folderName = "renditions"

  private static func path(_ name: String) -> String { "\(folderName)/\(name)" }

  // MARK: Finding

  /// Returns the path for a part that is copied out of an original, whether the file exists or not.
  /// Programs may read the file at any time, so it stays as long as the asset. Its name identifies
  /// its contents.
  public func copy(uuid: String, name: String) throws(StoreError) -> String {
    try path(to: "\(uuid)\(Self.copyMark)\(name)")
  }

  /// Returns the path for a rendition that is too large for a blob, whether the file exists or not.
  public func file(uuid: String, version: String, name: String) throws(StoreError) -> String {
    try path(to: "\(uuid)-\(version)-\(name)")
  }

  private func path(to name: String) throws(StoreError) -> String {
    let path = Self.path(name)
    if let library = library?.folder {
      let byteCount = readInLibrary { try Self.byteCount(of: name, $0) }
      let status = try library.status(path)
      if status != nil { try library.checkIsFile(path) }
      if Self.state(status, byteCount) == .whole { return library.absolute(path) }
    }
    // The folder is created again, since it can be deleted like all its files.
    try folder.makeFolder(Self.folderName)
    try folder.checkIsFile(path)
    try removeIfDamaged(name)
    if let limits, try folder.status(path) == nil { removeOldestFiles(over: limits.files) }
    return folder.absolute(path)
  }

  private enum StoredState { case missing, whole, damaged }

  /// Returns the state of a file that has `byteCount` bytes according to its row.
  private static func state(_ status: stat?, _ byteCount: Int?) -> StoredState {
    switch (status.map { Int($0.st_size) }, byteCount) {
    case (nil, nil): .missing
    case (let size?, nil): size > 0 ? .whole : .damaged
    case (let size, let byteCount?): size == byteCount ? .whole : .damaged
    }
  }

  /// Removes a damaged file with its row, and the row of a file that somebody deleted.
  private func removeIfDamaged(_ name: String) throws(StoreError) {
    // The row is read first, since it is written after the file.
    let byteCount = try? read(missing: nil) { try Self.byteCount(of: name, $0) }
    guard Self.state(try folder.status(Self.path(name)), byteCount) == .damaged else { return }
    try folder.remove(Self.path(name))
    try? write { try Self.forget([name], $0) }
  }

  // MARK: Writing

  /// Writes bytes to the file that `copy` or `file` returned. The file appears only when it is
  /// complete and on the disk.
  public func write(_ data: Data, to file: String) throws(StoreError) {
    let name = (file as NSString).lastPathComponent
    // The name begins with the asset's, so that leftovers of a killed process are removed with the
    // asset.
    let unfinished = Self.path(".\(name).\(UUID().uuidString)")
    let descriptor = try folder.open(unfinished, O_WRONLY | O_CREAT | O_EXCL)
    defer { close(descriptor) }
    do throws(StoreError) {
      let copied = try FileOperations.copy(ByteSource.data(data), to: descriptor, file)
      try FileOperations.check(fsync(descriptor), file)
      try folder.replace(Self.path(name), with: unfinished)
      try folder.synchronize(Self.folderName)
      record(name, byteCount: copied.byteCount, sha256: copied.sha256)
    } catch {
      try? folder.remove(unfinished)
      throw error
    }
  }

  /// Records the size and digest of a complete file that was written at a path from `file`.
  public func keep(_ file: String) {
    let name = (file as NSString).lastPathComponent
    guard let descriptor = try? folder.open(Self.path(name), O_RDONLY) else { return }
    let open = OpenFile(descriptor: descriptor, name: file)
    guard let byteCount = try? open.byteCount(), let sha256 = try? open.digest() else { return }
    record(name, byteCount: byteCount, sha256: sha256)
  }

  /// Writes the row of a file. If that fails, the file counts as whole without one.
  private func record(_ name: String, byteCount: Int, sha256: Data) {
    try? write { db in
      try db.execute("INSERT OR REPLACE INTO file VALUES (?, ?, ?)", name, byteCount, sha256)
    }
  }

  // MARK: Removing

  /// Deletes an asset's files of other versions than this one. Copies have no version and stay.
  public func removeFiles(of uuid: String, notOfVersion version: String) {
    removeFiles { $0.hasPrefix(uuid) && !$0.hasPrefix("\(uuid)-\(version)-") && !Self.isCopy($0) }
  }

  /// Deletes the files of assets; copies only if `keepsCopies` is false.
  func removeFiles(ofAssets uuids: Set<String>, keepsCopies: Bool) {
    removeFiles { uuids.contains(String($0.prefix(Self.uuidLength))) && !(keepsCopies && Self.isCopy($0)) }
  }

  private func removeFiles(where isGone: (Substring) -> Bool) {
    // Names of incomplete files begin with a dot.
    let gone = names().filter { name in isGone(name.drop { $0 == "." }) }
    guard !gone.isEmpty else { return }
    for name in gone { try? folder.remove(Self.path(name)) }
    // The commit lock may be held, so a damaged database is not replaced here.
    try? database.write { try Self.forget(gone, $0) }
  }

  private static let uuidLength = 36
  private static let copyMark = "-copy-"
  private static func isCopy(_ name: Substring) -> Bool { name.dropFirst(uuidLength).hasPrefix(copyMark) }

  private func names() -> [String] { (try? folder.contents(of: Self.folderName)) ?? [] }

  private func removeOldestFiles(over byteCount: Int) {
    let files = names().compactMap { name in
      (try? folder.status(Self.path(name))).flatMap(\.self).map { status in
        (name: name, byteCount: Int(status.st_size), made: (status.st_mtim.tv_sec, status.st_mtim.tv_nsec))
      }
    }
    var surplus = files.reduce(0) { $0 + $1.byteCount } - byteCount
    for file in files.sorted(by: { $0.made < $1.made }) where surplus > 0 {
      try? folder.remove(Self.path(file.name))
      surplus -= file.byteCount
    }
  }

  // MARK: Verifying

  /// Removes the files that differ from their rows in size or digest, and returns their number. The
  /// files of a library that can't be written stay.
  func removeDamagedFiles(knowing records: [String: FileRecord], isCancelled: () -> Bool) -> Int {
    let folder = library?.folder ?? folder
    var damaged: [String] = []
    for name in (try? folder.contents(of: Self.folderName)) ?? [] where !name.hasPrefix(".") {
      if isCancelled() { break }
      if !isWhole(name, records[name], in: folder) { damaged.append(name) }
    }
    if library == nil, !damaged.isEmpty {
      for name in damaged { try? folder.remove(Self.path(name)) }
      try? write { try Self.forget(damaged, $0) }
    }
    return damaged.count
  }

  private func isWhole(_ name: String, _ record: FileRecord?, in folder: LibraryFolder) -> Bool {
    do {
      // The file may have been deleted meanwhile.
      guard let descriptor = try folder.openIfPresent(Self.path(name), O_RDONLY) else { return true }
      let file = OpenFile(descriptor: descriptor, name: folder.absolute(Self.path(name)))
      guard let record else { return try file.byteCount() > 0 }
      return try file.byteCount() == record.byteCount && file.digest() == record.sha256
    } catch { return false }
  }

  // MARK: Rows

  struct FileRecord {
    var byteCount: Int
    var sha256: Data
  }

  static func fileRecords(_ db: any Session) throws -> [String: FileRecord] {
    var records: [String: FileRecord] = [:]
    try db.forEachRow("SELECT * FROM file") { row in
      // The file of a damaged row counts as one without a row.
      guard let name: String = try? row.value("name"), let byteCount = try? row.byteCount("byte_count"),
        let sha256: Data = try? row.value("sha256")
      else { return }
      records[name] = FileRecord(byteCount: byteCount, sha256: sha256)
    }
    return records
  }

  private static func byteCount(of name: String, _ db: any Session) throws -> Int? {
    try db.value("SELECT byte_count FROM file WHERE name = ?", name)
  }

  private static func forget(_ names: [String], _ db: any Session) throws {
    for name in names { try db.execute("DELETE FROM file WHERE name = ?", name) }
  }
}

import Foundation

extension LibraryFolder {
  static let renditionDatabase = "renditions.sqlite"
  private static let databases = [LibraryStore.databaseName, renditionDatabase]
  /// SQLite's files of a database, by what follows its name.
  static let databaseSuffixes = ["", "-wal", "-shm", "-journal"]

  /// Files whose bytes or permissions are changed where they are. All others get their names when
  /// they are whole.
  private static let filesWrittenInPlace =
    (databases + [LibraryStore.repairedDatabase]).flatMap { database in databaseSuffixes.map { database + $0 } }
    + ["incoming/commits", CommitLock.path, UploadFolder.lockPath, ServerLock.path, "incoming/reserve"]

  /// Throws if a file that SQLite opens, or a folder that contains other files, is a link or
  /// belongs elsewhere.
  func checkOwnFiles() throws(StoreError) {
    for folder in Self.originalFolders + ["renditions", "incoming"] { try check(folder, is: S_IFDIR) }
    for database in Self.databases {
      for suffix in Self.databaseSuffixes where try !isReplaced(database + suffix) {
        try checkIsFile(database + suffix)
      }
      try checkRollback("\(database)-journal")
    }
  }

  /// Whether a folder is in the place of a file of the renditions' database. `RenditionStore` moves
  /// it away.
  private func isReplaced(_ name: String) throws(StoreError) -> Bool {
    guard name.hasPrefix(Self.renditionDatabase), let status = try status(name) else { return false }
    return status.st_mode & S_IFMT == S_IFDIR
  }

  /// Throws if a rollback journal names another file, which SQLite would delete after the rollback.
  ///
  /// SQLite writes such a name when a transaction spans several databases. A library's transactions
  /// never do.
  private func checkRollback(_ journal: String) throws(StoreError) {
    guard try !isReplaced(journal), let descriptor = try openIfPresent(journal, O_RDONLY) else { return }
    defer { close(descriptor) }
    let mark: [UInt8] = [0xD9, 0xD5, 0x05, 0xF9, 0x20, 0xA1, 0x63, 0xD7]
    var end = [UInt8](repeating: 0, count: mark.count)
    let size = lseek(descriptor, 0, SEEK_END)
    // A journal begins with the same mark.
    guard size > mark.count, pread(descriptor, &end, end.count, size - off_t(end.count)) == end.count, end == mark
    else { return }
    throw StoreError(
      .damaged, absolute(journal),
      reason: "it names another file for SQLite to delete, which no library does; nothing was read or changed there")
  }

  /// Returns the reason that the library can't be written; nil if it can be.
  func obstacleToWriting() -> StoreError? {
    for name in ["", "/\(LibraryStore.databaseName)", "/incoming"] where access(path + name, W_OK) != 0 {
      switch errno {
      case EROFS: return StoreError(.readOnly, path, reason: "its disk is read-only")
      case EACCES, EPERM: return StoreError(.readOnly, path, reason: "this account may not write to it")
      default: continue
      }
    }
    return hardLinkObstacle()
  }

  /// Returns an error if a file that is written in place has a second name (a hard link). Writing
  /// would also change the file under that name, which may be in a backup or outside of the
  /// library.
  func hardLinkObstacle() -> StoreError? {
    let linked = Self.filesWrittenInPlace.first { name in
      // A folder always has several.
      (try? status(name)).flatMap(\.self).map { $0.st_mode & S_IFMT != S_IFDIR && $0.st_nlink > 1 } ?? false
    }
    return linked.map { name in
      StoreError(
        .readOnly, path,
        reason: "its file \(name) has a second name elsewhere (a hard link), and what has that name would change, too; "
          + "copy the library’s folder with `cp -r`, and use the copy")
    }
  }

  /// The space in bytes that this account may still use on the folder's disk.
  var freeByteCount: Int {
    var status = statvfs()
    guard statvfs(path, &status) == 0 else { return .max }
    let blocks = geteuid() == 0 ? status.f_bfree : status.f_bavail
    let (count, isTooMuch) = UInt(blocks).multipliedReportingOverflow(by: UInt(status.f_frsize))
    return isTooMuch ? .max : Int(clamping: count)
  }

  /// Removes other users' access to the library, unless its owner shares it.
  ///
  /// A library is shared if its folder grants some access to its group and none to others, as after
  /// `chmod 2770`. Permissions for all users come from a permissive umask and are not the owner's
  /// choice. In that case the folder and all its files become accessible to the owner alone. The
  /// folder is changed first: from then on the files can't be reached.
  func restrictAccess() {
    let root = Glibc.open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard root >= 0 else { return }
    defer { close(root) }
    var status = stat()
    guard fstat(root, &status) == 0, status.st_uid == geteuid(), status.st_mode & 0o007 != 0 else { return }
    fchmod(root, 0o700)
    // Some file systems have no permissions.
    guard Self.mode(of: root) & 0o007 == 0 else { return }
    Self.restrict(root, depth: 0)
  }

  /// The limit of the depth, greater than any library's.
  private static let greatestDepth = 8

  private static func isHardLinked(_ descriptor: Int32) -> Bool {
    var status = stat()
    return fstat(descriptor, &status) != 0 || status.st_nlink > 1
  }

  private static func restrict(_ folder: Int32, depth: Int) {
    let entries = depth < greatestDepth ? try? names(in: folder, "") : nil
    for name in entries ?? [] {
      let entry = openat(folder, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
      guard entry >= 0 else { continue }
      defer { close(entry) }
      switch mode(of: entry) & S_IFMT {
      case S_IFDIR:
        fchmod(entry, 0o700)
        restrict(entry, depth: depth + 1)
      // A file with a second name may belong elsewhere; nobody else reaches it by this one.
      case S_IFREG where isHardLinked(entry): break
      case S_IFREG: fchmod(entry, 0o600)
      default: break
      }
    }
  }
}

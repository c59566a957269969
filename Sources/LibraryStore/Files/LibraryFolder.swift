import Foundation

/// A library's folder, and the only way to the files below it.
///
///     let folder = LibraryFolder(path: "/photos/Photos Library.calotype")
///     let descriptor = try folder.open("originals/2019/03/IMG_2682.HEIC", O_RDONLY)
///
/// Paths are relative to the folder. Each component is opened separately and no link is followed.
/// An untrusted library therefore reaches nothing outside of its folder. If its rows, journals or
/// links name something outside, the error is `.damaged`. The folder itself may be reached by
/// links.
///
/// New files and folders get the permissions of their parent folder, without those for all users.
/// If root makes them, they belong to the owner of that folder.
struct LibraryFolder: Sendable {
  let path: String

  /// The folders that contain the files of assets.
  static let originalFolders = ["originals", "adjustments"]

  func absolute(_ relativePath: String) -> String { "\(path)/\(relativePath)" }

  // MARK: Files

  /// Opens a regular file; the caller closes it.
  func open(_ relativePath: String, _ flags: Int32) throws(StoreError) -> Int32 {
    let isForReading = flags & (O_WRONLY | O_RDWR) == 0
    return try mapping(isForReading ? .cannotRead : .cannotWrite) { () throws(Failure) in
      try inParent(of: relativePath) { parent, name throws(Failure) in
        let mode = Self.mode(of: parent) & 0o660
        // `O_NONBLOCK`: a FIFO at this path must not block.
        let descriptor = openat(parent, name, flags | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC, mode)
        guard descriptor >= 0 else { throw Failure(errno, relativePath) }
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
          close(descriptor)
          throw Failure(ELOOP, relativePath)
        }
        // The umask may have removed permissions that the group of a shared library needs.
        if flags & O_CREAT != 0, status.st_mode & 0o777 != mode { fchmod(descriptor, mode) }
        if flags & O_CREAT != 0, status.st_size == 0, status.st_nlink == 1 { Self.give(descriptor, toOwnerOf: parent) }
        return descriptor
      }
    }
  }

  /// Opens a regular file, or returns nil if there is none.
  func openIfPresent(_ relativePath: String, _ flags: Int32) throws(StoreError) -> Int32? {
    guard try status(relativePath) != nil else { return nil }
    do throws(StoreError) { return try open(relativePath, flags) } catch {
      // Another process may have removed it meanwhile, as SQLite removes journals.
      if try status(relativePath) == nil { return nil }
      throw error
    }
  }

  /// Returns the status of the entry at a path, without following a link; nil if there is none.
  func status(_ relativePath: String) throws(StoreError) -> stat? {
    try mapping(.cannotRead) { () throws(Failure) in
      do throws(Failure) {
        return try inParent(of: relativePath) { parent, name throws(Failure) in
          var status = stat()
          guard fstatat(parent, name, &status, AT_SYMLINK_NOFOLLOW) == 0 else { throw Failure(errno, relativePath) }
          return status
        }
      } catch {
        let isAbsent = error.number == ENOENT || (error.path.isEmpty && error.number == ENOTDIR)
        guard isAbsent else { throw error }
        return nil
      }
    }
  }

  /// Throws if the entry at a path is not a regular file. Accepts a missing one.
  func checkIsFile(_ relativePath: String) throws(StoreError) { try check(relativePath, is: S_IFREG) }

  func check(_ relativePath: String, is type: mode_t) throws(StoreError) {
    guard let status = try status(relativePath), status.st_mode & S_IFMT != type else { return }
    throw storeError(Failure(ELOOP, relativePath), .damaged)
  }

  /// Removes a file. Accepts a missing one.
  func remove(_ relativePath: String) throws(StoreError) {
    try mapping(.cannotWrite) { () throws(Failure) in
      do throws(Failure) {
        try inParent(of: relativePath) { parent, name throws(Failure) in
          guard unlinkat(parent, name, 0) == 0 else { throw Failure(errno, relativePath) }
        }
      } catch {
        // The folder of a missing file may be missing, too.
        guard error.number == ENOENT, !error.path.isEmpty else { throw error }
      }
    }
  }

  /// Renames a file unless the name is taken. Returns whether it was renamed.
  func move(_ from: String, to: String) throws(StoreError) -> Bool {
    try mapping(.cannotWrite) { () throws(Failure) in
      try inParent(of: from) { fromParent, fromName throws(Failure) in
        try inParent(of: to) { toParent, toName throws(Failure) in
          // A hard link fails if the name exists, on every file system that has hard links.
          if linkat(fromParent, fromName, toParent, toName, 0) == 0 {
            // If the first name remains, it is removed with the session's folder.
            unlinkat(fromParent, fromName, 0)
            return true
          }
          if errno == EEXIST { return false }
          guard errno == EPERM || errno == ENOTSUP || errno == EMLINK || errno == ENOSYS else {
            throw Failure(errno, to)
          }
          var status = stat()
          if fstatat(toParent, toName, &status, AT_SYMLINK_NOFOLLOW) == 0 { return false }
          guard renameat(fromParent, fromName, toParent, toName) == 0 else { throw Failure(errno, to) }
          return true
        }
      }
    }
  }

  /// Renames a file, replacing any file with that name.
  func replace(_ to: String, with from: String) throws(StoreError) {
    try mapping(.cannotWrite) { () throws(Failure) in
      try inParent(of: from) { fromParent, fromName throws(Failure) in
        try inParent(of: to) { toParent, toName throws(Failure) in
          guard renameat(fromParent, fromName, toParent, toName) == 0 else { throw Failure(errno, to) }
        }
      }
    }
  }

  /// Hard-links a regular file from anywhere into the library, and opens it. Returns nil if it
  /// can't be linked.
  func adopt(_ source: FilePath, as relativePath: String) throws(StoreError) -> Int32? {
    let isLinked = try mapping(.cannotWrite) { () throws(Failure) in
      try inParent(of: relativePath) { parent, name throws(Failure) in
        var status = stat()
        guard linkat(AT_FDCWD, source.bytes, parent, name, 0) == 0 else { return false }
        let isFile =
          fstatat(parent, name, &status, AT_SYMLINK_NOFOLLOW) == 0 && status.st_mode & S_IFMT == S_IFREG
        if !isFile { unlinkat(parent, name, 0) }
        return isFile
      }
    }
    guard isLinked else { return nil }
    // `O_CREAT` gives it the permissions of the library's files.
    let descriptor = try open(relativePath, O_RDONLY | O_CREAT)
    try? inParent(of: relativePath) { parent, _ in Self.give(descriptor, toOwnerOf: parent) }
    return descriptor
  }

  // MARK: Folders

  /// Creates a folder and its missing parents.
  func makeFolder(_ relativePath: String) throws(StoreError) {
    close(try openFolder(relativePath, makesMissing: true))
  }

  /// Opens a folder; the caller closes it. If `makesMissing`, creates it and its missing parents.
  func openFolder(_ relativePath: String, makesMissing: Bool = false) throws(StoreError) -> Int32 {
    try mapping(makesMissing ? .cannotWrite : .cannotRead) { () throws(Failure) in
      try openFolder(Self.components(relativePath), makesMissing: makesMissing)
    }
  }

  /// Creates the library's own folder and its missing parents.
  func makeRoot() throws(StoreError) { try Self.makeFolder(path, 0o700) }

  private static func makeFolder(_ path: String, _ mode: mode_t) throws(StoreError) {
    guard mkdir(path, mode) != 0 else { return }
    let number = errno
    let parent = (path as NSString).deletingLastPathComponent
    if number == ENOENT, !parent.isEmpty {
      try makeFolder(parent, 0o777)
      guard mkdir(path, mode) != 0, errno != EEXIST else { return }
      throw FileOperations.error(errno, path)
    }
    guard number == EEXIST else { throw FileOperations.error(number, path) }
  }

  /// Returns the names in a folder.
  func contents(of relativePath: String) throws(StoreError) -> [String] {
    try mapping(.cannotRead) { () throws(Failure) in
      let folder = try openFolder(Self.components(relativePath))
      defer { close(folder) }
      return try Self.names(in: folder, relativePath)
    }
  }

  /// Removes a folder and the files in it, but no folders in it.
  func removeFolder(_ relativePath: String) throws(StoreError) {
    for name in try contents(of: relativePath) { try? remove("\(relativePath)/\(name)") }
    try? removeEmptyFolder(relativePath)
  }

  private func removeEmptyFolder(_ relativePath: String) throws(StoreError) {
    try mapping(.cannotWrite) { () throws(Failure) in
      try inParent(of: relativePath) { parent, name throws(Failure) in
        guard unlinkat(parent, name, AT_REMOVEDIR) == 0 else { throw Failure(errno, relativePath) }
      }
    }
  }

  /// Makes the names in a folder durable. An empty path means the library's own folder.
  func synchronize(_ relativePath: String) throws(StoreError) {
    try mapping(.cannotWrite) { () throws(Failure) in
      let folder = try openFolder(relativePath.isEmpty ? [] : Self.components(relativePath))
      defer { close(folder) }
      guard fsync(folder) == 0 else { throw Failure(errno, relativePath) }
    }
  }

  // MARK: Files of assets

  /// Throws unless a library could have given this path to a file of an asset.
  func checkIsOriginal(_ relativePath: String) throws(StoreError) {
    let first = (try? Self.components(relativePath))?.first
    guard let first, Self.originalFolders.contains(first) else {
      throw storeError(Failure(Failure.isOutside, relativePath), .damaged)
    }
  }

  func openOriginal(_ relativePath: String) throws(StoreError) -> Int32 {
    try checkIsOriginal(relativePath)
    do throws(StoreError) { return try open(relativePath, O_RDONLY) } catch {
      // Without its database, the library itself is missing.
      guard try status(relativePath) == nil, try status(LibraryStore.databaseName) != nil else { throw error }
      throw StoreError(
        .cannotRead, absolute(relativePath),
        reason: StoreError.missingFile)
    }
  }

  /// Removes a file of an asset, and the folder of an edit if it is empty then.
  ///
  /// Called under the commit lock, since other processes may be about to fill that folder.
  func removeOriginal(_ relativePath: String) throws(StoreError) {
    try checkIsOriginal(relativePath)
    try remove(relativePath)
    guard relativePath.hasPrefix("adjustments/") else { return }
    let parent = (relativePath as NSString).deletingLastPathComponent
    let names = (try? contents(of: parent)) ?? []
    if names.allSatisfy(Self.isListOfFormerEdits) { for name in names { try? remove("\(parent)/\(name)") } }
    try? removeEmptyFolder(parent)
  }

  // MARK: Resolving

  /// A failed system call with its path, which is empty for the library's own folder.
  struct Failure: Error {
    let number: Int32
    let path: String

    /// A number for paths that are outside of the library. `EINVAL` is the system's number for
    /// names that a file system does not allow.
    static let isOutside: Int32 = -1

    init(_ number: Int32, _ path: String) {
      self.number = number
      self.path = path
    }
  }

  private func mapping<Value>(
    _ code: StoreError.Code, _ body: () throws(Failure) -> Value
  ) throws(StoreError) -> Value {
    do throws(Failure) { return try body() } catch { throw storeError(error, code) }
  }

  private func storeError(_ failure: Failure, _ code: StoreError.Code) -> StoreError {
    guard !failure.path.isEmpty else { return FileOperations.error(failure.number, path, code: code) }
    switch failure.number {
    case Failure.isOutside:
      return StoreError(
        .damaged, path,
        reason: "the library names “\(failure.path)”, which is not inside its folder; nothing was read or changed there"
      )
    case ELOOP, ENOTDIR, ENXIO, EISDIR:
      return StoreError(
        .damaged, absolute(failure.path),
        reason: "a link or something else stands in the place of the library’s own; nothing was read or changed there")
    case EINVAL:
      return StoreError(
        code, absolute(failure.path),
        reason: "its disk refuses it (\(String(cString: strerror(EINVAL)))); "
          + "it may not allow a character of the name, as FAT does not allow “:” or “?”")
    default: return FileOperations.error(failure.number, absolute(failure.path), code: code)
    }
  }

  /// Splits a path as the kernel does: by bytes, none of which may be zero.
  private static func components(_ relativePath: String) throws(Failure) -> [String] {
    let parts = relativePath.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
    let isPlain = parts.allSatisfy { part in
      !part.isEmpty && !part.elementsEqual(".".utf8) && !part.elementsEqual("..".utf8) && !part.contains(0)
    }
    guard isPlain else { throw Failure(Failure.isOutside, relativePath) }
    return parts.map { String(Substring($0)) }
  }

  /// Calls `body` with the open folder that contains a path's last component, and with that
  /// component.
  private func inParent<Value>(
    of relativePath: String, _ body: (Int32, String) throws(Failure) -> Value
  ) throws(Failure) -> Value {
    var components = try Self.components(relativePath)
    let name = components.removeLast()
    let parent = try openFolder(components)
    defer { close(parent) }
    return try body(parent, name)
  }

  /// Opens a folder; the caller closes it.
  private func openFolder(_ components: [String], makesMissing: Bool = false) throws(Failure) -> Int32 {
    var folder = Glibc.open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard folder >= 0 else { throw Failure(errno, "") }
    for (index, component) in components.enumerated() {
      let parent = folder
      defer { close(parent) }
      folder = openat(parent, component, Self.folderFlags)
      if folder < 0, errno == ENOENT, makesMissing { folder = Self.makeFolder(component, in: parent) }
      guard folder >= 0 else { throw Failure(errno, components[...index].joined(separator: "/")) }
    }
    return folder
  }

  private static let folderFlags = O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC

  private static func makeFolder(_ name: String, in parent: Int32) -> Int32 {
    let mode = Self.mode(of: parent) & 0o7770
    let isNew = mkdirat(parent, name, mode) == 0
    guard isNew || errno == EEXIST else { return -1 }
    let folder = openat(parent, name, folderFlags)
    if isNew, folder >= 0 {
      fchmod(folder, mode)
      give(folder, toOwnerOf: parent)
    }
    return folder
  }

  /// Gives root's new file or folder to the owner of the folder that it is in.
  ///
  /// After an import by root, a library's owner could not read, verify or delete what it added.
  private static func give(_ descriptor: Int32, toOwnerOf folder: Int32) {
    var status = stat()
    guard geteuid() == 0, fstat(folder, &status) == 0, status.st_uid != 0 else { return }
    fchown(descriptor, status.st_uid, status.st_gid)
  }

  static func mode(of folder: Int32) -> mode_t {
    var status = stat()
    return fstat(folder, &status) == 0 ? status.st_mode : 0o700
  }

  static func names(in folder: Int32, _ relativePath: String) throws(Failure) -> [String] {
    // The stream owns its descriptor.
    guard let stream = fdopendir(openat(folder, ".", folderFlags)) else { throw Failure(errno, relativePath) }
    defer { closedir(stream) }
    var names: [String] = []
    while let entry = readdir(stream) {
      let name = withUnsafeBytes(of: &entry.pointee.d_name) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
      if name != ".", name != ".." { names.append(name) }
    }
    return names
  }
}

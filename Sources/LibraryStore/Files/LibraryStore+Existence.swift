import Foundation

extension LibraryStore {
  static let databaseName = "library.sqlite"

  /// Returns whether a folder is a library. Throws if that can't be determined, and if the library
  /// has lost its database.
  public static func exists(at folder: FilePath) throws(StoreError) -> Bool {
    let database = folder.appending(databaseName)
    if access(database.bytes, F_OK) == 0 { return true }
    switch errno {
    case ENOENT, ENOTDIR: break
    case EACCES:
      throw StoreError(
        .cannotRead, folder.description,
        reason: "you have no permission to look into this folder; nothing was changed; ask its owner for access")
    case let number:
      let cause = String(cString: strerror(number))
      throw StoreError(
        .cannotRead, folder.description,
        reason: "the folder can't be read (\(cause)); nothing was changed; check its disk")
    }
    // Another process may be making the library just now: it makes the folders first, then the
    // database, and adds originals last.
    if !folder.appending("originals").isEmptyFolder, access(database.bytes, F_OK) != 0 {
      throw StoreError(
        .damaged, folder.description,
        reason: """
          this library has lost its database, \(databaseName); the photos are safe in its folder \
          originals; put \(databaseName) back from a backup, or let `calotype repair` make it anew
          """)
    }
    return false
  }
}

extension LibraryStore {
  /// Returns whether a folder has the layout of a library: a folder of originals, and a database of
  /// SQLite beside it. Other programs have files called `library.sqlite` too.
  ///
  /// Nothing is opened as a database, since the folder may belong to anybody.
  public static func hasLayout(at folder: FilePath) -> Bool {
    var status = stat()
    guard lstat(folder.appending("originals").bytes, &status) == 0, status.st_mode & S_IFMT == S_IFDIR else {
      return false
    }
    let descriptor = open(folder.appending(databaseName).bytes, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
    guard descriptor >= 0 else { return false }
    defer { close(descriptor) }
    let mark = Array("SQLite format 3\0".utf8)
    var start = [UInt8](repeating: 0, count: mark.count)
    return pread(descriptor, &start, start.count, 0) == mark.count && start == mark
  }
}

extension StoreError {
  /// Whether the error is about a library's database, and not about one of its other files.
  public var isAboutDatabase: Bool { file.hasSuffix(LibraryStore.databaseName) }
}

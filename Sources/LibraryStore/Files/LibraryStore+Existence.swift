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

extension StoreError {
  /// Whether the error is about a library's database, and not about one of its other files.
  public var isAboutDatabase: Bool { file.hasSuffix(LibraryStore.databaseName) }
}

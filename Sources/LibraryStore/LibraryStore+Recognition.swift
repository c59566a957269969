import Foundation

extension LibraryStore {
  /// Returns whether a folder is a library, by the mark of its database, or by its folders if
  /// the database is too damaged to have the mark. Other programs have files called
  /// `library.sqlite` too.
  ///
  /// Nothing is opened as a database, since the folder may belong to anybody.
  public static func isLibrary(at folder: FilePath) -> Bool {
    func type(of name: String) -> mode_t? {
      var status = stat()
      return lstat(folder.appending(name).bytes, &status) == 0 ? status.st_mode & S_IFMT : nil
    }
    guard type(of: "originals") == S_IFDIR, type(of: databaseName) == S_IFREG else { return false }
    // A database that is new may have everything in its log.
    if [databaseName, "\(databaseName)-wal"].contains(where: { hasMark(folder.appending($0)) }) { return true }
    return ["adjustments", "renditions"].allSatisfy { type(of: $0) == S_IFDIR }
  }

  /// Returns whether the beginning of a file contains the name of the first migration. SQLite
  /// stores the name in one of the first pages. No other program's database contains it.
  private static func hasMark(_ file: FilePath) -> Bool {
    let descriptor = open(file.bytes, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
    guard descriptor >= 0 else { return false }
    defer { close(descriptor) }
    var start = [UInt8](repeating: 0, count: markedByteCount)
    let count = pread(descriptor, &start, start.count, 0)
    return Data(start.prefix(max(count, 0))).range(of: Data(Schema.migrations[0].name.utf8)) != nil
  }

  private static let markedByteCount = 64 << 10

  /// Returns whether one of a library's own files or folders has this name.
  public static func isOwnName(_ name: String) -> Bool {
    ["originals", "adjustments", "renditions", "incoming", repairFolder].contains(name)
      || [databaseName, RenditionStore.file, formerDatabasePrefix].contains { name.hasPrefix($0) }
  }
}

import Crypto
import Essentials
import Foundation

/// The place of the file in which this account keeps who may sign in at the server of one library.
enum SignInFile {
  private static let folderName = "sign-in"

  /// Makes the file of a library unless it exists. Returns its path.
  ///
  /// The library's identity and its path without links are in the name.
  static func make(
    ofLibrary uuid: String, at library: String, in settings: String = AccountFolders.settings
  ) throws(StoreError) -> String {
    close(try AccountFolder.open(folderName, in: settings))
    let folder = LibraryFolder(path: "\(settings)/\(AccountFolder.programName)/\(folderName)")
    let place = FilePath(library).withoutLinks ?? Data(library.utf8)
    let hash = SHA256.hash(data: Data("\(uuid)\n".utf8) + place)
    let name = hash.prefix(16).hexadecimal + ".sqlite"
    // SQLite would create the file with the permissions that the umask leaves.
    close(try folder.open(name, O_RDWR | O_CREAT))
    return folder.absolute(name)
  }

  /// Renames a damaged file, with the files of SQLite beside it. Returns its new path.
  static func setAside(_ path: String) throws(StoreError) -> String {
    let kept = unusedPath(besides: path)
    // The database is renamed last. Else SQLite could use its old journal for a new database.
    for suffix in companions + [""] {
      if rename(path + suffix, kept + suffix) == 0 { continue }
      guard errno == ENOENT, !suffix.isEmpty else { throw FileOperations.error(errno, path + suffix) }
    }
    return kept
  }

  private static let companions = ["-journal", "-wal", "-shm"]

  private static func unusedPath(besides path: String) -> String {
    let base = (path as NSString).deletingPathExtension
    var number = 1
    while true {
      let candidate = "\(base).damaged-\(number).sqlite"
      let isUsed = (companions + [""]).contains {
        var status = stat()
        return lstat(candidate + $0, &status) == 0
      }
      if !isUsed { return candidate }
      number += 1
    }
  }

  /// Keeps other processes from renaming the file at a path while `body` runs.
  static func withLock<Result>(
    onFolderOf path: String, patience: TimeInterval = 10, _ body: () throws -> Result
  ) throws -> Result {
    let folder = (path as NSString).deletingLastPathComponent
    let descriptor = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard descriptor >= 0 else { throw FileOperations.error(errno, folder) }
    defer { close(descriptor) }
    guard try FileLock(descriptor: descriptor, path: folder).take(LOCK_EX, patience: patience) else {
      throw StoreError(.busy, folder, reason: "another process keeps it locked; end that process and try again")
    }
    return try body()
  }
}

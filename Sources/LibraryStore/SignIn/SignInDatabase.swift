import Crypto
import Essentials
import Foundation
internal import GRDB

/// The file in which this account keeps who may sign in at the server of one library.
///
///     let database = try SignInDatabase(ofLibrary: uuid, at: "/photos/Photos Library.calotype")
///     let key: Data? = try database.read { try $0.value("SELECT key FROM device_key") }
///
/// It is in the account's folder of settings and not in the library. Nobody can sign in who is
/// written into a library that is handed over, and a copy that is given away tells no password. A
/// library that was moved or copied begins with an empty file, since the path is in its name.
///
/// Signing in waits for no commit of the library. It also works on a full disk: the file and its
/// journal begin with free pages, and never get smaller.
final class SignInDatabase: Sendable {
  let path: String
  private let queue: DatabaseQueue

  /// Opens the file of a library, or creates it.
  init(
    ofLibrary uuid: String, at libraryPath: String, in settings: String = AccountFolders.settings
  ) throws {
    let folder = LibraryFolder(path: "\(settings)/calotype/sign-in")
    let place = realpath(libraryPath, nil).map { resolved in
      defer { free(resolved) }
      return Data(bytes: resolved, count: strlen(resolved))
    }
    let hash = SHA256.hash(data: Data("\(uuid)\n".utf8) + (place ?? Data(libraryPath.utf8)))
    let name = hash.prefix(16).hexadecimal + ".sqlite"
    path = folder.absolute(name)
    try folder.makeRoot()
    // SQLite would create the file with the permissions that the umask leaves.
    close(try folder.open(name, O_RDWR | O_CREAT))
    queue = try StoreError.mapping(path) { [path] in
      var configuration = Configuration()
      configuration.busyMode = .timeout(Self.busyTimeout)
      configuration.prepareDatabase { db in
        // This journal keeps its pages when it is not in use. What is deleted is overwritten.
        try db.execute(sql: "PRAGMA journal_mode = PERSIST; PRAGMA secure_delete = ON")
      }
      let queue = try DatabaseQueue(path: path, configuration: configuration)
      let migrator = SQLiteDatabase.migrator(SignInSchema.migrations)
      if try queue.read({ try migrator.hasBeenSuperseded($0) }) {
        throw StoreError(.madeByNewerVersion, path, reason: "the file was made by a newer version of Calotype")
      }
      try migrator.migrate(queue)
      return queue
    }
  }

  /// The time in seconds to wait for another process's transaction, which takes milliseconds.
  private static let busyTimeout = 10.0

  func read<Result>(_ body: (any Session) throws -> Result) throws -> Result {
    try StoreError.mapping(path) { try queue.read { try body(SQLiteSession(database: $0)) } }
  }

  /// Runs `body` in a transaction, which is rolled back if `body` throws.
  @discardableResult
  func write<Result>(_ body: (any Session) throws -> Result) throws -> Result {
    try StoreError.mapping(path) { try queue.write { try body(SQLiteSession(database: $0)) } }
  }
}

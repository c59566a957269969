import Crypto
import Essentials
import Foundation
import GRDB
import Testing

@testable import LibraryStore

@Suite struct SignInDatabaseTests {
  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func setPassword(_ hash: String, of store: LibraryStore) throws {
    #expect(try store.signIn.setPasswordHash(hash, of: store.signIn.owner().id, replacing: nil))
  }

  private func copyLibrary(to name: String) throws -> LibraryStore {
    try FileManager.default.copyItem(atPath: folder.library, toPath: "\(folder.path)/\(name)")
    return try LibraryStore(path: "\(folder.path)/\(name)", create: false)
  }

  @Test func `another process of the account has the same sign-ins`() throws {
    try setPassword("hash", of: folder.open())
    #expect(try folder.open().signIn.owner().passwordHash == "hash")
  }

  @Test func `a link to a library leads to the same sign-ins`() throws {
    try setPassword("hash", of: folder.open())
    try FileManager.default.createSymbolicLink(
      atPath: "\(folder.path)/link", withDestinationPath: folder.library)
    let store = try LibraryStore(path: "\(folder.path)/link", create: false)
    #expect(try store.signIn.owner().passwordHash == "hash")
  }

  @Test func `a copy and a moved library have no password`() throws {
    try setPassword("hash", of: folder.open())
    #expect(try copyLibrary(to: "Copy").signIn.owner().passwordHash == nil)
    try FileManager.default.moveItem(atPath: folder.library, toPath: "\(folder.path)/Moved")
    let moved = try LibraryStore(path: "\(folder.path)/Moved", create: false)
    #expect(try moved.signIn.owner().passwordHash == nil)
  }

  @Test func `another library at the same path has sign-ins of its own`() throws {
    try setPassword("hash", of: folder.open())
    try FileManager.default.removeItem(atPath: folder.library)
    #expect(try folder.open().signIn.owner().passwordHash == nil)
  }

  @Test func `no file of the library tells a password or a token`() throws {
    let store = try folder.open()
    try setPassword("a hash that nobody may see", of: store)
    try store.add("one")
    for path in try FileManager.default.subpathsOfDirectory(atPath: folder.library) {
      let content = FileManager.default.contents(atPath: "\(folder.library)/\(path)") ?? Data()
      #expect(content.range(of: Data("nobody may see".utf8)) == nil, "\(path)")
    }
  }

  @Test func `the file can be read by the account alone`() throws {
    let store = try folder.open()
    let file = URL(fileURLWithPath: try store.signInDatabase.path)
    for (path, mode) in [(file.path, 0o600), (file.deletingLastPathComponent().path, 0o700)] {
      #expect(try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int == mode)
    }
  }

  @Test func `a folder that others may enter is closed to them`() throws {
    let settings = "\(folder.path)/settings"
    try FileManager.default.createDirectory(
      atPath: "\(settings)/calotype/sign-in", withIntermediateDirectories: true, attributes: [.posixPermissions: 0o755])
    chmod("\(settings)/calotype/sign-in", 0o777)
    let path = try SignInFile.make(ofLibrary: "L", at: folder.library, in: settings)
    let paths = [path, (path as NSString).deletingLastPathComponent]
    let modes = try paths.map { try FileManager.default.attributesOfItem(atPath: $0)[.posixPermissions] as? Int }
    #expect(modes == [0o600, 0o700])
  }

  @Test func `signing in waits for no commit`() throws {
    let store = try folder.open()
    let other = open("\(folder.library)/incoming/commit.lock", O_RDWR | O_CLOEXEC)
    defer { close(other) }
    try #require(flock(other, LOCK_EX) == 0)
    try setPassword("hash", of: store)
    #expect(try store.signIn.owner().passwordHash == "hash")
  }

  @Test func `a folder of settings that can't be written is named`() throws {
    let error = #expect(throws: StoreError.self) {
      try SignInFile.make(ofLibrary: "L", at: folder.library, in: "/dev/null")
    }
    #expect(error?.file.hasPrefix("/dev/null/calotype") == true)
  }

  /// The first bytes of the SHA-256 of each version's tables. A migration that has landed is never
  /// changed.
  private static let fingerprints = ["cb26cc80837c", "8a531b27a9ee", "f98353e61cbb"]

  @Test func `each version of the file has the tables that it landed with`() throws {
    let queue = try DatabaseQueue()
    let found = try SignInSchema.migrations.map { migration in
      try SQLiteDatabase.migrator(SignInSchema.migrations).migrate(queue, upTo: migration.name)
      let tables = try queue.read { db in
        try String.fetchAll(
          db,
          sql: """
            SELECT type || ' ' || name || ' ' || coalesce(sql, '') FROM sqlite_schema
            WHERE name NOT LIKE 'sqlite_%' ORDER BY type, name
            """)
      }
      return SHA256.hash(data: Data(tables.joined(separator: "\n").utf8)).prefix(6).hexadecimal
    }
    #expect(found == Self.fingerprints)
  }

  @Test func `a file of a newer version is refused`() throws {
    let path = try SignInFile.make(ofLibrary: "L", at: folder.library, in: "\(folder.path)/settings")
    let database = try SignInDatabase(path: path, SignInSchema.migrations)
    try database.write { try $0.execute("INSERT INTO grdb_migrations VALUES ('4: later')") }
    let error = #expect(throws: StoreError.self) {
      try SignInDatabase(path: path, SignInSchema.migrations)
    }
    #expect(error?.code == .madeByNewerVersion)
  }
}

import Crypto
import Essentials
import Foundation
internal import GRDB
import Synchronization

/// Compares the tables, indexes, triggers and views of a database with those that its migrations
/// make.
///
/// A library may come from anybody. A trigger or a view that its maker has planted would run as a
/// part of this program's statements.
extension SQLiteDatabase {
  /// Returns the identifiers of the migrations that a database has. Throws if it has something that
  /// they don't make, before anything else of it is read. What a later version makes is unknown.
  static func appliedMigrations(_ db: Database, _ migrations: [Migration]) throws -> Set<String> {
    if try fingerprints.contains(fingerprint(of: db)) { return try identifiers(db) }
    let found = try objects(of: db)
    guard !found.isEmpty else { return [] }
    guard found.contains(listOfMigrations) else { throw StoreError.foreign("it does not tell its version") }
    let applied = try identifiers(db)
    guard applied.isSubset(of: migrations.map(\.name)) else { return applied }
    let known = migrations.prefix(applied.count)
    guard applied == Set(known.map(\.name)) else { throw StoreError.foreign("a step to its version is missing") }
    // A database whose making was interrupted may have the list alone.
    let expected = try ExpectedObjects.of(Array(known)).union([listOfMigrations])
    if let object = found.subtracting(expected).filter({ !$0.isPlainIndex }).min() {
      throw StoreError.foreign("its \(object.type) “\(object.name)” is not one that Calotype made")
    }
    // A missing index only costs time.
    if let object = expected.subtracting(found).filter({ $0.type != "index" }).min() {
      throw StoreError.foreign("its \(object.type) “\(object.name)” is missing")
    }
    return applied
  }

  private static func identifiers(_ db: Database) throws -> Set<String> {
    try String.fetchSet(db, sql: "SELECT identifier FROM grdb_migrations LIMIT 1000")
  }

  /// The fingerprints of new databases of this version: of a library, and of its pictures. The
  /// comparison of these would take twenty milliseconds.
  static let fingerprints: Set = ["1a5be60929e6b90c2e8dce6b4b97e133", "dba82e3b61570725330140165cc0bafb"]

  /// Returns the first bytes of the SHA-256 of a database's tables, indexes, triggers and views.
  static func fingerprint(of db: Database) throws -> String {
    var hash = SHA256()
    let statement = "SELECT type, name, tbl_name, sql FROM sqlite_schema ORDER BY type, name"
    for row in try Row.fetchAll(db, sql: statement) {
      for (_, value) in row { hash.update(data: Data(unmistakable(value).utf8)) }
    }
    return hash.finalize().prefix(16).hexadecimal
  }

  /// Returns a text that no other value has, nor begins with.
  private static func unmistakable(_ value: DatabaseValue) -> String {
    switch value.storage {
    case .string(let text): "\(text.utf8.count):\(text)"
    case .null: "-"
    // Swift's description of a value takes ten times as long. SQLite stores neither in its schema.
    case let other: "\(other)\n"
    }
  }

  /// Whether a database of a later version has this version's tables, and beside them only tables
  /// and indexes that run nothing. SQLite's check of a database runs the constraints of each table.
  func isHarmless(beside migrations: [Migration]) throws -> Bool {
    let found = try pool.read { try Self.objects(of: $0) }
    let expected = try ExpectedObjects.of(migrations)
    return found.isSuperset(of: expected.filter { $0.type == "table" })
      && found.subtracting(expected).allSatisfy { $0.isPlainTable || $0.isPlainIndex }
  }

  fileprivate static func objects(of db: Database) throws -> Set<SchemaObject> {
    let rows = try Row.fetchAll(db, sql: "SELECT type, name, tbl_name, sql FROM sqlite_schema")
    return try Set(rows.compactMap(SchemaObject.init)).subtracting(statistics)
  }

  private static let listOfMigrations = SchemaObject(
    table: "grdb_migrations", sql: "CREATE TABLE grdb_migrations (identifier TEXT NOT NULL PRIMARY KEY)")

  /// The tables that SQLite makes for `ANALYZE`.
  private static let statistics: Set<SchemaObject> = [
    SchemaObject(table: "sqlite_stat1", sql: "CREATE TABLE sqlite_stat1(tbl,idx,stat)"),
    SchemaObject(table: "sqlite_stat4", sql: "CREATE TABLE sqlite_stat4(tbl,idx,neq,nlt,ndlt,sample)"),
  ]
}

extension StoreError {
  fileprivate static func foreign(_ difference: String) -> StoreError {
    StoreError(
      .damaged, "",
      reason:
        "the database is not as Calotype makes it: \(difference); nothing was read or changed; take back what another "
        + "program changed there, or let `calotype repair` make the library anew from its originals, which are safe")
  }
}

/// A row of `sqlite_schema`.
private struct SchemaObject: Hashable, Comparable {
  let type: String
  let name: String
  let table: String
  /// The statement that made it, without comments, in UTF-8. Two strings of different bytes may be
  /// equal.
  let sql: [UInt8]

  init(table: String, sql: String) { (type, name, self.table, self.sql) = ("table", table, table, Array(sql.utf8)) }

  /// Returns `nil` for the index of a constraint, which belongs to its table. Throws if the row is
  /// damaged.
  init?(_ row: Row) throws {
    let texts = ["type", "name", "tbl_name", "sql"].map { String.fromDatabaseValue(row[$0]) }
    if texts[0] == "index", (row["sql"] as DatabaseValue).isNull { return nil }
    // SQLite reads a statement until its first zero.
    guard let type = texts[0], let name = texts[1], let table = texts[2], let sql = texts[3],
      !sql.unicodeScalars.contains("\0")
    else { throw DatabaseError(resultCode: .SQLITE_CORRUPT) }
    (self.type, self.name, self.table, self.sql) = (type, name, table, Self.withoutComments(sql))
  }

  /// Whether it is a table without constraints or values that are computed.
  var isPlainTable: Bool {
    statement.wholeMatch(of: /CREATE TABLE [\w ,()]+/) != nil
      && statement.firstMatch(of: /\b(CHECK|AS|GENERATED|DEFAULT ?\()/.ignoresCase()) == nil
  }

  /// Whether it is an index of columns, as earlier versions had others.
  var isPlainIndex: Bool {
    statement.wholeMatch(of: /CREATE INDEX \w+ ON \w+ \([\w, ]+\)( WHERE \w+ (= \d+|IS NOT NULL))?/) != nil
  }

  static func < (one: SchemaObject, other: SchemaObject) -> Bool {
    (one.type, one.name, one.statement) < (other.type, other.name, other.statement)
  }

  /// The statement with each character outside ASCII as an escape, which no pattern takes for a
  /// letter.
  private var statement: String {
    String(decoding: sql, as: UTF8.self).unicodeScalars.map { $0.escaped(asASCII: true) }.joined()
  }

  /// Removes comments, and shortens spaces. Earlier versions had other comments in the same
  /// statements.
  ///
  /// Reads a statement byte by byte, as SQLite does.
  private static func withoutComments(_ sql: String) -> [UInt8] {
    let hyphen = UInt8(ascii: "-")
    let space = UInt8(ascii: " ")
    var (kept, quote, isComment) = ([UInt8](), UInt8?.none, false)
    for byte in sql.utf8 {
      if isComment {
        isComment = byte != UInt8(ascii: "\n")
      } else if let end = quote {
        kept.append(byte)
        if byte == end { quote = nil }
      } else if byte == hyphen, kept.last == hyphen {
        kept.removeLast()
        isComment = true
      } else if isSpace(byte) {
        if let last = kept.last, last != space { kept.append(space) }
      } else {
        kept.append(byte)
        quote = end(ofQuoteThatBeginsWith: byte)
      }
    }
    if quote == nil, kept.last == space { kept.removeLast() }
    return kept
  }

  private static func isSpace(_ byte: UInt8) -> Bool {
    switch Unicode.Scalar(byte) {
    case " ", "\t", "\n", "\u{C}", "\r": true
    default: false
    }
  }

  private static func end(ofQuoteThatBeginsWith byte: UInt8) -> UInt8? {
    switch Unicode.Scalar(byte) {
    case "'", "\"", "`": byte
    case "[": UInt8(ascii: "]")
    default: nil
    }
  }
}

/// The tables and other objects that migrations make in an empty database. They are found out once
/// for each version.
private enum ExpectedObjects {
  private static let known = Mutex<[[String]: Set<SchemaObject>]>([:])

  static func of(_ migrations: [Migration]) throws -> Set<SchemaObject> {
    try known.withLock { known in
      let names = migrations.map(\.name)
      if let objects = known[names] { return objects }
      var configuration = Configuration()
      configuration.prepareDatabase { TextFolding.functions.forEach($0.add) }
      let queue = try DatabaseQueue(configuration: configuration)
      try SQLiteDatabase.migrator(migrations).migrate(queue)
      let objects = try queue.read { try SQLiteDatabase.objects(of: $0) }
      known[names] = objects
      return objects
    }
  }
}

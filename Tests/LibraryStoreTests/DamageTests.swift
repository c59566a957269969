import Foundation
import GRDB
import TestSupport
import Testing

@testable import LibraryStore

/// Tests a library whose database accepts any value in any column, to imitate a damaged disk.
@Suite struct DamageTests {
  private let library: FilledLibrary
  private let store: LibraryStore
  private let queue: DatabaseQueue

  init() throws {
    library = try FilledLibrary()
    // Opened first, since a library with other tables is refused.
    store = try library.folder.open()
    queue = try library.connect()
    try queue.inDatabase { db in
      for trigger in try String.fetchAll(db, sql: "SELECT name FROM sqlite_master WHERE type = 'trigger'") {
        try db.execute(sql: "DROP TRIGGER \(trigger)")
      }
      try db.execute(
        sql: """
          PRAGMA ignore_check_constraints = ON;
          PRAGMA writable_schema = ON;
          UPDATE sqlite_master SET sql =
            replace(replace(replace(sql, ') STRICT, WITHOUT', ') WITHOUT'), ') STRICT', ')'), ' NOT NULL', '')
            WHERE type = 'table' AND name NOT LIKE '%search%';
          PRAGMA writable_schema = RESET;
          """)
    }
  }

  /// SQL expressions for the values of a damaged column.
  private static let values = [
    "NULL", "'\(FilledLibrary.secret)'", "''", "x'00FF'", "-1", "1.5", "9223372036854775807",
    "-9223372036854775808", "9e999", "'[1'",
  ]

  /// Damages one value after the other, and restores each afterward.
  @Test func noDamagedValueEndsTheProcessOrIsShownInAnError() throws {
    var random = SplitMix(state: Soak.seed(20_261_122))
    let tables = try queue.columns()
    try queue.inDatabase { db in
      for (table, _) in tables { try db.execute(sql: "CREATE TABLE whole_\(table) AS SELECT * FROM \(table)") }
    }
    let uses = library.uses
    var (tries, damages, errors) = (0, 0, 0)
    let step = Soak.count(few: 7, many: 1)
    for (table, columns) in tables {
      for column in columns {
        for value in Self.values {
          tries += 1
          guard tries % step == 0 else { continue }
          let row = Int(random.next() % 4)
          // The update fails for a row ID, which can only be a number.
          try? queue.inDatabase { db in
            try db.execute(
              sql: """
                UPDATE OR IGNORE \(table) SET \(column) = \(value) WHERE \(columns[0]) IN
                (SELECT \(columns[0]) FROM \(table) ORDER BY 1 LIMIT 1 OFFSET \(row) % (SELECT COUNT(*) FROM \(table)))
                """)
            damages += db.changesCount
          }
          for use in uses {
            do { try use(store) } catch {
              errors += 1
              #expect(error is StoreError, "\(table).\(column) = \(value): \(error)")
              #expect(!"\(error)".contains(FilledLibrary.secret), "\(table).\(column) = \(value)")
            }
          }
          try queue.inDatabase { db in
            let names = columns.joined(separator: ", ")
            try db.execute(
              sql: "DELETE FROM \(table); INSERT INTO \(table) (\(names)) SELECT \(names) FROM whole_\(table)")
          }
        }
      }
    }
    #expect(damages > 800 / step)
    #expect(errors > 300 / step)
    for use in uses { try use(store) }
  }
}

/// Generates the same numbers in every run.
private struct SplitMix: RandomNumberGenerator {
  var state: UInt64

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }
}

@Suite struct DamageMessageTests {
  private static let remade =
    "put library.sqlite back from a backup, or let `calotype repair` make the library anew from them"

  @Test(arguments: [
    (
      ResultCode.SQLITE_CORRUPT, "malformed database schema (CREATE TABLE asset (id INTEGER)) - near \"(\"",
      "malformed database schema", remade
    ),
    (.SQLITE_NOTADB, "file is not a database", "file is not a database", remade),
    // For SQLite, such a database is whole.
    (.SQLITE_ERROR, "malformed JSON", "malformed JSON", "`calotype repair` mends it"),
  ])
  func aDamagedDatabaseIsNamedWithWhatIsSafeAndWhatToDo(
    _ code: ResultCode, _ message: String, _ shown: String, _ advice: String
  ) {
    let error = #expect(throws: StoreError.self) {
      try StoreError.mapping("/photos/library.sqlite") { throw DatabaseError(resultCode: code, message: message) }
    }
    #expect(error?.code == .damaged)
    #expect(
      error?.reason == "the library’s database is damaged (\(shown)); the originals are safe; \(advice)")
  }
}

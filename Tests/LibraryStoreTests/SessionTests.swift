import Foundation
import Testing

@testable import LibraryStore

@Suite struct SessionTests {
  private let folder: TemporaryFolder
  private let database: SQLiteDatabase

  init() throws {
    folder = try TemporaryFolder()
    database = try SQLiteDatabase(path: "\(folder.path)/test.sqlite")
    try database.write { try $0.run(script: "CREATE TABLE thing (id INTEGER PRIMARY KEY, content ANY) STRICT") }
  }

  @Test(
    "A row contains the value that a statement bound",
    arguments: [
      .integer(.min), .integer(7), .real(0.5), .text(""), .text("Å☀️"), .blob(Data()), .blob(Data([0, 255])), .null,
    ] as [Value])
  func roundTrip(value: Value) throws {
    try database.write { try $0.execute("INSERT INTO thing VALUES (1, ?)", value) }
    let row = try #require(try database.read { try $0.row("SELECT * FROM thing") })
    #expect(row.values == [.integer(1), value])
    #expect(try row.value("content") == value)
    #expect(try row.value(at: 1) == value)
  }

  @Test(
    "A value of another type is reported by its column, and not shown",
    arguments: [.text("Secret"), .blob(Data("Secret".utf8)), .real(0.5), .null] as [Value])
  func wrongType(value: Value) throws {
    try database.write { try $0.execute("INSERT INTO thing VALUES (1, ?)", value) }
    let row = try #require(try database.read { try $0.row("SELECT content FROM thing") })
    let error = #expect(throws: StoreError.self) { _ = try row.value("content") as Int }
    #expect(error?.reason == "a value of the column content is damaged; `calotype verify` checks the library")
  }

  @Test func aDamagedValueIsReportedWithItsDatabase() throws {
    let error = #expect(throws: StoreError.self) {
      try StoreError.mapping("test.sqlite") {
        try database.read { try $0.row("SELECT 'Secret' AS content").map { try $0.value("content") as Int } }
      }
    }
    #expect(error?.file == "test.sqlite")
  }

  @Test func textsAreEqualIfTheirBytesAre() {
    let (composed, decomposed) = ("\u{E9}", "e\u{301}")
    #expect(composed == decomposed)
    #expect(Value.text(composed) != .text(decomposed))
    #expect(
      changedColumns(from: [("title", .text(composed))], to: [("title", .text(decomposed))]).map(\.name) == ["title"])
  }

  @Test func `an object of JSON has any names, and equal ones`() throws {
    let members: [(name: String, value: Int64)] = [("A-1", 1), ("a \"b\" \\ é\u{1}☀️", 2), ("A-1", 3)]
    let rows = try database.read { try $0.rows("SELECT key, value FROM json_each(?)", JSONArgument.object(members)) }
    #expect(rows.map(\.values) == members.map { [.text($0.name), .integer(Int($0.value))] })
  }

  @Test func aStatementThatIsNotReusedReturnsTheSameRows() throws {
    try database.write { try $0.execute("INSERT INTO thing VALUES (1, 'a'), (2, 'b')") }
    for isReused in [true, false, true] {
      let statement = BoundSQL(
        sql: "SELECT id FROM thing WHERE content = ?", arguments: [.text("b")], isReused: isReused)
      #expect(try database.read { try $0.ids(statement) } == [2])
    }
  }

  @Test func aStatementOfAConditionIsNotReused() throws {
    var query = FetchQuery(.assets)
    #expect(try query.select().isReused)
    query.condition = .comparison(.key(.pixelWidth), .greater, .value(.integer(7)))
    #expect(try !query.select().isReused)
  }

  @Test func aStatementIsUsableAfterItFailed() throws {
    let statement = BoundSQL("SELECT matches(?, ?, 0)", "a", "a.*")
    let failing = BoundSQL("SELECT abs(?)", Int.min)
    for _ in 0..<2 { #expect(throws: (any Error).self) { try database.read { _ = try $0.rows(failing) } } }
    #expect(try database.read { try $0.rows(BoundSQL("SELECT abs(?)", -1)).first?.values } == [.integer(1)])
    #expect(try database.read { try $0.rows(statement).count } == 1)
  }

  @Test func aMissingValueIsNilOnlyIfItMayBe() throws {
    let row = try #require(try database.read { try $0.row("SELECT NULL AS content") })
    #expect(try row.value("content") as String? == nil)
    #expect(throws: StoreError.self) { _ = try row.value("content") as String }
    #expect(throws: StoreError.self) { _ = try row.value("other") as String? }
    #expect(throws: StoreError.self) { _ = try row.value(at: 1) as String? }
  }

  @Test func aStatementReturnsHowManyRowsItChanged() throws {
    let counts = try database.write { db in
      let inserted = try db.execute("INSERT INTO thing VALUES (1, ?), (2, ?), (3, ?)", "a", 2, 2)
      return [
        inserted, try db.execute("DELETE FROM thing WHERE content = ?", 2),
        try db.execute("DELETE FROM thing WHERE id = 9"),
      ]
    }
    #expect(counts == [3, 2, 0])
  }

  @Test func anInsertedRowsKeyIsReturned() throws {
    let keys = try database.write { db in
      [try db.insert([("content", .text("a"))], into: "thing"), try db.insert([("content", .null)], into: "thing")]
    }
    #expect(keys == [1, 2])
    #expect(try database.read { try $0.ids("SELECT id FROM thing ORDER BY id DESC") } == [2, 1])
  }

  @Test func aTransactionThatThrowsChangesNothing() throws {
    struct Stopped: Error {}
    #expect(throws: Stopped.self) {
      try database.write { db in
        try db.execute("INSERT INTO thing VALUES (1, 1)")
        throw Stopped()
      }
    }
    #expect(try database.read { try $0.isTrue("SELECT EXISTS (SELECT 1 FROM thing)") } == false)
  }

  @Test func rowsAreReadByTheirNewColumnsOnceAnotherProcessAddedOne() throws {
    let sql = "SELECT * FROM thing"
    try database.write { try $0.execute("INSERT INTO thing VALUES (1, 1)") }
    _ = try database.read { try $0.rows(sql) }
    let other = try SQLiteDatabase(path: "\(folder.path)/test.sqlite")
    try other.write { try $0.run(script: "ALTER TABLE thing ADD COLUMN added INTEGER DEFAULT 5") }
    #expect(try database.read { try $0.row(sql)?.value("added") } == 5)
  }
}

import GRDB
import Testing

@testable import LibraryStore

@Suite struct FetchQuerySQLTests {
  private static let visible = "is_hidden = 0 AND (burst_identifier IS NULL OR represents_burst = 1)"

  private static func query(_ change: (inout FetchQuery) -> Void) -> FetchQuery {
    var query = FetchQuery()
    change(&query)
    return query
  }

  @Test(
    "A query becomes exactly this SQL",
    arguments: [
      (query { _ in }, "SELECT id FROM asset WHERE \(visible) ORDER BY id ASC"),
      (query { $0.mediaType = 2 }, "SELECT id FROM asset WHERE media_type = ? AND \(visible) ORDER BY id ASC"),
      (
        query { $0.includesHidden = true },
        "SELECT id FROM asset WHERE (burst_identifier IS NULL OR represents_burst = 1) ORDER BY id ASC"
      ),
      (
        query {
          $0.includesHidden = true
          $0.includesAllBurstAssets = true
        }, "SELECT id FROM asset ORDER BY id ASC"
      ),
      (
        query {
          $0.sort = [.init(.localDate, ascending: false)]
          $0.limit = 50
          $0.includesAllBurstAssets = true
        }, "SELECT id FROM asset WHERE is_hidden = 0 ORDER BY local_date DESC, id DESC LIMIT ?"
      ),
      (
        query {
          $0.sort = [.init(.isFavorite, ascending: false), .init(.creationDate, ascending: true)]
          $0.includesAllBurstAssets = true
        }, "SELECT id FROM asset WHERE is_hidden = 0 ORDER BY is_favorite DESC, creation_date ASC, id ASC"
      ),
      (
        query { $0.uuids = ["A"] },
        "SELECT id FROM asset WHERE uuid IN (SELECT value FROM json_each(?)) AND \(visible) ORDER BY id ASC"
      ),
      (
        query { $0.burstIdentifier = "B" },
        "SELECT id FROM asset WHERE burst_identifier = ? AND \(visible) ORDER BY id ASC"
      ),
    ])
  func select(query: FetchQuery, sql: String) throws { #expect(try query.select().sql == sql) }

  @Test func daysAreCountedNewestFirst() throws {
    let query = Self.query { $0.includesAllBurstAssets = true }
    #expect(
      try query.countByDay().sql
        == "SELECT local_day, COUNT(*) FROM asset WHERE is_hidden = 0 GROUP BY local_day ORDER BY local_day DESC")
  }
}

@Suite struct FetchPlanTests {
  @Test func thePagesQueriesAreAnsweredByIndexesAlone() throws {
    let store = try TemporaryFolder().open()
    var query = FetchQuery()
    query.includesAllBurstAssets = true
    #expect(
      try plan(query.countByDay(), store) == ["SEARCH asset USING COVERING INDEX asset_by_local_day (is_hidden=?)"])
    query.sort = [.init(.localDate, ascending: false)]
    let ids = "SEARCH asset USING COVERING INDEX asset_by_local_date (is_hidden=?)"
    #expect(try plan(query.select(), store) == [ids])
  }

  private func plan(_ query: (sql: String, arguments: StatementArguments), _ store: LibraryStore) throws -> [String] {
    try store.read { db in
      try Row.fetchAll(db, sql: "EXPLAIN QUERY PLAN " + query.sql, arguments: query.arguments).map { $0["detail"] }
    }
  }
}

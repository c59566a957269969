import Foundation
import GRDB
import Testing

@testable import LibraryStore

@Suite struct ClientTokenTests {
  let folder: TemporaryFolder
  let store: LibraryStore
  /// A client whose selection is the asset `seen`.
  let client: ClientRecord
  let seen: AssetRecord
  let unseen: AssetRecord

  init() throws {
    folder = try TemporaryFolder()
    let store = try folder.open()
    self.store = store
    client = try store.commit { try $0.save(ClientRecord(identifier: "c", name: "C", creationDate: .distantPast)) }
    seen = try store.add("seen")
    unseen = try store.add("unseen", as: "B.jpg")
    try store.commit { [client, seen] in try $0.select([seen.id], for: client) }
  }

  private func token() throws -> Int64 { try store.latestTransaction(visibleTo: client) }

  private func setFavorite(_ asset: AssetRecord) throws {
    try store.commit { transaction in
      var asset = try #require(try transaction.asset(uuid: asset.uuid))
      asset.isFavorite.toggle()
      try transaction.update(asset)
    }
  }

  @Test func `reading a client's token does not scan the history`() throws {
    let plan = try store.database.pool.read { db in
      try Row.fetchAll(db, sql: "EXPLAIN QUERY PLAN " + LibraryStore.latestVisibleTransaction, arguments: [client.id])
        .map { $0["detail"] as String }
    }
    #expect(
      plan.filter { !$0.hasPrefix("SCALAR SUBQUERY") && !$0.hasPrefix("SCAN CONSTANT") } == [
        "SCAN library",
        "SEARCH history_transaction USING INDEX history_transaction_without_details",
        "SEARCH client USING INTEGER PRIMARY KEY (rowid=?)",
      ])
  }

  @Test func `writing the clients' tokens does not scan the selections`() throws {
    let plan = try store.database.pool.read { db in
      try Row.fetchAll(
        db, sql: "EXPLAIN QUERY PLAN " + StoreTransaction.clientsConcerned, arguments: [1, "[1]", "[]"]
      ).map { $0["detail"] as String }
    }
    #expect(plan.contains("SEARCH client USING INTEGER PRIMARY KEY (rowid=?)"))
    #expect(plan.contains("SEARCH client_asset USING COVERING INDEX client_asset_by_asset (asset_id=?)"))
  }

  @Test func itIsTheTransactionOfTheLatestChangeThatTheClientIsToldOf() throws {
    var expected = try store.latestTransaction()
    #expect(try token() == expected)
    try setFavorite(unseen)
    #expect(try token() == expected)
    try setFavorite(seen)
    expected = try store.latestTransaction()
    #expect(try token() == expected)
    try store.commit { try $0.trash(try #require(try $0.asset(uuid: unseen.uuid))) }
    #expect(try token() == expected)
    try store.commit { try $0.expunge(try #require(try $0.asset(uuid: seen.uuid))) }
    #expect(try token() == store.latestTransaction())
  }

  @Test func `a client that tries numbers does not count the changes that it can't see`() throws {
    let token = try token()
    let future = (token + 1)...(token + 9)
    func answered() throws -> [Int64] {
      try future.filter { try store.transactions(after: $0, limitedTo: client) != nil }
    }
    #expect(try answered() == [])
    for _ in 0..<3 { try setFavorite(unseen) }
    #expect(try answered() == [])
    #expect(try store.transactions(after: token, limitedTo: client)?.count == 0)
    #expect(try store.transactions(after: token + 3)?.count == 0)
  }

  @Test func `adding an asset changes the client's token`() throws {
    let sha256 = try store.inspect { try $0.resources(of: unseen)[0].sha256 }
    try store.commit { [client] transaction in
      _ = try transaction.insert(
        .sample(), .sample, resources: [(record: .sample(name: "C.jpg"), sha256: sha256)], by: client)
    }
    #expect(try token() == store.latestTransaction())
  }

  @Test func `a thinned history changes the client's token`() throws {
    try setFavorite(unseen)
    try store.thinHistory()
    #expect(try token() == store.latestTransaction())
  }

  @Test func `an expired history changes the client's token`() throws {
    try setFavorite(unseen)
    try store.expireHistory()
    #expect(try token() == store.latestTransaction())
  }

  @Test func theClientsOfAnOlderLibraryStartWithItsLatestTransaction() throws {
    let other = try TemporaryFolder()
    let path = "\(other.library)/library.sqlite"
    try FileManager.default.createDirectory(atPath: other.library, withIntermediateDirectories: true)
    let pool = try DatabasePool(path: path)
    try SQLiteDatabase.migrator(Schema.migrations).migrate(pool, upTo: "8: reverted edits")
    try pool.write { db in
      try db.execute(
        sql: """
          INSERT INTO client (identifier, name, creation_date) VALUES ('c', 'C', 0);
          INSERT INTO history_transaction (id, date) VALUES (1, 10), (2, \(Date().timeIntervalSince1970));
          """)
    }
    try pool.close()
    let store = try other.open()
    #expect(try store.latestTransaction(visibleTo: #require(try store.client(identifier: "c"))) == 2)
  }
}

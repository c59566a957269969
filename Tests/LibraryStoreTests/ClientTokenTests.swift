import Foundation
import GRDB
import Synchronization
import Testing

@testable import LibraryStore

@Suite struct ClientTokenTests {
  let folder: TemporaryFolder
  let store: LibraryStore
  /// A client whose selection is the asset `seen`.
  let client: ClientRecord
  let seen: AssetRecord
  let unseen: AssetRecord
  /// The library's clock. The tests advance it by days.
  private let clock: ClientTokenClock

  init() throws {
    folder = try TemporaryFolder()
    let clock = ClientTokenClock()
    self.clock = clock
    let store = try LibraryStore(
      path: folder.library, create: true, historyLimits: HistoryLimits(age: 30 * 86_400, detailedChanges: 100),
      clock: { clock.now }, trustsClock: true)
    self.store = store
    client = try store.commit { try $0.save(ClientRecord(identifier: "c", name: "C", creationDate: .distantPast)) }
    seen = try store.add("seen")
    unseen = try store.add("unseen", as: "B.jpg")
    try store.commit { [client, seen] in try $0.select([seen.id], for: client) }
  }

  private func token() throws -> Int64 { try store.latestPosition(of: client) }

  private func positions(after position: Int64) throws -> [Int64]? {
    try store.transactions(after: position, limitedTo: client)?.map(\.number)
  }

  @discardableResult
  private func setFavorite(_ asset: AssetRecord, by author: TransactionAuthor? = nil) throws -> Int64 {
    try store.commit(by: author) { transaction in
      var asset = try #require(try transaction.asset(uuid: asset.uuid))
      asset.isFavorite.toggle()
      try transaction.update(asset)
    }
    return try store.latestTransaction()
  }

  private func plan(_ sql: String, _ arguments: StatementArguments) throws -> [String] {
    try store.database.pool.read { db in
      try Row.fetchAll(db, sql: "EXPLAIN QUERY PLAN " + sql, arguments: arguments).map { $0["detail"] as String }
    }
  }

  @Test func `reading a client's token does not scan the history`() throws {
    #expect(
      try plan(LibraryStore.latestPosition, [client.id]) == ["SEARCH client USING INTEGER PRIMARY KEY (rowid=?)"])
  }

  @Test func `reading a client's history does not scan that of the library`() throws {
    #expect(
      try plan(LibraryStore.transactionsAfterPosition, [client.id, 1]) == [
        "SEARCH client_position USING PRIMARY KEY (client_id=? AND position>?)",
        "SEARCH history_transaction USING INTEGER PRIMARY KEY (rowid=?)",
      ])
  }

  @Test func `writing the clients' positions does not scan the selections`() throws {
    let added = try plan(StoreTransaction.addPositions, [1, "[1]", "[]", nil])
    #expect(added.contains("SEARCH client USING INTEGER PRIMARY KEY (rowid=?)"))
    #expect(added.contains("SEARCH client_asset USING COVERING INDEX client_asset_by_asset (asset_id=?)"))
    let counted = try plan(StoreTransaction.countPositions, [1])
    #expect(counted.contains("SEARCH client USING INTEGER PRIMARY KEY (rowid=?)"))
    #expect(
      counted.contains("SEARCH client_position USING COVERING INDEX client_position_by_transaction (transaction_id=?)"))
    #expect(!(added + counted).contains { $0.hasPrefix("SCAN client") })
  }

  @Test func `positions count only what the client sees`() throws {
    // The creation of the client has position 1, its selection has position 2.
    #expect(try token() == 2)
    try setFavorite(unseen)
    #expect(try token() == 2)
    try setFavorite(seen)
    #expect(try token() == 3)
    try store.commit { try $0.trash(try #require(try $0.asset(uuid: unseen.uuid))) }
    #expect(try token() == 3)
    try store.commit { try $0.expunge(try #require(try $0.asset(uuid: seen.uuid))) }
    #expect(try token() == 4)
    #expect(try positions(after: 2) == [4])
  }

  @Test func `a client that tries numbers learns nothing of the changes that it can't see`() throws {
    try setFavorite(seen)
    func answers() throws -> [[HistoryTransaction]?] {
      try (-1...40).map { try store.transactions(after: $0, limitedTo: client) }
    }
    let before = try answers()
    #expect(before.map { $0?.map(\.number) } == [nil, [1, 2, 3], [2, 3], [3], []] + Array(repeating: nil, count: 37))
    for _ in 0..<3 { try setFavorite(unseen) }
    #expect(try answers() == before)
    for _ in 0..<20 {
      clock.advance(by: 1)
      try setFavorite(unseen)
    }
    #expect(try answers() == before)
  }

  @Test func `the expired changes of others change nothing for a quiet client`() throws {
    try setFavorite(seen)
    clock.advance(by: 40)
    for _ in 0..<3 { try setFavorite(unseen) }
    let latest = try token()
    #expect(try store.transactions(after: 0) == nil)
    for _ in 0..<5 {
      clock.advance(by: 11)
      try setFavorite(unseen)
      #expect(try token() == latest)
      #expect(try positions(after: latest) == [])
      #expect(try positions(after: latest - 1) == nil)
    }
    try store.expireHistory()
    #expect(try token() == latest)
    #expect(try positions(after: latest) == [])
  }

  @Test func `the thinned changes of others change nothing for a quiet client`() throws {
    let latest = try token()
    for _ in 0..<3 { try setFavorite(unseen) }
    try store.thinHistory()
    #expect(try token() == latest)
    #expect(try positions(after: latest) == [])
    #expect(try positions(after: 0) == [1, 2])
  }

  @Test func `a position expires when the client's next transaction does`() throws {
    clock.advance(by: 20)
    try setFavorite(seen)
    clock.advance(by: 9)
    #expect(try positions(after: 1) == [2, 3])
    // The expired transactions are not reported, whether or not a commit has removed them.
    clock.advance(by: 2)
    #expect(try positions(after: 1) == nil)
    #expect(try positions(after: 2) == [3])
    try setFavorite(unseen)
    #expect(try positions(after: 1) == nil)
    #expect(try positions(after: 2) == [3])
    let rows: [Int64] = try store.database.read { try $0.values("SELECT position FROM client_position") }
    #expect(rows == [3])
  }

  @Test func `adding an asset changes the client's token`() throws {
    let sha256 = try store.inspect { try $0.resources(of: unseen)[0].sha256 }
    try store.commit { [client] transaction in
      _ = try transaction.insert(
        .sample(), .sample, resources: [(record: .sample(name: "C.jpg"), sha256: sha256)], by: client)
    }
    #expect(try token() == 3)
  }

  @Test func `a change of several clients' asset counts for each of them`() throws {
    let other = try store.commit { transaction in
      let other = try transaction.save(ClientRecord(identifier: "d", name: "D", creationDate: .distantPast))
      try transaction.select([seen.id], for: other)
      return other
    }
    #expect(try store.latestPosition(of: other) == 1)
    try setFavorite(seen)
    #expect(try (token(), store.latestPosition(of: other)) == (3, 2))
    try store.commit { try $0.forget(other) }
    let rows: [Int64] = try store.database.read { try $0.values("SELECT DISTINCT client_id FROM client_position") }
    #expect(rows == [client.id])
  }

  @Test func `each history has its own identity`() throws {
    let other = try store.commit {
      try $0.save(ClientRecord(identifier: "d", name: "D", creationDate: .distantPast))
    }
    let histories = [store.uuid, store.historyUUID(of: client), store.historyUUID(of: other)]
    #expect(Set(histories).count == 3)
    for history in histories {
      #expect(UUID(uuidString: history)?.uuidString == history)
      #expect(store.isOfHistory(history))
    }
    #expect(!store.isOfHistory(UUID().uuidString))
  }

  // MARK: Undo

  private func summaries() throws -> [TransactionSummary] {
    try store.transactions(
      TransactionQuery(limit: 9, author: .client(identifier: "c"), selection: client))
  }

  private func undo(_ number: Int64?) throws {
    let author = TransactionAuthor.client(identifier: "c")
    try store.commit(by: author) { transaction in
      try transaction.apply(transaction.reversal(.undo, of: number, by: author, limitedTo: client))
    }
  }

  @Test func `the client's own transactions have its positions`() throws {
    let author = TransactionAuthor.client(identifier: "c")
    for _ in 0..<3 { try setFavorite(unseen) }
    try setFavorite(seen, by: author)
    for _ in 0..<3 { try setFavorite(unseen) }
    #expect(try summaries().map(\.number) == [3])
    try undo(3)
    #expect(try summaries().map(\.number) == [4, 3])
    #expect(try summaries().map(\.reverses) == [3, nil])
    #expect(try summaries().map(\.isUndone) == [false, true])
    let failure = #expect(throws: UndoFailure.self) { try undo(3) }
    #expect(failure == UndoFailure(.alreadyUndone, 3))
  }

  @Test func `a client reads what happened to its assets, and nothing of albums`() throws {
    try store.commit(by: .client(identifier: "c")) { transaction in
      for id in [seen.id, unseen.id] {
        var asset = try #require(try transaction.asset(id: id))
        asset.isFavorite = true
        asset.isHidden = id == unseen.id
        try transaction.update(asset)
      }
      let album = try transaction.insert(.album, uuid: UUID().uuidString, title: "Norway")
      try transaction.append([seen.id, unseen.id], to: album)
    }
    #expect(try summaries().map(\.actions) == [[TransactionAction(kind: .favorited, count: 1)]])
    let all = try store.transactions(TransactionQuery(limit: 1)).flatMap(\.actions)
    #expect(
      all.map { "\($0.kind) \($0.count) \($0.name ?? "-")" } == [
        "favorited 2 -", "hidden 1 -", "albumMade 1 Norway", "addedToAlbum 2 Norway",
      ])
  }

  @Test func `a conflict has the position of the transaction`() throws {
    try setFavorite(unseen)
    try setFavorite(seen, by: .client(identifier: "c"))
    try setFavorite(seen)
    let failure = #expect(throws: UndoFailure.self) { try undo(nil) }
    #expect(failure?.code == .conflict)
    #expect(failure?.transaction == 3)
  }

  @Test func `others' transactions are unknown at every position`() throws {
    try setFavorite(seen, by: .owner)
    for number in [1, 2, 3, 4, 99] as [Int64] {
      let failure = #expect(throws: UndoFailure.self) { try undo(number) }
      #expect(failure == UndoFailure(.unknownTransaction, number))
    }
  }

  @Test func `a client does not learn that the owner undid a change of a deselected asset`() throws {
    let number = try setFavorite(seen, by: .client(identifier: "c"))
    try store.commit { try $0.deselect([seen.id], for: client) }
    func answers() throws -> [String] {
      let attempts = try ([nil, 3] as [Int64?]).map { number -> String in
        do {
          try undo(number)
          return "undone"
        } catch let failure as UndoFailure { return "\(failure.code)" } catch is UnseenAssets { return "unseen" }
      }
      return try attempts + summaries().map { "\($0)" }
    }
    #expect(try answers() == ["nothingToUndo", "unseen"])
    try store.commit(by: .owner) { try $0.apply($0.reversal(.undo, of: number, by: .owner)) }
    #expect(try answers() == ["nothingToUndo", "unseen"])
    try store.commit { try $0.expunge(try #require(try $0.asset(uuid: seen.uuid))) }
    #expect(try answers() == ["nothingToUndo", "unseen"])
  }

  // MARK: Migration

  @Test(arguments: [(latest: 2, position: 1, history: [1]), (latest: 1, position: 0, history: [])])
  func `the clients of an older library start with their latest transaction`(
    latest: Int64, position: Int64, history: [Int64]
  ) throws {
    let other = try TemporaryFolder()
    let path = "\(other.library)/library.sqlite"
    try FileManager.default.createDirectory(atPath: other.library, withIntermediateDirectories: true)
    let pool = try DatabasePool(path: path)
    try SQLiteDatabase.migrator(Schema.migrations).migrate(pool, upTo: "17: signing in is of the account")
    try pool.write { db in
      try db.execute(
        sql: """
          INSERT INTO client (identifier, name, creation_date, latest_transaction) VALUES ('c', 'C', 0, \(latest));
          INSERT INTO history_transaction (id, date, has_details) VALUES (2, \(Date().timeIntervalSince1970), 0);
          """)
    }
    try pool.close()
    let store = try other.open()
    let client = try #require(try store.client(identifier: "c"))
    #expect(try store.latestPosition(of: client) == position)
    #expect(try store.transactions(after: 0, limitedTo: client)?.map(\.number) == history)
  }
}

/// A clock that a test sets.
private final class ClientTokenClock: Sendable {
  private let time = Mutex(Date(timeIntervalSince1970: 1_767_225_600))

  var now: Date { time.withLock(\.self) }
  func advance(by days: Double) { time.withLock { $0 += days * 86_400 } }
}

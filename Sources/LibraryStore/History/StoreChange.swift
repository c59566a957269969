import Foundation
internal import GRDB
import Synchronization

/// What became of a library between two transactions, with a view of it as it was after the second one.
///
/// The view stays the same, whatever is committed meanwhile, until it is given up: then the library is seen as it is at the time, which
/// is some later one.
public final class StoreChange: Sendable {
  /// The transactions after `since`, up to `until`.
  public let since: Int64
  public let until: Int64
  /// `nil` where that isn't known any more: then anything may have changed.
  public let objects: Changes?
  private let snapshot: Mutex<DatabaseSnapshot?>
  private let database: DatabasePool
  /// The path that errors name.
  private let file: String
  private let otherChanges = Mutex<[Int64: Changes?]>([:])

  /// By row ids.
  public struct Changes: Hashable, Sendable {
    public var assets: [Int64: HistoryChange] = [:]
    public var collections: [Int64: HistoryChange] = [:]
    /// Whose access or selection changed.
    public var clients: Set<Int64> = []

    init(_ changes: [HistoryKey: HistoryChange]) {
      for (key, change) in changes {
        switch key.type {
        case .asset: assets[key.id] = change
        case .album, .folder: collections[key.id] = change
        case .client: clients.insert(key.id)
        }
      }
    }
  }

  /// `nil` where nothing was committed since.
  init?(_ database: DatabasePool, at file: String, since: Int64) throws {
    let snapshot = try database.makeSnapshot()
    let (until, changes) = try snapshot.read { db in
      (try LibraryStore.latestTransaction(db), try LibraryStore.changes(after: since, db))
    }
    guard until > since else { return nil }
    self.since = since
    self.until = until
    self.snapshot = Mutex(snapshot)
    self.database = database
    self.file = file
    objects = changes.map(Changes.init)
  }

  /// Gives the view up: it holds a connection, and keeps SQLite from shortening its log.
  func giveUpView() { snapshot.withLock { $0 = nil } }

  /// The library as it was after `until`; `nil` once that was given up.
  var view: DatabaseSnapshot? { snapshot.withLock(\.self) }

  func read<Value>(_ body: (Database) throws -> Value) throws -> Value {
    try StoreError.mapping(file) {
      if let view { return try view.read(body) }
      return try database.read(body)
    }
  }

  /// What was changed after another transaction than `since`: the one that a fetch saw last.
  func changes(after transaction: Int64, in view: DatabaseSnapshot) throws -> Changes? {
    if transaction == since { return objects }
    if let known = otherChanges.withLock({ $0[transaction] }) { return known }
    let found = try view.read { try LibraryStore.changes(after: transaction, $0) }.map(Changes.init)
    otherChanges.withLock { $0[transaction] = .some(found) }
    return found
  }

  /// An asset as it was after the transactions; `nil` if it was deleted or is in the trash. As a
  /// client with a selection sees it, where one is named.
  public func asset(id: Int64, limitedToClient client: Int64? = nil) throws -> AssetRecord? {
    try read { db in
      try Row.fetchOne(
        db, sql: AssetRecord.selection(limitedToClient: client) + " WHERE id = ? AND trashed_date IS NULL",
        arguments: [id]
      ).map { try AssetRecord(row: $0, limitedToClient: client) }
    }
  }

  /// The changes of assets, and for a client with a selection those of the other frames of their
  /// bursts: which of them represents a burst is decided within the selection.
  public func assets(
    _ changes: Changes, limitedToClient client: Int64?
  ) throws -> [Int64: HistoryChange] {
    guard let client, !changes.assets.isEmpty else { return changes.assets }
    let frames = try read { db in
      let statement = try db.cachedStatement(
        sql: """
          SELECT id, uuid FROM asset WHERE id IN (SELECT asset_id FROM client_asset WHERE client_id = :client)
          AND burst_identifier IN (SELECT burst_identifier FROM asset
            WHERE id IN (SELECT value FROM json_each(:changed)) AND burst_identifier IS NOT NULL
            AND id IN (SELECT asset_id FROM client_asset WHERE client_id = :client))
          """)
      let rows = try Row.fetchAll(statement, arguments: ["client": client, "changed": changes.assets.keys.jsonArray])
      return try rows.map { (id: try $0.value("id") as Int64, uuid: try $0.value("uuid") as String) }
    }
    return frames.reduce(into: changes.assets) { assets, frame in
      assets[frame.id] = assets[frame.id] ?? HistoryChange(uuid: frame.uuid, kind: .updated, isContent: false)
    }
  }

  public func collection(id: Int64) throws -> CollectionRecord? {
    try read { db in
      try Row.fetchOne(db, sql: CollectionRecord.selection + " WHERE id = ?", arguments: [id])
        .map(CollectionRecord.init)
    }
  }

  /// Whether the change affects a client's selection or an asset in it, as far as that is known.
  public func concerns(_ client: ClientRecord) throws -> Bool {
    guard let objects, !objects.clients.contains(client.id) else { return true }
    return try read { db in
      let statement = try db.cachedStatement(
        sql: """
          SELECT EXISTS (SELECT 1 FROM client_asset
          WHERE client_id = ? AND asset_id IN (SELECT value FROM json_each(?)))
          """)
      return try Bool.fetchOne(statement, arguments: [client.id, objects.assets.keys.jsonArray]) ?? false
    }
  }

  /// Whether a client with limited access saw an asset after the transactions.
  public func isSelected(_ asset: Int64, for client: ClientRecord) throws -> Bool {
    try read { try StoreTransaction.isSelected(asset, for: client, $0) }
  }
}

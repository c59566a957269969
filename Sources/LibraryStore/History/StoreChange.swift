import Foundation
import Synchronization

/// The changes of a library between two transactions, and their effects on records and fetches.
///
/// While a watcher calls its handler, all answers are of the library as it was after the second
/// transaction. After that, answers are of the library as it is when they are read. The change
/// itself keeps no transaction open.
public final class StoreChange: Sendable {
  /// The change covers the transactions after `since`, up to `until`.
  public let since: Int64
  public let until: Int64
  /// The changed objects; `nil` if details are missing, so that any object may have changed.
  public let objects: Changes?
  /// The reason that the history could not be read; `nil` if it was.
  public let failure: StoreError?
  private let database: SQLiteDatabase
  /// The transaction of the watcher that made the change.
  private let shared: SharedSnapshot?
  /// The path that errors name.
  private let file: String
  private let folded = Mutex(Folded())

  /// The combined changes after transactions other than `since`, up to `latest`.
  private struct Folded {
    var latest: Int64 = 0
    var changes: [Int64: Changes?] = [:]
  }

  /// The changes by row id.
  public struct Changes: Hashable, Sendable {
    public var assets: [Int64: HistoryChange] = [:]
    public var collections: [Int64: HistoryChange] = [:]
    /// The clients whose access or selection changed.
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

  /// Returns `nil` if there was no commit after `since`. After a failure to read the history, makes
  /// a change without details.
  init?(
    _ database: SQLiteDatabase, at file: String, since: Int64, in shared: SharedSnapshot? = nil,
    after failure: StoreError? = nil
  ) throws {
    let (until, changes) = try Self.read(database, in: shared) { db in
      (try LibraryStore.latestTransaction(db), failure == nil ? try LibraryStore.changes(after: since, db) : nil)
    }
    guard until > since else { return nil }
    self.since = since
    self.until = until
    self.database = database
    self.shared = shared
    self.file = file
    self.failure = failure
    objects = changes.map(Changes.init)
  }

  func read<Result>(_ body: (any Session) throws -> Result) throws -> Result {
    try StoreError.mapping(file) { try Self.read(database, in: shared, body) }
  }

  /// Reads in the shared transaction while that is open, and in a transaction of its own otherwise.
  private static func read<Result>(
    _ database: SQLiteDatabase, in shared: SharedSnapshot?, _ body: (any Session) throws -> Result
  ) throws -> Result {
    if let shared, let value = try shared.read(body) { return value }
    return try database.read(body)
  }

  /// Returns whether the library lacks a transaction: a backup of an earlier state took its place.
  /// Reads outside of the watcher's transaction, because a fetch may be later than that.
  func isOfLostHistory(_ transaction: Int64) throws -> Bool {
    guard transaction > until else { return false }
    return try StoreError.mapping(file) { try database.read(LibraryStore.latestTransaction) } < transaction
  }

  /// Returns the changes after a transaction that a fetch saw last, up to the latest one.
  func changes(after transaction: Int64, upTo latest: Int64, _ db: any Session) throws -> Changes? {
    if transaction == since, latest == until { return objects }
    let known = folded.withLock { folded in
      if folded.latest != latest { folded = Folded(latest: latest) }
      return folded.changes[transaction]
    }
    if let known { return known }
    let found = try LibraryStore.changes(after: transaction, db).map(Changes.init)
    folded.withLock { if $0.latest == latest { $0.changes[transaction] = .some(found) } }
    return found
  }

  /// Returns an asset as it is after the transactions; `nil` if it was deleted or is in the trash.
  /// If `client` is not nil, returns it as that client's selection shows it; `nil` if it is not
  /// selected.
  public func asset(id: Int64, limitedToClient client: Int64? = nil) throws -> AssetRecord? {
    try read { db in
      var statement = BoundSQL(
        AssetRecord.selection(limitedToClient: client) + " WHERE id = ? AND trashed_date IS NULL", id)
      if let client {
        statement.append(" AND id IN (SELECT asset_id FROM client_asset WHERE client_id = ?)", client)
      }
      return try db.rows(statement).first.map { try AssetRecord(row: $0, limitedToClient: client) }
    }
  }

  /// Returns the changes of assets. For a client with a selection, adds the other frames of their
  /// bursts: the selection determines which frame represents a burst.
  public func assets(
    _ changes: Changes, limitedToClient client: Int64?
  ) throws -> [Int64: HistoryChange] {
    guard client != nil else { return changes.assets }
    return try read { try assets(changes, limitedToClient: client, $0) }
  }

  func assets(
    _ changes: Changes, limitedToClient client: Int64?, _ db: any Session
  ) throws -> [Int64: HistoryChange] {
    guard let client, !changes.assets.isEmpty else { return changes.assets }
    let rows = try db.rows(
      """
      SELECT id, uuid FROM asset WHERE id IN (SELECT asset_id FROM client_asset WHERE client_id = ?)
      AND burst_identifier IN (SELECT burst_identifier FROM asset
        WHERE id IN \(BoundSQL.list) AND burst_identifier IS NOT NULL
        AND id IN (SELECT asset_id FROM client_asset WHERE client_id = ?))
      """, client, changes.assets.keys.jsonArray, client)
    let frames = try rows.map { (id: try $0.value("id") as Int64, uuid: try $0.value("uuid") as String) }
    return frames.reduce(into: changes.assets) { assets, frame in
      assets[frame.id] = assets[frame.id] ?? HistoryChange(uuid: frame.uuid, kind: .updated, isContent: false)
    }
  }

  public func collection(id: Int64) throws -> CollectionRecord? {
    try read { db in
      try db.row(CollectionRecord.selection() + " WHERE id = ?", id)
        .map(CollectionRecord.init)
    }
  }

  /// Returns whether the change affects a client's selection or an asset in it. Returns true if
  /// details are missing.
  public func isVisible(to client: ClientRecord) throws -> Bool {
    guard let objects, !objects.clients.contains(client.id) else { return true }
    return try read { db in
      try db.isTrue(
        """
        SELECT EXISTS (SELECT 1 FROM client_asset
        WHERE client_id = ? AND asset_id IN \(BoundSQL.list))
        """, client.id, objects.assets.keys.jsonArray)
    }
  }

  /// Returns whether a client with limited access sees an asset after the transactions.
  public func isSelected(_ asset: Int64, for client: ClientRecord) throws -> Bool {
    try read { try StoreTransaction.isSelected(asset, for: client, $0) }
  }
}

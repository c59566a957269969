import Foundation

/// One transaction of the history as a person reads it.
public struct TransactionSummary: Hashable, Sendable {
  /// The number in the library's history. For a client with a selection, the position in its own.
  public var number: Int64
  public var date: Date
  /// The owner or the client; `nil` if the library itself made it, or an earlier version.
  public var author: TransactionAuthor?
  /// The name under which the client is known now; `nil` if the client was forgotten.
  public var clientName: String?
  public var assets = Counts()
  public var collections = Counts()
  /// Empty if the history does not know how to undo the transaction.
  public var actions: [TransactionAction] = []
  public var names: [String] = []
  public var isUndoable = false
  public var isUndone = false
  /// The number of the transaction that this one undid.
  public var reverses: Int64?
  public var isUndo: Bool

  public struct Counts: Hashable, Sendable {
    public var inserted = 0
    public var updated = 0
    public var deleted = 0

    fileprivate mutating func add(_ count: Int, _ kind: HistoryChange.Kind) {
      switch kind {
      case .inserted: inserted += count
      case .updated: updated += count
      case .deleted: deleted += count
      }
    }
  }
}

/// The transactions that are wanted, and of whom.
public struct TransactionQuery: Hashable, Sendable {
  /// The author of the transactions; `nil` for all.
  public var author: TransactionAuthor?
  /// The client whose own history is read, if it has a selection. Only its assets are counted.
  /// Transactions without any of them are left out. Numbers are positions in its history.
  public var selection: ClientRecord?
  /// Whether hidden assets are neither counted nor named.
  public var concealsHidden: Bool
  /// The number after the newest transaction; `nil` for no limit.
  public var before: Int64?
  public var limit: Int

  public init(
    limit: Int, before: Int64? = nil, author: TransactionAuthor? = nil, selection: ClientRecord? = nil,
    concealsHidden: Bool = false
  ) {
    self.limit = limit
    self.before = before
    self.author = author
    self.selection = selection
    self.concealsHidden = concealsHidden
  }
}

extension LibraryStore {
  /// Returns transactions that changed assets or collections, newest first.
  public func transactions(_ query: TransactionQuery) throws -> [TransactionSummary] {
    try read { db in
      let statement = query.selection.map { history(of: $0, query) } ?? history(query)
      return try db.rows(statement).map { try Self.summary($0, query, db) }
    }
  }

  private static let summaryColumns = """
    history_transaction.id, date, history_inverse.transaction_id IS NOT NULL AS is_requested, client, name,
      COALESCE(is_undo, 0) AS is_undo, history_inverse.reverses IS NOT NULL AS is_reversal
    """

  private static let authors = """
    LEFT JOIN history_inverse ON history_inverse.transaction_id = history_transaction.id
      LEFT JOIN client ON identifier = history_inverse.client
    """

  private func history(_ query: TransactionQuery) -> BoundSQL {
    var statement = BoundSQL(
      """
      SELECT history_transaction.id AS number, reverses, \(Self.summaryColumns)
      FROM history_transaction \(Self.authors)
      WHERE history_transaction.id < ? AND date >= ? AND (has_details = 0 OR EXISTS (
        SELECT 1 FROM history_change WHERE history_change.transaction_id = history_transaction.id AND object_type < 4))
      """, query.before ?? .max, historyLimits.oldest(at: clock()))
    statement.append(Self.isBy(query.author))
    statement.append(" ORDER BY history_transaction.id DESC LIMIT ?", max(0, query.limit))
    return statement
  }

  /// Returns a client's own history, limited to transactions with an asset that the client sees.
  /// The other transactions would reveal later events, for example an undo by the owner.
  private func history(of client: ClientRecord, _ query: TransactionQuery) -> BoundSQL {
    var statement = BoundSQL(
      """
      SELECT position AS number, \(Self.summaryColumns),
        (SELECT other.position FROM client_position AS other WHERE other.client_id = client_position.client_id
          AND other.transaction_id = history_inverse.reverses) AS reverses
      FROM client_position JOIN history_transaction ON history_transaction.id = client_position.transaction_id
        \(Self.authors)
      WHERE client_position.client_id = ? AND position < ? AND date >= ? AND EXISTS (
        SELECT 1 FROM history_change WHERE history_change.transaction_id = history_transaction.id
      """, client.id, query.before ?? .max, historyLimits.oldest(at: clock()))
    statement.append(Self.visible(query))
    statement.append(")")
    statement.append(Self.isBy(query.author))
    statement.append(" ORDER BY position DESC LIMIT ?", max(0, query.limit))
    return statement
  }

  private static func isBy(_ author: TransactionAuthor?) -> BoundSQL {
    guard let author else { return BoundSQL("") }
    return BoundSQL(
      " AND history_inverse.transaction_id IS NOT NULL AND history_inverse.client IS ?", author.clientIdentifier)
  }

  private static func summary(
    _ row: StoreRow, _ query: TransactionQuery, _ db: any Session
  ) throws -> TransactionSummary {
    let id: Int64 = try row.value("id")
    let client: String? = try row.value("client")
    let isRequested: Bool = try row.value("is_requested")
    var summary = TransactionSummary(
      number: try row.value("number"), date: try row.date("date"),
      author: isRequested ? client.map { .client(identifier: $0) } ?? .owner : nil, clientName: try row.value("name"),
      reverses: try row.value("reverses"), isUndo: try row.value("is_undo"))
    if isRequested {
      let head = try head(of: id, isUndo: summary.isUndo, client: client, db)
      summary.isUndone = head.isUndo != summary.isUndo
      summary.isUndoable =
        try !summary.isUndone
        && db.isTrue("SELECT steps IS NOT NULL FROM history_inverse WHERE transaction_id = ?", head.number)
        && isSeen(head.number, by: query.selection, db)
    }
    try count(&summary, ofTransaction: id, query, db)
    if isRequested {
      summary.actions = try actions(
        ofTransaction: id, at: try row.finite("date"), isReversal: try row.value("is_reversal"), query, db)
    }
    summary.names = try names(summary, ofTransaction: id, query, db)
    return summary
  }

  /// Returns whether a client with a selection sees what the undo of a transaction changes.
  private static func isSeen(_ number: Int64, by client: ClientRecord?, _ db: any Session) throws -> Bool {
    guard client != nil else { return true }
    let steps: String? = try db.value("SELECT steps FROM history_inverse WHERE transaction_id = ?", number)
    return try Inverse(steps: steps)?.isSeen(by: client, db) ?? true
  }

  /// Restricts the history to what its reader sees.
  private static func visible(_ query: TransactionQuery) -> BoundSQL {
    var condition = visible(query.selection)
    if query.concealsHidden {
      condition.append(
        """
         AND NOT (object_type = \(HistoryObjectType.asset.rawValue)
          AND EXISTS (SELECT 1 FROM asset WHERE asset.id = object_id AND is_hidden = 1))
        """)
    }
    return condition
  }

  /// Restricts the history to what a client sees. The root folder is nothing that a person sees.
  private static func visible(_ selection: ClientRecord?) -> BoundSQL {
    guard let selection else {
      return BoundSQL(
        """
         AND object_type <> \(HistoryObjectType.client.rawValue) AND NOT (object_type = \(HistoryObjectType.folder.rawValue)
          AND object_id IN (SELECT id FROM collection WHERE subtype = ? AND parent_id IS NULL))
        """, CollectionRecord.rootSubtype)
    }
    return BoundSQL(
      """
       AND object_type = \(HistoryObjectType.asset.rawValue)
        AND object_id IN (SELECT asset_id FROM client_asset WHERE client_id = ?)
      """, selection.id)
  }

  private static func count(
    _ summary: inout TransactionSummary, ofTransaction id: Int64, _ query: TransactionQuery, _ db: any Session
  ) throws {
    var statement = BoundSQL(
      "SELECT object_type, kind, COUNT(*) AS count FROM history_change WHERE transaction_id = ?", id)
    statement.append(visible(query))
    statement.append(" GROUP BY 1, 2")
    for row in try db.rows(statement) {
      guard let kind = HistoryChange.Kind(rawValue: try row.value("kind")) else { continue }
      let count: Int = try row.value("count")
      if try row.value("object_type") == HistoryObjectType.asset.rawValue {
        summary.assets.add(count, kind)
      } else {
        summary.collections.add(count, kind)
      }
    }
  }

  /// The largest number of assets, and of collections, that a summary names.
  private static let namedObjects = 3

  /// Returns the names of some assets and of some collections. Of the collections, those that
  /// appeared or disappeared come first.
  private static func names(
    _ summary: TransactionSummary, ofTransaction id: Int64, _ query: TransactionQuery, _ db: any Session
  ) throws -> [String] {
    var assets = BoundSQL(
      """
      SELECT COALESCE(NULLIF(title, ''), original_filename) FROM history_change JOIN asset_detail ON asset_id = object_id
      WHERE transaction_id = ? AND object_type = \(HistoryObjectType.asset.rawValue)
      """, id)
    assets.append(visible(query))
    assets.append(" ORDER BY object_id LIMIT ?", namedObjects)
    let found: [String] = try db.rows(assets).map { try $0.value(at: 0) }
    guard query.selection == nil, summary.collections != TransactionSummary.Counts() else { return found }
    // The albums of a deleted photo have changed too.
    guard summary.actions.isEmpty || summary.actions.contains(where: \.kind.isOfCollections) else { return found }
    var collections = BoundSQL(
      """
      SELECT title FROM history_change JOIN collection ON collection.id = object_id
      WHERE transaction_id = ? AND title <> ''
        AND object_type IN (\(HistoryObjectType.album.rawValue), \(HistoryObjectType.folder.rawValue))
      """, id)
    collections.append(visible(nil))
    collections.append(
      " ORDER BY history_change.kind = \(HistoryChange.Kind.updated.rawValue), object_id LIMIT ?", namedObjects)
    let present: [String] = try db.rows(collections).map { try $0.value(at: 0) }
    guard summary.collections.deleted > 0 else { return found + present }
    let deleted: [String] = try db.values(
      """
      SELECT json_extract(value, '$.before.title') AS title FROM history_inverse, json_each(steps, '$.collections')
      WHERE transaction_id = ? AND json_extract(value, '$.after') IS NULL AND title IS NOT NULL LIMIT ?
      """, id, namedObjects)
    return found + (deleted + present).prefix(namedObjects)
  }
}

import Foundation

/// One transaction of the history.
public struct HistoryTransaction: Hashable, Sendable {
  /// The number in the library's history. For a client with a selection, the position in its own.
  public var number: Int64
  public var date: Date
  /// The changes of the transaction; `nil` if its details were dropped.
  public var changes: [Change]?

  public struct Change: Hashable, Sendable {
    public var type: HistoryObjectType
    public var change: HistoryChange
  }
}

/// The age up to which the history is kept, and the number of detailed changes in it.
public struct HistoryLimits: Hashable, Sendable {
  /// The age in seconds.
  public var age: Double
  /// The largest number of changes of single objects. Of older transactions only the number and the
  /// date are kept.
  public var detailedChanges: Int
  /// The largest size in bytes of what undoing one transaction needs. A larger transaction can't be
  /// undone.
  public var inverseBytes = 64 << 20

  public init(age: Double, detailedChanges: Int) {
    self.age = age
    self.detailedChanges = detailedChanges
  }

  /// Returns the date of the oldest transaction to keep, in seconds since 1970.
  func oldest(at now: Date) -> Double { now.timeIntervalSince1970 - age }

  public static let standard = HistoryLimits(age: 30 * 86_400, detailedChanges: 5_000_000)
}

extension LibraryStore {
  /// Returns the number of the latest transaction: 0 in a new library.
  public func latestTransaction() throws -> Int64 { try read(Self.latestTransaction) }

  static func latestTransaction(_ db: any Session) throws -> Int64 {
    // Not the largest id in the table, because all its rows may have expired.
    try db.value("SELECT seq FROM sqlite_sequence WHERE name = 'history_transaction'") ?? 0
  }

  /// Returns the transactions after this one, oldest first. Returns `nil` if some of them have
  /// expired, or if this number is in the future: the library may be a restored backup.
  ///
  /// For a client with a selection, numbers are positions in its own history. Returns only changes
  /// of assets in the selection. A transaction that changed the selection has no details.
  ///
  /// If `concealsHidden` is true, changes of hidden assets are left out, and hiding an asset is
  /// reported as its deletion.
  public func transactions(
    after number: Int64, limitedTo client: ClientRecord? = nil, concealsHidden: Bool = false
  ) throws -> [HistoryTransaction]? {
    try read { db in
      let found =
        if let client { try Self.rows(after: number, of: client, db) } else { try Self.rows(after: number, db) }
      guard let rows = found else { return nil }
      // Transactions that are too old by the clock are not reported, even if they still exist.
      if let first = try rows.first?.finite("date"), first < historyLimits.oldest(at: clock()) { return nil }
      return try rows.compactMap { row in
        let id: Int64 = try row.value("id")
        var changes = try row.value("has_details") ? Self.changes(ofTransaction: id, db) : nil
        if concealsHidden { changes = try changes.map { try Self.concealing($0, ofTransaction: id, db) } }
        if let client, let all = changes {
          guard let own = try Self.changes(all, ofTransaction: id, visibleTo: client, db) else { return nil }
          changes = own.isEmpty ? nil : own
        }
        return HistoryTransaction(number: try row.value("number"), date: try row.date("date"), changes: changes)
      }
    }
  }

  private static func rows(after number: Int64, _ db: any Session) throws -> [StoreRow]? {
    guard try number >= latestExpired(db), try number <= latestTransaction(db) else { return nil }
    return try db.rows(
      "SELECT id AS number, id, date, has_details FROM history_transaction WHERE id > ? ORDER BY id", number)
  }

  /// Returns the transactions of a client's own history after a position. Returns `nil` if the
  /// position is in the future, or if a transaction after it has expired.
  private static func rows(after position: Int64, of client: ClientRecord, _ db: any Session) throws -> [StoreRow]? {
    let latest = try latestPosition(of: client, db)
    guard position < latest else { return position == latest ? [] : nil }
    let rows = try db.rows(transactionsAfterPosition, client.id, position)
    return Int64(rows.count) == latest - position ? rows : nil
  }

  /// Returns the changes of assets that a client sees. Returns none if the transaction changed its
  /// selection, and `nil` if the transaction does not affect the client.
  private static func changes(
    _ changes: [HistoryTransaction.Change], ofTransaction number: Int64, visibleTo client: ClientRecord,
    _ db: any Session
  ) throws -> [HistoryTransaction.Change]? {
    if changes.contains(where: { $0.type == .client && $0.change.uuid == client.identifier }) { return [] }
    let visible: [String] = try db.values(
      """
      SELECT object_uuid FROM history_change WHERE transaction_id = ? AND object_type = \(HistoryObjectType.asset.rawValue)
      AND object_id IN (SELECT asset_id FROM client_asset WHERE client_id = ?)
      """, number, client.id)
    let uuids = Set(visible)
    let own = changes.filter { $0.type == .asset && uuids.contains($0.change.uuid) }
    return own.isEmpty ? nil : own
  }

  /// Returns the changes without those of assets that are hidden now. An asset that this
  /// transaction hid is reported as deleted, since it was shown before.
  private static func concealing(
    _ changes: [HistoryTransaction.Change], ofTransaction number: Int64, _ db: any Session
  ) throws -> [HistoryTransaction.Change] {
    let hidden: [String] = try db.values(
      """
      SELECT object_uuid FROM history_change
      WHERE transaction_id = ? AND object_type = \(HistoryObjectType.asset.rawValue)
      AND object_id IN (SELECT id FROM asset WHERE is_hidden = 1)
      """, number)
    guard !hidden.isEmpty else { return changes }
    let hiddenHere: [String] = try db.values(
      """
      SELECT uuid FROM asset WHERE id IN (
        SELECT ids.value FROM history_inverse, json_each(steps, '$.assets') AS change,
          json_each(change.value, '$.ids') AS ids
        WHERE transaction_id = ? AND json_extract(change.value, '$.values.is_hidden[1]') = 1)
      """, number)
    let (concealed, deleted) = (Set(hidden), Set(hiddenHere))
    return changes.compactMap { change in
      guard change.type == .asset, concealed.contains(change.change.uuid) else { return change }
      guard deleted.contains(change.change.uuid) else { return nil }
      return HistoryTransaction.Change(
        type: .asset, change: HistoryChange(uuid: change.change.uuid, kind: .deleted, isContent: false))
    }
  }

  private static func changes(ofTransaction number: Int64, _ db: any Session) throws -> [HistoryTransaction.Change] {
    let rows = try db.rows(
      "SELECT * FROM history_change WHERE transaction_id = ? ORDER BY object_type, object_id", number)
    return try rows.compactMap { row in
      try HistoryObjectType(rawValue: row.value("object_type")).map {
        HistoryTransaction.Change(type: $0, change: try HistoryChange(row: row))
      }
    }
  }

  static func latestExpired(_ db: any Session) throws -> Int64 {
    try db.value("SELECT latest_expired_transaction FROM library") ?? 0
  }

  /// Returns the combined changes of all transactions after one, by object; `nil` if details are
  /// missing, or if this number is in the future: the library may be a restored backup.
  static func changes(
    after number: Int64, _ db: any Session
  ) throws -> [HistoryKey: HistoryChange]? {
    let isKnown =
      try number >= latestExpired(db) && number <= latestTransaction(db)
      && !db.isTrue("SELECT EXISTS (SELECT 1 FROM history_transaction WHERE id > ? AND has_details = 0)", number)
    guard isKnown else { return nil }
    var folded: [HistoryKey: HistoryChange] = [:]
    try db.forEachRow(
      "SELECT * FROM history_change WHERE transaction_id > ? ORDER BY transaction_id", number
    ) { row in
      guard let type = HistoryObjectType(rawValue: try row.value("object_type")) else { return }
      let key = HistoryKey(type: type, id: try row.value("object_id"))
      let change = try HistoryChange(row: row)
      folded[key] = folded[key].map { $0.followed(by: change) } ?? change
    }
    return folded
  }

  /// Removes the whole history, whatever its age.
  public func expireHistory() throws {
    try commit { try $0.expireHistory(through: Self.latestTransaction($0.db)) }
  }

  /// Drops the details of all transactions.
  public func thinHistory() throws { try commit { try $0.thinHistory(through: Self.latestTransaction($0.db)) } }
}

extension StoreTransaction {
  /// Removes transactions older than the limit, and the details of the oldest if there are too
  /// many. Called at the end of a transaction with its number; usually there is nothing to remove.
  func prune(after number: Int64) throws {
    if let expired = try latestToExpire(by: number) { try expireHistory(through: expired) }
    guard number % Self.thinningInterval == 0 else { return }
    let last: Int64? = try db.value(
      "SELECT transaction_id FROM history_change ORDER BY transaction_id DESC LIMIT 1 OFFSET ?",
      limits.detailedChanges)
    if let last, last < number { try thinHistory(through: last) }
  }

  /// Returns the latest transaction that is older than the limit; `nil` unless this transaction is
  /// the first one of a day.
  ///
  /// A computer's clock may start in 1971 or jump ahead by years, so dates are not compared with
  /// the current one. The age of a transaction is the sum of the intervals since. Of a plausible
  /// one, at most ten days count, and of others nothing (`ClockInterval`). If the clock was wrong,
  /// or if the library was not used for a while, transactions expire later. A trusted clock's
  /// intervals count whole.
  private func latestToExpire(by number: Int64) throws -> Int64? {
    let first: Double? = try db.value("SELECT date FROM history_transaction ORDER BY id LIMIT 1")
    let previous: Double? = try db.value(
      "SELECT date FROM history_transaction WHERE id < ? ORDER BY id DESC LIMIT 1", number)
    guard let first, let previous else { return nil }
    let now = date.timeIntervalSince1970
    // The sum takes two seconds for a million transactions.
    let isNewDay = (previous / ClockInterval.day).rounded(.down) != (now / ClockInterval.day).rounded(.down)
    // If the first date is in the future, a clock was wrong, and only the sum shows the age.
    guard isNewDay, first < limits.oldest(at: date) || first > now else { return nil }
    return try db.value(
      """
      SELECT MAX(id) FROM (
        SELECT id, SUM(CASE WHEN step BETWEEN 0 AND ? THEN min(step, ?) ELSE 0 END) OVER (ORDER BY id DESC) AS age
        FROM (SELECT id, lead(date, 1, date) OVER (ORDER BY id) - date AS step FROM history_transaction))
      WHERE age > ?
      """, trustsClock ? Double.infinity : ClockInterval.longestPlausible,
      trustsClock ? Double.infinity : ClockInterval.longest, limits.age)
  }

  /// The number of transactions between two checks of the history's size.
  private static let thinningInterval: Int64 = 1000

  fileprivate func expireHistory(through number: Int64) throws {
    try releaseFormerFiles(where: "transaction_id <= ?", number)
    try db.execute("UPDATE library SET latest_expired_transaction = ?", number)
    try db.execute("DELETE FROM history_transaction WHERE id <= ?", number)
  }

  fileprivate func thinHistory(through number: Int64) throws {
    try releaseFormerFiles(where: "transaction_id <= ?", number)
    try db.execute("UPDATE history_transaction SET has_details = 0 WHERE id <= ?", number)
    try db.execute("DELETE FROM history_change WHERE transaction_id <= ?", number)
    try db.execute("UPDATE history_inverse SET steps = NULL WHERE transaction_id <= ?", number)
  }
}

extension HistoryChange {
  init(row: StoreRow) throws {
    self.init(
      uuid: try row.value("object_uuid"), kind: Kind(rawValue: try row.value("kind")) ?? .updated,
      isContent: try row.value("is_content"))
  }
}

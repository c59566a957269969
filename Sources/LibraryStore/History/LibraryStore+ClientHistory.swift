import Foundation

/// The histories of clients with a selection.
///
/// Each client numbers the transactions that concern it: those that changed its access, its
/// selection or an asset in it, and those that it made. These numbers are its positions. Positions
/// reveal neither how many other transactions there are nor their dates.
extension LibraryStore {
  /// Returns the position of the latest transaction that concerns a client: 0 for a new client.
  public func latestPosition(of client: ClientRecord) throws -> Int64 {
    try read { try Self.latestPosition(of: client, $0) }
  }

  static func latestPosition(of client: ClientRecord, _ db: any Session) throws -> Int64 {
    try db.value(latestPosition, client.id) ?? 0
  }

  static let latestPosition = "SELECT latest_position FROM client WHERE id = ?"

  /// Returns the position of a transaction for a client; `nil` if it does not concern the client,
  /// or has expired.
  public func position(ofTransaction number: Int64, for client: ClientRecord) throws -> Int64? {
    try read { try Self.position(ofTransaction: number, for: client, $0) }
  }

  static func position(ofTransaction number: Int64, for client: ClientRecord, _ db: any Session) throws -> Int64? {
    try db.value(
      "SELECT position FROM client_position WHERE transaction_id = ? AND client_id = ?", number, client.id)
  }

  static func transaction(at position: Int64, of client: ClientRecord, _ db: any Session) throws -> Int64? {
    try db.value("SELECT transaction_id FROM client_position WHERE client_id = ? AND position = ?", client.id, position)
  }

  /// The transactions after a position of a client, oldest first.
  static let transactionsAfterPosition = """
    SELECT position AS number, id, date, has_details FROM client_position
      JOIN history_transaction ON id = transaction_id
    WHERE client_id = ? AND position > ? ORDER BY position
    """

  /// Returns a condition on a column of transaction numbers: the client sees some of the assets
  /// that the transaction changed or, if `inWhole` is true, all of them. It is false for a
  /// transaction without assets, or without details in the history.
  ///
  /// If the client sees a changed frame of a burst, unseen frames of the burst don't count. One of
  /// them may have become the owner's representative, which is no change for the client.
  static func isSeen(_ column: String, by client: ClientRecord, inWhole: Bool) -> BoundSQL {
    let change = """
      SELECT 1 FROM history_change WHERE history_change.transaction_id = \(column)
        AND object_type = \(HistoryObjectType.asset.rawValue) AND object_id
      """
    let selection = "(SELECT asset_id FROM client_asset WHERE client_id = ?)"
    var condition = BoundSQL("EXISTS (\(change) IN \(selection))", client.id)
    if inWhole {
      let seenFrame = """
        SELECT 1 FROM asset AS frame JOIN history_change AS other ON other.object_id = frame.id
        WHERE other.transaction_id = \(column) AND other.object_type = \(HistoryObjectType.asset.rawValue)
          AND frame.id IN \(selection) AND frame.burst_identifier =
            (SELECT burst_identifier FROM asset WHERE asset.id = history_change.object_id)
        """
      condition.append(
        " AND NOT EXISTS (\(change) NOT IN \(selection) AND NOT EXISTS (\(seenFrame)))", client.id, client.id)
    }
    return condition
  }
}

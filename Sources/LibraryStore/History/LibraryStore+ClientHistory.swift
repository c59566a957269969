import Crypto
import Essentials
import Foundation

/// The histories of clients with a selection.
///
/// Each client counts the transactions that concern it by positions of its own: those that changed
/// its access, its selection or an asset in it, and those that it made. A client that asks for any
/// position learns nothing of other transactions, neither their number nor their dates.
extension LibraryStore {
  /// Returns the identity of a client's history. It differs from that of the library, so that a
  /// transaction's number is never taken for a position: a client's access may become limited.
  public func historyUUID(of client: ClientRecord) -> String {
    let hash = SHA256.hash(data: Data("\(uuid) \(client.id) \(client.identifier)".utf8))
    return uuid.prefix(Self.sharedLength) + hash.prefix(6).hexadecimal.uppercased()
  }

  /// Returns whether a UUID is that of this library's history, or of the history of any client.
  public func isOfHistory(_ other: String) -> Bool {
    other.prefix(Self.sharedLength) == uuid.prefix(Self.sharedLength)
  }

  /// The length of what the UUIDs of all histories of a library have in common.
  private static let sharedLength = "00000000-0000-0000-0000-".count

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

  /// Returns SQL for the transactions whose assets a client sees, all of them or some, by a column
  /// with their numbers. A transaction is not among them if it has no assets, or if the history has
  /// dropped its details.
  static func isSeen(_ column: String, by client: ClientRecord, inWhole: Bool) -> BoundSQL {
    let change = """
      SELECT 1 FROM history_change WHERE history_change.transaction_id = \(column)
        AND object_type = \(HistoryObjectType.asset.rawValue) AND object_id
      """
    let selection = "(SELECT asset_id FROM client_asset WHERE client_id = ?)"
    var condition = BoundSQL("EXISTS (\(change) IN \(selection))", client.id)
    if inWhole { condition.append(" AND NOT EXISTS (\(change) NOT IN \(selection))", client.id) }
    return condition
  }
}

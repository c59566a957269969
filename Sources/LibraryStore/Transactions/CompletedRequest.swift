import Foundation

/// A program's request that was carried out. It is recorded in the same transaction as its changes,
/// so a repeated request is recognized even after a crash.
public struct CompletedRequest: Hashable, Sendable {
  /// The program or person whose request it was.
  public var sender: String
  /// The key that the sender has chosen for the request.
  public var key: String
  /// The hash of the request.
  public var sha256: Data
  /// The answer, as the sender got it.
  public var answer: String
  /// The transaction; `nil` if nothing was changed.
  public var transaction: Int64?

  public init(sender: String, key: String, sha256: Data, answer: String, transaction: Int64? = nil) {
    self.sender = sender
    self.key = key
    self.sha256 = sha256
    self.answer = answer
    self.transaction = transaction
  }

  /// Returns the name under which an author's requests are kept.
  public static func sender(_ author: TransactionAuthor) -> String {
    author.clientIdentifier.map { "client \($0)" } ?? "owner"
  }

  /// The time for which a request is kept.
  static let lifetime: TimeInterval = 86_400
}

extension StoreTransaction {
  /// Records a request as carried out. Returns false if the sender has already used its key.
  public func record(_ request: CompletedRequest) throws -> Bool {
    let oldest = date.timeIntervalSince1970 - CompletedRequest.lifetime
    try db.execute("DELETE FROM completed_request WHERE date < ?", oldest)
    return try db.execute(
      "INSERT INTO completed_request VALUES (?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING", request.sender, request.key,
      request.sha256, request.answer, request.transaction, date.timeIntervalSince1970) > 0
  }

  /// Removes the requests of a client, so that another client of the same name can't repeat them.
  func removeRequests(of client: ClientRecord) throws {
    let sender = CompletedRequest.sender(.client(identifier: client.identifier))
    try db.execute("DELETE FROM completed_request WHERE sender = ?", sender)
  }
}

extension LibraryStore {
  /// Returns the request that a sender made with a key within the last day.
  public func completedRequest(sender: String, key: String) throws -> CompletedRequest? {
    let oldest = clock().timeIntervalSince1970 - CompletedRequest.lifetime
    return try read { db in
      try db.row(
        "SELECT * FROM completed_request WHERE sender = ? AND key = ? AND date >= ?", sender, key, oldest
      ).map { row in
        CompletedRequest(
          sender: sender, key: key, sha256: try row.value("sha256"), answer: try row.value("answer"),
          transaction: try row.value("transaction_id"))
      }
    }
  }
}

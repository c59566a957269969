import Foundation
import Photos
import PhotosJSON

/// The events about what has been committed since a position.
enum ChangeEvent {
  /// The largest number of objects in one event. If there are more, a page reads everything again.
  static let objectLimit = 5000
  /// The largest number of transactions in one event: the latest ones.
  private static let transactionLimit = 50

  private struct Changes: Encodable {
    var summary: ChangeSummary
    var transactions: [Transaction]

    private enum Key: String, CodingKey { case transactions }

    func encode(to encoder: any Encoder) throws {
      try summary.encode(to: encoder)
      var container = encoder.container(keyedBy: Key.self)
      try container.encode(transactions, forKey: .transactions)
    }
  }

  struct Transaction: Encodable {
    var transaction: Int64
    /// The client that made it; `null` for the owner.
    @NullIfUnknown var client: LibraryTransactionDescription.Client?
    var isUndoable: Bool

    init(_ transaction: LibraryTransaction) {
      let description = LibraryTransactionDescription(transaction)
      self.transaction = description.transaction
      client = description.client
      isUndoable = description.isUndoable
    }
  }

  private struct Reset: Encodable { var revision: String }

  /// The changes since a position.
  struct Latest {
    var event: ServerSentEvent
    /// The position after the changes.
    var token: PHPersistentChangeToken
    /// Whether the access of clients has changed, or a program has asked for access.
    var changesClients = false
  }

  /// Returns the changes; `nil` if nothing has been committed. A reset means that the history can't
  /// say what has changed.
  static func latest(since token: PHPersistentChangeToken, in library: PHPhotoLibrary) throws -> Latest? {
    let present = library.currentChangeToken
    do {
      let changes = try Array(library.fetchPersistentChanges(since: token))
      guard let last = changes.last?.changeToken else { return nil }
      let summary = try ChangeSummary(changes, since: token)
      guard summary.assets.count + summary.collections.count <= objectLimit else { return reset(to: last) }
      let count = Int(min(Int64(transactionLimit), last.number - token.number))
      let transactions = try library.transactions(limit: count, before: last.number + 1)
        .filter { $0.number > token.number }.map(Transaction.init)
      let event = ServerSentEvent(
        "change", id: last.stringValue, Changes(summary: summary, transactions: transactions))
      return Latest(event: event, token: last, changesClients: changes.contains(where: \.changesClients))
    } catch let error as PHPhotosError {
      switch error.code {
      case .persistentChangeTokenExpired, .persistentChangeDetailsUnavailable: return reset(to: present)
      // Another event reports that a client has no access.
      case .accessUserDenied, .accessRestricted: return nil
      default: throw error
      }
    }
  }

  static func reset(to token: PHPersistentChangeToken) -> Latest {
    Latest(event: ServerSentEvent("reset", id: token.stringValue, Reset(revision: token.stringValue)), token: token)
  }
}

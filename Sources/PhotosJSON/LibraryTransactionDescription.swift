import Foundation
import Photos

/// The JSON form of a transaction in the history for people: in `calotype history --json`, and in
/// replies of the server.
public struct LibraryTransactionDescription: Codable, Hashable, Sendable {
  /// The number of the transaction, by which it is undone.
  public var transaction: Int64
  /// The position in the history after the transaction.
  public var token: String
  /// In this machine's time zone.
  public var date: String
  /// The client that made it; `null` for the owner, and for the library itself.
  @NullIfUnknown public var client: Client?
  public var counts: Counts
  /// Empty if it is not known.
  public var actions: [Action]
  public var names: [String]
  public var isUndoable: Bool
  public var isUndone: Bool
  /// The transaction that this one undid.
  @NullIfUnknown public var undoes: Int64?
  /// Whether it is an undo, and not a redo or a change.
  public var isUndo: Bool

  public struct Client: Codable, Hashable, Sendable {
    public var name: String
    public var identifier: String
  }

  public struct Action: Codable, Hashable, Sendable {
    public var kind: String
    public var count: Int
    /// The title of the album or the folder.
    public var name: String?
    /// The title before a renaming.
    public var former: String?

    fileprivate init(_ action: LibraryTransaction.Action) {
      kind = action.kind.rawValue
      count = action.count
      name = action.name
      former = action.former
    }
  }

  public struct Counts: Codable, Hashable, Sendable {
    public var assets: Changes
    public var collections: Changes
  }

  public struct Changes: Codable, Hashable, Sendable {
    public var inserted: Int
    public var updated: Int
    public var deleted: Int

    fileprivate init(_ counts: LibraryTransaction.Counts) {
      inserted = counts.inserted
      updated = counts.updated
      deleted = counts.deleted
    }
  }

  public init(_ transaction: LibraryTransaction, machineZone: TimeZone = .current) {
    self.transaction = transaction.number
    token = transaction.changeToken.stringValue
    date = ISODate.string(transaction.date, offset: machineZone.secondsFromGMT(for: transaction.date))
    client =
      if case .client(let author) = transaction.author {
        Client(name: author.name, identifier: author.identifier)
      } else {
        nil
      }
    counts = Counts(assets: Changes(transaction.assets), collections: Changes(transaction.collections))
    actions = transaction.actions.map(Action.init)
    names = transaction.names
    isUndoable = transaction.isUndoable
    isUndone = transaction.isUndone
    undoes = transaction.undoes
    isUndo = transaction.isUndo
  }
}

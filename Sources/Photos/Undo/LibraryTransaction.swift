import Foundation
internal import LibraryStore

/// One transaction of a library's history, for a person to read.
///
///     for transaction in try library.transactions(limit: 10) where transaction.isUndoable {
///       print(transaction.number, transaction.date, transaction.names)
///     }
///
/// `PHPersistentChange` lists the objects that a transaction changed.
public struct LibraryTransaction: Hashable, Sendable, Identifiable {
  /// The number in the history. Later transactions have higher numbers. Each client with limited
  /// access has its own numbers.
  public var number: Int64
  /// The position in the history after the transaction.
  public var changeToken: PHPersistentChangeToken
  public var date: Date
  public var author: Author
  public var assets: Counts
  /// Albums and folders. The top level does not count.
  public var collections: Counts
  /// The effect of the transaction, without changes that only follow from others. Empty if the
  /// history does not know how to undo it, or if it is very large; `assets` and `collections` still
  /// count.
  public var actions: [Action]
  /// The names of at most three assets, followed by those of at most three albums and folders. The
  /// latter are left out if `actions` are of assets alone.
  public var names: [String]
  /// Whether the transaction is in effect and the history knows how to undo it. Later changes of
  /// the same objects are found only when it is undone.
  public var isUndoable: Bool
  public var isUndone: Bool
  /// The transaction that this one undid. A redo has undone an undo.
  public var undoes: Int64?
  /// Whether it is an undo, and not a redo or a change.
  public var isUndo: Bool

  public var id: Int64 { number }

  /// The program or the person that made a transaction.
  public enum Author: Hashable, Sendable {
    case owner
    case client(LibraryClient)
    /// The library itself: assets in Recently Deleted expired, or damage was found. Also everything
    /// from before the history recorded authors.
    case library
  }

  /// The numbers of objects that a transaction inserted, updated and deleted. Assets that moved to
  /// Recently Deleted count as deleted.
  public struct Counts: Hashable, Sendable {
    public var inserted: Int
    public var updated: Int
    public var deleted: Int
  }

  /// One thing that a transaction did, for example adding 12 assets to the album Norway.
  public struct Action: Hashable, Sendable {
    public var kind: Kind
    /// The number of assets, also of those that were added to albums or removed from them. Of the
    /// other kinds of albums and folders, it is the number of these.
    public var count: Int
    /// The title of the album or the folder; `nil` if it has none, or if there are more than three
    /// of the same kind. Of an album whose photos alone changed, it is the present title, and `nil`
    /// if the album does not exist any more.
    public var name: String?
    /// The title before `renamed`.
    public var former: String?

    public enum Kind: String, CaseIterable, Sendable {
      case imported, deleted, restored, favorited, unfavorited, hidden, unhidden, edited, reverted
      /// The date or the time zone.
      case dateChanged
      case placeChanged
      /// The title, the caption or the keywords.
      case described
      /// Something else, for example the rating.
      case changed
      case albumMade, folderMade
      /// An undo or a redo made it again.
      case albumRestored, folderRestored
      case albumDeleted, folderDeleted, renamed
      /// To another folder, or to another place among several.
      case moved
      /// Albums and folders have another order.
      case reordered
      case addedToAlbum, removedFromAlbum, photosReordered, coverChanged
    }
  }

  init(_ summary: TransactionSummary, libraryUUID: String) {
    number = summary.number
    changeToken = PHPersistentChangeToken(libraryUUID: libraryUUID, transaction: summary.number)
    date = summary.date
    switch summary.author {
    case .owner: author = .owner
    case .client(let identifier):
      author = .client(LibraryClient(identifier: identifier, name: summary.clientName))
    case nil: author = .library
    }
    assets = Counts(summary.assets)
    collections = Counts(summary.collections)
    actions = summary.actions.compactMap(Action.init)
    names = summary.names
    isUndoable = summary.isUndoable
    isUndone = summary.isUndone
    undoes = summary.reverses
    isUndo = summary.isUndo
  }
}

extension LibraryTransaction.Counts {
  fileprivate init(_ counts: TransactionSummary.Counts) {
    self.init(inserted: counts.inserted, updated: counts.updated, deleted: counts.deleted)
  }
}

extension LibraryTransaction.Action {
  fileprivate init?(_ action: TransactionAction) {
    guard let kind = Kind(rawValue: action.kind.rawValue) else { return nil }
    self.init(kind: kind, count: action.count, name: action.name, former: action.former)
  }
}

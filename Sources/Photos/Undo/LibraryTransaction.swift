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
  /// The names of at most three assets, followed by those of at most three albums and folders.
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

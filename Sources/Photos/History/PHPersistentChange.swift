import Foundation
internal import LibraryStore

/// The change that one transaction made.
public final class PHPersistentChange: NSObject, Sendable {
  /// The position after the change. Store it once the change has been processed.
  public let changeToken: PHPersistentChangeToken
  let transaction: HistoryTransaction

  init(_ transaction: HistoryTransaction, libraryUUID: String) {
    self.transaction = transaction
    changeToken = PHPersistentChangeToken(libraryUUID: libraryUUID, transaction: transaction.number)
  }

  /// Whether the transaction changed the access of clients, or may have: its details are unknown.
  package var changesClients: Bool { transaction.changes?.contains { $0.type == .client } ?? true }

  /// Returns the objects of a type that the transaction inserted, updated and deleted.
  ///
  /// Throws `persistentChangeDetailsUnavailable` if the history has removed the details. In that
  /// case, fetch the objects of that type again.
  public func changeDetails(for objectType: PHObjectType) throws -> PHPersistentObjectChangeDetails {
    guard let changes = transaction.changes else {
      throw PHPhotosError(
        .persistentChangeDetailsUnavailable,
        "the details of transaction \(transaction.number) have been removed; fetch the objects again")
    }
    return PHPersistentObjectChangeDetails(
      objectType, changes.filter { $0.type.rawValue == objectType.rawValue }.map(\.change))
  }
}

/// The identifiers of the objects of one type that a transaction changed.
public final class PHPersistentObjectChangeDetails: NSObject, Sendable {
  public let objectType: PHObjectType
  public let insertedLocalIdentifiers: Set<String>
  public let updatedLocalIdentifiers: Set<String>
  public let deletedLocalIdentifiers: Set<String>

  init(_ objectType: PHObjectType, _ changes: [HistoryChange]) {
    self.objectType = objectType
    func identifiers(_ kind: HistoryChange.Kind) -> Set<String> {
      Set(changes.lazy.filter { $0.kind == kind }.map { objectType.localIdentifier(uuid: $0.uuid) })
    }
    insertedLocalIdentifiers = identifiers(.inserted)
    updatedLocalIdentifiers = identifiers(.updated)
    deletedLocalIdentifiers = identifiers(.deleted)
  }
}

extension PHObjectType {
  func localIdentifier(uuid: String) -> String {
    switch self {
    case .asset: PHAsset.localIdentifier(uuid: uuid)
    case .assetCollection: PHCollection.localIdentifier(uuid: uuid, kind: .album)
    case .collectionList: PHCollection.localIdentifier(uuid: uuid, kind: .folder)
    }
  }
}

/// A list of transactions, from the oldest to the latest.
///
///     for change in try library.fetchPersistentChanges(since: token) {
///       let assets = try change.changeDetails(for: .asset)
///       …
///       token = change.changeToken
///     }
///
/// Process them in their order: an object may be inserted by one transaction and deleted by a later
/// one.
public final class PHPersistentChangeFetchResult: NSObject, Sequence, Sendable {
  private let changes: [PHPersistentChange]

  init(_ changes: [PHPersistentChange]) { self.changes = changes }

  public struct Iterator: IteratorProtocol {
    fileprivate var changes: IndexingIterator<[PHPersistentChange]>
    public mutating func next() -> PHPersistentChange? { changes.next() }
  }

  public func makeIterator() -> Iterator { Iterator(changes: changes.makeIterator()) }

  /// Calls the block for each change until it sets its last argument.
  public func enumerateChanges(_ block: (PHPersistentChange, UnsafeMutablePointer<ObjCBool>) -> Void) {
    var stop = ObjCBool(false)
    for change in changes {
      block(change, &stop)
      if stop.boolValue { return }
    }
  }
}

extension PHPhotoLibrary {
  /// The current position in the library's history. It is equal to an earlier one if nothing has
  /// changed since. A client with limited access counts only what concerns it.
  public var currentChangeToken: PHPersistentChangeToken {
    let latest = engine.damage.optional("the latest transaction could not be read") {
      switch try access() {
      case .owner, .full: PHPersistentChangeToken(libraryUUID: engine.uuid, transaction: try store.latestTransaction())
      // A client must not learn of changes that it can't see.
      case .limited(let client):
        PHPersistentChangeToken(
          libraryUUID: store.historyUUID(of: client), transaction: try store.latestPosition(of: client))
      // Two clients must not learn that they add to the same library.
      case .addOnly, .none:
        PHPersistentChangeToken(libraryUUID: LibraryStore.concealedHistoryUUID, transaction: 0)
      }
    }
    // A library that can't be read reports no changes.
    return latest
      ?? PHPersistentChangeToken(
        libraryUUID: client == nil ? engine.uuid : LibraryStore.concealedHistoryUUID, transaction: 0)
  }

  /// Returns the changes since a position. A client with limited access gets the changes of its own
  /// assets only, and no details if its selection was changed. While the Hidden album is locked,
  /// changes of hidden assets are left out, and hiding an asset is reported as its deletion.
  ///
  /// - Throws `persistentChangeTokenExpired` if the token is too old (thirty days, unless the
  ///   library was opened with another age), if a backup has replaced the library, or if the
  ///   client's access has become limited since, or is no longer limited.
  /// - Throws `accessUserDenied` or `accessRestricted` if the client may not read.
  /// - Throws `internalError` for the token of another library.
  public func fetchPersistentChanges(since token: PHPersistentChangeToken) throws -> PHPersistentChangeFetchResult {
    try withPhotosErrors {
      let store = try engine.available()
      let selection = try accessToHistory().selection
      guard store.isOfHistory(token.libraryUUID) else {
        throw PHPhotosError(.internalError, "the change token belongs to another library: \(token.libraryUUID)")
      }
      let history = history(of: selection, in: store)
      guard token.libraryUUID == history else {
        throw PHPhotosError(
          .persistentChangeTokenExpired, "the change token was made when \(clientName) had different access")
      }
      let found = try store.transactions(
        after: token.transaction, limitedTo: selection, concealsHidden: concealsHidden())
      guard let found else {
        throw PHPhotosError(
          .persistentChangeTokenExpired, "the library's history does not contain transaction \(token.transaction)")
      }
      return PHPersistentChangeFetchResult(found.map { PHPersistentChange($0, libraryUUID: history) })
    }
  }

  /// Returns the UUID of the client's own history if it has a selection, else the library's UUID.
  func history(of selection: ClientRecord?, in store: LibraryStore) -> String {
    selection.map(store.historyUUID(of:)) ?? engine.uuid
  }

  /// Returns the client's access. Throws if it may not read.
  func accessToHistory() throws -> LibraryAccess {
    let access = try access()
    guard access.isReading else {
      throw PHPhotosError(
        access == .none(.restricted) ? .accessRestricted : .accessUserDenied,
        "\(clientName) may not read the library's changes")
    }
    return access
  }
}

import Foundation
internal import LibraryStore

extension PHPersistentChangeToken {
  /// Makes a token from its `stringValue`; `nil` for any other text.
  public convenience init?(stringValue: String) {
    guard let dash = stringValue.lastIndex(of: "-"),
      let transaction = Int64(stringValue[stringValue.index(after: dash)...]), transaction >= 0,
      let library = UUID(uuidString: String(stringValue[..<dash]))
    else { return nil }
    self.init(libraryUUID: library.uuidString, transaction: transaction)
  }

  /// A text that is the same for equal tokens only, for example for a command line or an HTTP
  /// entity tag.
  public var stringValue: String { "\(libraryUUID)-\(transaction)" }
}

extension PHPersistentChangeToken {
  /// The number of the latest transaction at this position. `undo` takes this number.
  package var number: Int64 { transaction }

  /// Returns whether both tokens are positions in the same history.
  package func isOfHistory(of other: PHPersistentChangeToken) -> Bool { libraryUUID == other.libraryUUID }
}

extension PHPhotoLibrary {
  /// Returns the token for the position right after a transaction, by the transaction's number in
  /// the whole library. Returns `nil` if the client's history does not contain the transaction.
  package func changeToken(after transaction: Int64) throws -> PHPersistentChangeToken? {
    try withPhotosErrors {
      switch try access() {
      case .owner, .full: return PHPersistentChangeToken(libraryUUID: engine.uuid, transaction: transaction)
      case .limited(let client):
        let store = try engine.available()
        return try store.position(ofTransaction: transaction, for: client).map {
          PHPersistentChangeToken(libraryUUID: store.historyUUID(of: client), transaction: $0)
        }
      case .addOnly, .none: return nil
      }
    }
  }
}

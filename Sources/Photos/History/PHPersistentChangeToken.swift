import Foundation

/// A position in a library's history of transactions; equal to another one of the same position.
public final class PHPersistentChangeToken: NSObject, Sendable {
  let libraryUUID: String
  let transaction: Int64

  init(libraryUUID: String, transaction: Int64) {
    self.libraryUUID = libraryUUID
    self.transaction = transaction
  }

  public override func isEqual(_ object: Any?) -> Bool {
    guard let other = object as? PHPersistentChangeToken else { return false }
    return libraryUUID == other.libraryUUID && transaction == other.transaction
  }

  public override var hash: Int {
    var hasher = Hasher()
    hasher.combine(libraryUUID)
    hasher.combine(transaction)
    return hasher.finalize()
  }

  /// Extension: the same for equal tokens, and for nothing else; for an HTTP entity tag.
  public var stringValue: String { "\(libraryUUID)-\(transaction)" }
}

import Foundation

/// A position in a library's history of transactions. Two tokens of the same position are equal.
///
///     let data = try NSKeyedArchiver.archivedData(
///       withRootObject: token, requiringSecureCoding: true)
///
/// Store it between two runs of a program, and pass it to `fetchPersistentChanges(since:)` to get
/// the changes since then.
public final class PHPersistentChangeToken: NSObject, NSCopying, NSSecureCoding, Sendable {
  let libraryUUID: String
  let transaction: Int64

  init(libraryUUID: String, transaction: Int64) {
    self.libraryUUID = libraryUUID
    self.transaction = transaction
  }

  public static var supportsSecureCoding: Bool { true }

  private static let libraryKey = "library"
  private static let transactionKey = "transaction"

  public init?(coder: NSCoder) {
    guard let library = coder.decodeObject(of: NSString.self, forKey: Self.libraryKey) else { return nil }
    libraryUUID = String(library)
    transaction = coder.decodeInt64(forKey: Self.transactionKey)
  }

  public func encode(with coder: NSCoder) {
    coder.encode(NSString(string: libraryUUID), forKey: Self.libraryKey)
    coder.encode(transaction, forKey: Self.transactionKey)
  }

  public func copy(with zone: NSZone? = nil) -> Any { self }

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
}

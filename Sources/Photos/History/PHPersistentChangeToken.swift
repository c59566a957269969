import Foundation

/// A position in a library's history of transactions; equal to another one of the same position.
///
///     let data = try NSKeyedArchiver.archivedData(withRootObject: token, requiringSecureCoding: true)
///
/// Keep it from one run to the next and ask `fetchPersistentChanges(since:)` what happened since.
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

  /// Extension: a token as `stringValue` wrote it; `nil` for any other text.
  public init?(stringValue: String) {
    guard let dash = stringValue.lastIndex(of: "-"),
      let transaction = Int64(stringValue[stringValue.index(after: dash)...]), transaction >= 0,
      let library = UUID(uuidString: String(stringValue[..<dash]))
    else { return nil }
    libraryUUID = library.uuidString
    self.transaction = transaction
  }

  /// Extension: the same for equal tokens, and for nothing else: for a command line, or an HTTP entity tag.
  public var stringValue: String { "\(libraryUUID)-\(transaction)" }

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

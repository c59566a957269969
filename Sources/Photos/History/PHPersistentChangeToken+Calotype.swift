import Foundation

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

extension PHPhotoLibrary {
  /// Returns the position in the history that a transaction has made.
  package func changeToken(after transaction: Int64) -> PHPersistentChangeToken {
    PHPersistentChangeToken(libraryUUID: engine.uuid, transaction: transaction)
  }
}

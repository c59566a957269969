import Foundation

/// An object of a library with an identifier. Two objects with the same identifier are equal.
open class PHObject: NSObject, NSCopying, @unchecked Sendable {
  // The properties are immutable after `init`. Subclasses guard values that they load later with a
  // lock.

  /// The identifier, which stays the same as long as the object exists, and is unique in its
  /// library.
  open var localIdentifier: String { identifier }
  private let identifier: String

  /// Makes an object for subclasses in tests. An object of this class itself would have no meaning,
  /// so making one traps.
  public override init() {
    identifier = ""
    super.init()
    precondition(type(of: self) != PHObject.self, "PHObject is abstract: fetch a PHAsset or a PHCollection")
  }

  init(localIdentifier: String) {
    identifier = localIdentifier
    super.init()
  }

  public func copy(with zone: NSZone? = nil) -> Any { self }

  open override func isEqual(_ object: Any?) -> Bool {
    guard let other = object as? PHObject else { return false }
    return other === self || (!localIdentifier.isEmpty && other.localIdentifier == localIdentifier)
  }

  open override var hash: Int { localIdentifier.hashValue }

  /// Returns the value of a property by its name, the part of key-value coding that apps use. A few
  /// names that apps read have no property in PhotoKit. Returns `nil` for any other key; PhotoKit
  /// raises.
  ///
  ///     asset.value(forKey: "filename") as? String
  ///
  /// Numbers are returned as `NSNumber`s, and enumerations as their raw values.
  open func value(forKey key: String) -> Any? { key == "localIdentifier" ? localIdentifier : nil }

  /// Returns the part of an identifier before its first `/`.
  package static func uuid(localIdentifier: String) -> String {
    let slash = UInt8(ascii: "/")
    return Substring(localIdentifier.utf8.drop { $0 == slash }.prefix { $0 != slash }).uppercased()
  }

  /// The object's row; 0 for an object that is in no library.
  package var rowID: Int64 { 0 }
}

extension PHObject {
  /// Returns whether the object was fetched from this library. Rows of another library have the
  /// same numbers.
  func isOf(_ library: PHPhotoLibrary?) -> Bool {
    let own = (self as? PHAsset)?.library ?? (self as? PHCollection)?.library
    return own?.engine.uuid == library?.engine.uuid
  }
}

/// A stand-in for an object that a change block creates. It already has the object's identifier.
open class PHObjectPlaceholder: PHObject, @unchecked Sendable {
  // See `PHObject`.

  /// Makes a placeholder without an object, for subclasses in tests.
  public override init() { super.init() }

  override init(localIdentifier: String) { super.init(localIdentifier: localIdentifier) }
}

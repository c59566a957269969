import Foundation

/// What has an identifier in a library: equal to another one with the same identifier.
open class PHObject: NSObject, NSCopying, @unchecked Sendable {
  // Immutable after init; subclasses guard what they load later with a lock.

  /// Stable for the object's life, in its own library.
  open var localIdentifier: String { identifier }
  private let identifier: String

  /// For subclasses that stand for objects in tests; an object of this class itself has no meaning, and making one traps.
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

  /// Key-value coding as far as apps use it: the value of a property by its name, and of the few names that apps read although PhotoKit
  /// has no such property. `nil` for any other key, where PhotoKit raises.
  ///
  ///     asset.value(forKey: "filename") as? String
  ///
  /// Numbers come as `NSNumber`s, and enumerations as their raw values.
  open func value(forKey key: String) -> Any? { key == "localIdentifier" ? localIdentifier : nil }

  /// The part of an identifier before its first `/`.
  static func uuid(localIdentifier: String) -> String {
    localIdentifier.split(separator: "/").first.map { $0.uppercased() } ?? ""
  }

  /// The object's row; 0 for one that is in no library.
  var rowID: Int64 { 0 }
}

extension PHObject {
  /// Whether it was fetched from this library: rows of another one have the same numbers.
  func isOf(_ library: PHPhotoLibrary?) -> Bool {
    let own = (self as? PHAsset)?.library ?? (self as? PHCollection)?.library
    return own?.engine.uuid == library?.engine.uuid
  }
}

/// Stands for an object that a change block is creating, whose identifier it has already.
open class PHObjectPlaceholder: PHObject, @unchecked Sendable {
  // As PHObject.

  /// Makes a placeholder without an object, for subclasses in tests.
  public override init() { super.init() }

  override init(localIdentifier: String) { super.init(localIdentifier: localIdentifier) }
}

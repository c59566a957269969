import Foundation

/// What has an identifier in a library: equal to another one with the same identifier.
open class PHObject: NSObject, NSCopying, @unchecked Sendable {
  // Immutable after init; subclasses guard what they load later with a lock.

  /// Stable for the object's life, in its own library.
  open var localIdentifier: String { identifier }
  private let identifier: String

  init(localIdentifier: String) { identifier = localIdentifier }

  public func copy(with zone: NSZone? = nil) -> Any { self }

  open override func isEqual(_ object: Any?) -> Bool {
    (object as? PHObject)?.localIdentifier == localIdentifier
  }

  open override var hash: Int { localIdentifier.hashValue }
}

/// Stands for an object that a change block is creating, whose identifier it has already.
public final class PHObjectPlaceholder: PHObject, @unchecked Sendable {
  // As PHObject.
}

import Foundation

/// A list of objects that a change request accepts: an array, a set or a fetch result.
///
///     PHAssetChangeRequest.deleteAssets([asset] as NSArray)
///
/// Foundation has no such protocol on Linux.
public protocol NSFastEnumeration {
  /// Returns the objects in their order.
  func fastEnumerationObjects() -> [Any]
}

extension Array: NSFastEnumeration {
  public func fastEnumerationObjects() -> [Any] { map { $0 } }
}

extension Set: NSFastEnumeration {
  public func fastEnumerationObjects() -> [Any] { map { $0 } }
}

extension NSArray: NSFastEnumeration {
  public func fastEnumerationObjects() -> [Any] { map { $0 } }
}

extension NSSet: NSFastEnumeration {
  public func fastEnumerationObjects() -> [Any] { allObjects }
}

extension NSOrderedSet: NSFastEnumeration {
  public func fastEnumerationObjects() -> [Any] { map { $0 } }
}

extension PHFetchResult: NSFastEnumeration {
  public func fastEnumerationObjects() -> [Any] { objects(at: IndexSet(0..<count)) }
}

/// Iterates over the objects of a list.
///
///     extension PHFetchResult: Sequence {
///       public func makeIterator() -> NSFastEnumerationIterator {
///         NSFastEnumerationIterator(self)
///       }
///     }
public struct NSFastEnumerationIterator: IteratorProtocol {
  private var objects: IndexingIterator<[Any]>

  public init(_ enumerable: any NSFastEnumeration) { objects = enumerable.fastEnumerationObjects().makeIterator() }

  public mutating func next() -> Any? { objects.next() }
}

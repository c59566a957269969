import Foundation

/// The result of a fetch: an ordered snapshot of identifiers, whose objects load in pages as they
/// are read.
///
///     let result = PHAsset.fetchAssets(with: options)
///     for index in 0..<result.count { print(result.object(at: index).localIdentifier) }
///
/// It never changes, and takes eight bytes for each object. Any thread may use it. In place of an
/// object that was deleted since the fetch, it returns one that has only its identifier. An index
/// out of range traps, as PhotoKit's raises.
open class PHFetchResult<ObjectType: AnyObject>: NSObject, NSCopying, @unchecked Sendable {
  // The properties are immutable or guarded by locks.

  let fetched: FetchedObjects

  /// An empty result.
  public override init() { fetched = .none }

  init(_ fetched: FetchedObjects) { self.fetched = fetched }

  public func copy(with zone: NSZone? = nil) -> Any { self }

  open var count: Int { fetched.ids.count }
  open var firstObject: ObjectType? { count == 0 ? nil : object(at: 0) }
  open var lastObject: ObjectType? { count == 0 ? nil : object(at: count - 1) }

  open func object(at index: Int) -> ObjectType {
    let object = fetched.object(at: index)
    guard let object = object as? ObjectType else {
      preconditionFailure("the object at \(index) is a \(type(of: object)), not a \(ObjectType.self)")
    }
    return object
  }

  open subscript(_ index: Int) -> ObjectType { object(at: index) }

  open func objects(at indexes: IndexSet) -> [ObjectType] { indexes.map(object(at:)) }

  /// Whether the result contains an object with the same identifier.
  open func contains(_ anObject: ObjectType) -> Bool { index(of: anObject) != NSNotFound }

  /// Returns the index of an object; `NSNotFound` if the result does not contain it.
  open func index(of anObject: ObjectType) -> Int {
    index(of: anObject, in: NSRange(location: 0, length: count))
  }

  open func index(of anObject: ObjectType, in range: NSRange) -> Int {
    guard let object = anObject as? PHObject, let range = Range(range) else { return NSNotFound }
    precondition(range.upperBound <= count, "the range \(range) is beyond the result's \(count) objects")
    return fetched.index(of: object, in: range) ?? NSNotFound
  }

  /// Calls the block for each object in order, until the block sets its last argument.
  open func enumerateObjects(_ block: @escaping (ObjectType, Int, UnsafeMutablePointer<ObjCBool>) -> Void) {
    enumerateObjects(options: [], using: block)
  }

  /// Calls the block for each object. With `.concurrent`, several threads call it at once. With
  /// `.reverse`, the last object comes first.
  open func enumerateObjects(
    options: NSEnumerationOptions = [],
    using block: @escaping (ObjectType, Int, UnsafeMutablePointer<ObjCBool>) -> Void
  ) { enumerateObjects(at: IndexSet(0..<count), options: options, using: block) }

  open func enumerateObjects(
    at indexes: IndexSet, options: NSEnumerationOptions = [],
    using block: @escaping (ObjectType, Int, UnsafeMutablePointer<ObjCBool>) -> Void
  ) {
    let call = ObjectEnumeration(result: self, block: block)
    if options.contains(.concurrent) { return call.runConcurrently(Array(indexes)) }
    let wanted = options.contains(.reverse) ? Array(indexes.reversed()) : Array(indexes)
    for index in wanted where !call.run(index) { return }
  }

  /// Returns the number of assets of this type. If they can't be counted, it is 0, and `error` says
  /// why.
  open func countOfAssets(with mediaType: PHAssetMediaType) -> Int {
    do {
      return try fetched.library?.engine.available().count(fetched.ids, mediaType: mediaType.rawValue) ?? 0
    } catch {
      fetched.note(error)
      return 0
    }
  }
}

/// A call of a block for each object of a result.
private struct ObjectEnumeration<ObjectType: AnyObject>: @unchecked Sendable {
  // A caller that asks for a concurrent enumeration guarantees that its block is safe to call from
  // several threads.

  let result: PHFetchResult<ObjectType>
  let block: (ObjectType, Int, UnsafeMutablePointer<ObjCBool>) -> Void

  /// Calls the block. Returns whether the enumeration continues.
  func run(_ index: Int) -> Bool {
    var stop = ObjCBool(false)
    block(result.object(at: index), index, &stop)
    return !stop.boolValue
  }

  func runConcurrently(_ indexes: [Int]) {
    let stopped = OnceFlag()
    DispatchQueue.concurrentPerform(iterations: indexes.count) { position in
      if !stopped.isSet, !run(indexes[position]) { stopped.set() }
    }
  }
}

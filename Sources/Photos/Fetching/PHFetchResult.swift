import Foundation

/// What a fetch found: an ordered snapshot whose objects load in pages as they are read.
///
///     let result = PHAsset.fetchAssets(with: options)
///     for index in 0..<result.count { print(result.object(at: index).localIdentifier) }
///
/// Never changes; holds eight bytes an object. Any thread may use it. An object deleted since the fetch is a bare one that has
/// its identifier alone. An index out of range traps, as PhotoKit's raises.
open class PHFetchResult<ObjectType: AnyObject>: NSObject, NSCopying, @unchecked Sendable {
  // What it was fetched from never changes, or stands behind locks.

  let fetched: FetchedObjects

  /// An empty result.
  public override init() { fetched = .none }

  init(_ fetched: FetchedObjects) { self.fetched = fetched }

  /// Extension: the same objects under another type, as Objective-C's generics are cast.
  ///
  ///     PHFetchResult<PHCollection>(casting: albums)
  ///
  /// Reading an object that is not of the type traps.
  public convenience init<Other>(casting other: PHFetchResult<Other>) { self.init(other.fetched) }

  /// Extension: why the library could not be read, in the fetch or for an object since; PhotoKit's fetches can't throw.
  public var error: PHPhotosError? { fetched.error }

  /// Extension: the statement that the fetch ran, its arguments, and SQLite's plan for it, a line each: for a person.
  ///
  ///     print(try PHAsset.fetchAssets(with: options).explanation())
  public func explanation() throws -> String { try fetched.explanation() }

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

  /// By identifier.
  open func contains(_ anObject: ObjectType) -> Bool { index(of: anObject) != NSNotFound }

  /// `NSNotFound` where it isn't there.
  open func index(of anObject: ObjectType) -> Int {
    index(of: anObject, in: NSRange(location: 0, length: count))
  }

  open func index(of anObject: ObjectType, in range: NSRange) -> Int {
    guard let object = anObject as? PHObject, let range = Range(range) else { return NSNotFound }
    precondition(range.upperBound <= count, "the range \(range) is beyond the result's \(count) objects")
    return fetched.index(of: object, in: range) ?? NSNotFound
  }

  /// Calls the block for each object in its order, until it sets its last argument.
  open func enumerateObjects(_ block: @escaping (ObjectType, Int, UnsafeMutablePointer<ObjCBool>) -> Void) {
    enumerateObjects(options: [], using: block)
  }

  /// With `.concurrent` several threads call the block at once; with `.reverse` the last object comes first.
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

  /// How many of the objects are assets of this type.
  open func countOfAssets(with mediaType: PHAssetMediaType) -> Int {
    (try? fetched.library?.engine.available().count(fetched.ids, mediaType: mediaType.rawValue)) ?? 0
  }
}

/// A block that is called for the objects of a result.
private struct ObjectEnumeration<ObjectType: AnyObject>: @unchecked Sendable {
  // A caller that asks for a concurrent enumeration says that its block bears it.

  let result: PHFetchResult<ObjectType>
  let block: (ObjectType, Int, UnsafeMutablePointer<ObjCBool>) -> Void

  /// Whether the enumeration is to go on.
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

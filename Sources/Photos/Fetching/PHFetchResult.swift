import Foundation
internal import LibraryStore
import Synchronization

/// What a fetch found: an ordered snapshot whose objects load in pages as they are read.
///
///     let result = PHAsset.fetchAssets(with: options)
///     for index in 0..<result.count { print(result.object(at: index).localIdentifier) }
///
/// Never changes; holds eight bytes an object. Any thread may use it. An object deleted since the fetch is a bare one that has
/// its identifier alone.
open class PHFetchResult<ObjectType: AnyObject>: NSObject, NSCopying, @unchecked Sendable {
  // `ids`, `load` and `missing` never change; the pages and the error stand behind locks.

  private let ids: [Int64]
  private let load: ([Int64]) throws -> [ObjectType]
  private let missing: () -> ObjectType
  private let pages = Mutex<[Int: Page]>([:])
  private let failure: Mutex<PHPhotosError?>

  // A box, because a Mutex takes values that are Sendable, and the generic parameter can't say so.
  private struct Page: @unchecked Sendable {
    // Its objects are immutable model objects.
    let objects: [ObjectType]
  }

  /// An empty result.
  public override init() {
    ids = []
    load = { _ in [] }
    missing = { preconditionFailure("an empty result has no objects") }
    failure = Mutex(nil)
  }

  /// `load` answers as many objects as it is given ids, in their order; `missing` stands for one that can't be read.
  init(
    ids: [Int64], failure: PHPhotosError? = nil, missing: @escaping @Sendable () -> ObjectType,
    load: @escaping @Sendable ([Int64]) throws -> [ObjectType]
  ) {
    self.ids = ids
    self.load = load
    self.missing = missing
    self.failure = Mutex(failure)
  }

  /// Extension: why the library could not be read, in the fetch or for an object since; PhotoKit's fetches can't throw.
  public var error: PHPhotosError? { failure.withLock { $0 } }

  public func copy(with zone: NSZone? = nil) -> Any { self }

  open var count: Int { ids.count }
  open var firstObject: ObjectType? { ids.isEmpty ? nil : object(at: 0) }
  open var lastObject: ObjectType? { ids.isEmpty ? nil : object(at: count - 1) }

  /// Traps when `index` is out of range, as PhotoKit's raises.
  open func object(at index: Int) -> ObjectType {
    precondition(ids.indices.contains(index), "index \(index) is beyond the result's \(count) objects")
    return page(index / Self.pageSize)[index % Self.pageSize]
  }

  open subscript(_ index: Int) -> ObjectType { object(at: index) }

  open func objects(at indexes: IndexSet) -> [ObjectType] { indexes.map(object(at:)) }

  open func enumerateObjects(_ block: @escaping (ObjectType, Int, UnsafeMutablePointer<ObjCBool>) -> Void) {
    var stop = ObjCBool(false)
    for index in ids.indices {
      block(object(at: index), index, &stop)
      if stop.boolValue { return }
    }
  }

  /// As many as a screen shows several times over, few enough to be read in a millisecond.
  private static var pageSize: Int { 256 }
  /// The most pages kept, so that reading all of a large result does not hold all of its objects.
  private static var keptPages: Int { 16 }

  private func page(_ number: Int) -> [ObjectType] {
    if let page = pages.withLock({ $0[number] }) { return page.objects }
    let start = number * Self.pageSize
    let wanted = Array(ids[start..<min(start + Self.pageSize, ids.count)])
    let page: Page
    do { page = Page(objects: try load(wanted)) } catch {
      failure.withLock { $0 = PHPhotosError(error) }
      return wanted.map { _ in missing() }
    }
    pages.withLock { pages in
      if pages.count >= Self.keptPages { pages.removeAll(keepingCapacity: true) }
      pages[number] = page
    }
    return page.objects
  }
}

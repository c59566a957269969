import Foundation
internal import LibraryStore
import Synchronization

/// The ids that a fetch found, in their order. The objects load in pages.
///
/// This is the part of a `PHFetchResult` that has no type parameter.
final class FetchedObjects: Sendable {
  let library: PHPhotoLibrary?
  let query: FetchQuery
  /// The query before it was restricted to the client's access.
  let unrestrictedQuery: FetchQuery
  let wantsIncrementalChangeDetails: Bool
  let ids: [Int64]
  /// The ids that the query finds, without those of transient collections.
  let storedIDs: [Int64]
  /// The transient collections among the objects; `nil` for most fetches.
  let transientChildren: TransientChildren?
  /// The latest transaction for which the ids are known to be the query's.
  var transaction: Int64 { seen.withLock { $0 } }
  private let seen: Mutex<Int64>
  private let pages = Mutex<[Int: Page]>([:])
  private let failure: Mutex<PHPhotosError?>

  init(
    library: PHPhotoLibrary?, query: FetchQuery, unrestrictedQuery: FetchQuery? = nil, found: FetchedIDs,
    wantsIncrementalChangeDetails: Bool = true, failure: PHPhotosError? = nil,
    transientChildren: TransientChildren? = nil
  ) {
    self.library = library
    self.query = query
    self.unrestrictedQuery = unrestrictedQuery ?? query
    self.wantsIncrementalChangeDetails = wantsIncrementalChangeDetails
    storedIDs = found.ids
    ids = transientChildren?.merged(with: found.ids, limit: query.limit) ?? found.ids
    self.transientChildren = transientChildren
    seen = Mutex(found.transaction)
    self.failure = Mutex(failure)
  }

  static let none = FetchedObjects(
    library: nil, query: FetchQuery(.nothing), found: FetchedIDs(ids: [], transaction: 0))

  var error: PHPhotosError? { failure.withLock { $0 } }

  func note(_ error: any Error) { failure.withLock { $0 = PHPhotosError(error) } }

  /// Returns the statement, its arguments, and SQLite's plan for it, a line each.
  func explanation() throws -> String {
    guard let library else { throw PHPhotosError(.internalError, "an empty result has no statement") }
    return try withPhotosErrors { try library.engine.available().explanation(of: query) }
  }

  /// Remembers that the query finds the same objects after a transaction, and that none of them
  /// changed.
  func remember(unchangedAfter transaction: Int64) { seen.withLock { $0 = max($0, transaction) } }

  /// Returns the same fetch with the ids that it found later.
  func with(_ found: FetchedIDs, _ query: FetchQuery) -> FetchedObjects {
    FetchedObjects(
      library: library, query: query, unrestrictedQuery: unrestrictedQuery, found: found,
      wantsIncrementalChangeDetails: wantsIncrementalChangeDetails, transientChildren: transientChildren)
  }

  /// Returns the objects of a transient folder, its transient collections included.
  func adding(_ children: TransientChildren) -> FetchedObjects {
    FetchedObjects(
      library: library, query: query, unrestrictedQuery: unrestrictedQuery,
      found: FetchedIDs(ids: storedIDs, transaction: transaction),
      wantsIncrementalChangeDetails: wantsIncrementalChangeDetails, failure: error, transientChildren: children)
  }

  func object(at index: Int) -> PHObject {
    precondition(ids.indices.contains(index), "index \(index) is beyond the result's \(ids.count) objects")
    if let child = transientChildren?.collections[ids[index]] { return child }
    let number = index / Self.pageSize
    let known = pages.withLock { $0[number] }
    if let object = known?[index] { return object }
    do {
      let range = whole(number)
      let loadsFew = known == nil && range.count > Self.mostAtOnce
      let page = try load(loadsFew ? few(around: index) : range).keeping(known)
      pages.withLock { pages in
        if pages.count >= Self.pageLimit { pages.removeAll(keepingCapacity: true) }
        pages[number] = page
      }
      return page[index] ?? missing(row: ids[index], uuid: nil)
    } catch {
      note(error)
      return missing(row: ids[index], uuid: nil)
    }
  }

  func index(of object: PHObject, in range: Range<Int>) -> Int? {
    let id = object.rowID != 0 ? object.rowID : transientChildren?.id(of: object)
    guard let id, let index = ids[range].firstIndex(of: id) else { return nil }
    // An object of another library may have the same row number.
    return self.object(at: index) == object ? index : nil
  }

  /// The loaded objects of a page: all of them, or a few.
  private struct Page {
    var start: Int
    var objects: [PHObject]

    subscript(index: Int) -> PHObject? {
      objects.indices.contains(index - start) ? objects[index - start] : nil
    }

    /// Returns the page with the objects that were loaded before, so that an index always has the
    /// same object.
    func keeping(_ former: Page?) -> Page {
      var page = self
      for (offset, object) in (former?.objects ?? []).enumerated() {
        page.objects[(former?.start ?? 0) + offset - start] = object
      }
      return page
    }
  }

  /// Several times as many objects as a screen shows, and few enough to be read in a millisecond.
  private static let pageSize = 256
  /// The most pages kept. Reading all of a large result must not retain all of its objects.
  private static let pageLimit = 16
  /// The number of objects that load when the first of a page is read. Many programs read only the
  /// first or the last object of a result.
  private static let fewObjects = 16
  /// A page of no more objects loads at once: a second statement would take longer.
  private static let mostAtOnce = 64

  private func few(around index: Int) -> Range<Int> {
    let start = index / Self.fewObjects * Self.fewObjects
    return start..<min(start + Self.fewObjects, ids.count)
  }

  private func whole(_ number: Int) -> Range<Int> {
    number * Self.pageSize..<min((number + 1) * Self.pageSize, ids.count)
  }

  private func load(_ range: Range<Int>) throws -> Page {
    Page(start: range.lowerBound, objects: try load(ids[range]))
  }

  /// Loads the objects of these ids in their order. An object without properties takes the place of
  /// a deleted one, so that the indexes stay the same.
  private func load(_ ids: ArraySlice<Int64>) throws -> [PHObject] {
    guard let library else { return [] }
    let store = try library.engine.available()
    // If the client has lost access since the fetch, objects without properties and names take the
    // objects' places.
    let access = try library.access()
    let concealsHidden = try library.lacksHidden(access)
    if query.isOfCollections {
      let records = try store.collections(
        ids: ids, limitedToClient: access.selection?.id, concealsHidden: concealsHidden)
      let seen = records.filter { access.seesEverything || (access.isReading && $0.kind == .smartAlbum) }
      let hidden = seen.count == records.count ? [] : Set(records.map(\.id))
      return try objects(ids, found: seen.map { ($0.id, .collection($0, library)) }, hidden: hidden)
    }
    let records = try store.assets(ids: ids, limitedToClient: access.selection?.id)
    let seesEverything = access.seesEverything && !concealsHidden
    let visible = seesEverything ? [] : Set(try library.visible(Array(ids)))
    let seen = seesEverything ? records : records.filter { visible.contains($0.id) }
    let hidden = seen.count == records.count ? [] : Set(records.map(\.id))
    return try objects(ids, found: seen.map { ($0.id, PHAsset(record: $0, photoLibrary: library)) }, hidden: hidden)
  }

  /// Returns the objects in the order of the ids. `hidden` contains existing ids whose names the
  /// client may not learn.
  private func objects(_ ids: ArraySlice<Int64>, found: [(Int64, PHObject)], hidden: Set<Int64>) throws
    -> [PHObject]
  {
    if found.count == ids.count { return found.map(\.1) }
    let byID = Dictionary(found, uniquingKeysWith: { first, _ in first })
    let gone = ids.filter { byID[$0] == nil && !hidden.contains($0) }
    // The history still contains the names of deleted objects.
    let names = try library?.store.deletedUUIDs(ofRows: gone, isCollection: query.isOfCollections) ?? [:]
    return ids.map { byID[$0] ?? missing(row: $0, uuid: names[$0]) }
  }

  /// Makes an object without properties. If its identifier is not known, it gets a unique one that
  /// no fetch finds.
  private func missing(row: Int64, uuid: String?) -> PHObject {
    let uuid = uuid ?? String(format: "00000000-0000-0000-%04X-%012llX", query.isOfCollections ? 1 : 0, row)
    guard query.isOfCollections else { return PHAsset(record: .deleted(uuid: uuid), photoLibrary: library) }
    let kind: CollectionKind =
      switch query.source {
      case .collections(let kind, _): kind
      case .collectionsOfKinds(let kinds): kinds.count == 1 ? kinds.first ?? .album : .album
      case .parent: .folder
      default: .album
      }
    return .collection(.deleted(uuid: uuid, kind: kind), library)
  }
}

/// The contents of a transient folder that contains transient collections.
struct TransientChildren: Sendable {
  /// The rows of stored collections, and the negative numbers of transient ones, in their order.
  let ids: [Int64]
  /// The transient collections, by their numbers.
  let collections: [Int64: PHCollection]

  /// Returns the ids of the transient collections, and of those stored ones that were found. A
  /// `limit` of 0 means none.
  func merged(with found: [Int64], limit: Int) -> [Int64] {
    let found = Set(found)
    let present = ids.filter { collections[$0] != nil || found.contains($0) }
    return limit > 0 ? Array(present.prefix(limit)) : present
  }

  func id(of object: PHObject) -> Int64? { collections.first { $0.value.isEqual(object) }?.key }
}

extension PHObject {
  /// Makes an object of the class that represents this kind of collection.
  static func collection(_ record: CollectionRecord, _ library: PHPhotoLibrary?) -> PHObject {
    record.kind == .folder
      ? PHCollectionList(record: record, photoLibrary: library)
      : PHAssetCollection(record: record, photoLibrary: library)
  }
}

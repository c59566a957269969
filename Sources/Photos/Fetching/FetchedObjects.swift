import Foundation
internal import LibraryStore
import Synchronization

/// What a fetch found: ids in their order, whose objects load in pages; the part of a `PHFetchResult` that has no type parameter.
final class FetchedObjects: Sendable {
  let library: PHPhotoLibrary?
  let query: FetchQuery
  let wantsIncrementalChangeDetails: Bool
  let ids: [Int64]
  /// The library's latest transaction when the ids were read.
  let transaction: Int64
  private let pages = Mutex<[Int: [PHObject]]>([:])
  private let failure: Mutex<PHPhotosError?>

  init(
    library: PHPhotoLibrary?, query: FetchQuery, found: FetchedIDs, wantsIncrementalChangeDetails: Bool = true,
    failure: PHPhotosError? = nil
  ) {
    self.library = library
    self.query = query
    self.wantsIncrementalChangeDetails = wantsIncrementalChangeDetails
    ids = found.ids
    transaction = found.transaction
    self.failure = Mutex(failure)
  }

  static let none = FetchedObjects(
    library: nil, query: FetchQuery(.nothing), found: FetchedIDs(ids: [], transaction: 0))

  var error: PHPhotosError? { failure.withLock { $0 } }

  /// The same fetch as it found other ids later.
  func with(_ found: FetchedIDs) -> FetchedObjects {
    FetchedObjects(
      library: library, query: query, found: found, wantsIncrementalChangeDetails: wantsIncrementalChangeDetails)
  }

  func object(at index: Int) -> PHObject {
    precondition(ids.indices.contains(index), "index \(index) is beyond the result's \(ids.count) objects")
    return page(index / Self.pageSize)[index % Self.pageSize]
  }

  func index(of object: PHObject, in range: Range<Int>) -> Int? {
    guard object.rowID != 0, let index = ids[range].firstIndex(of: object.rowID) else { return nil }
    // Rows of another library have the same numbers.
    return self.object(at: index) == object ? index : nil
  }

  /// As many as a screen shows several times over, few enough to be read in a millisecond.
  private static let pageSize = 256
  /// The most pages kept, so that reading all of a large result does not hold all of its objects.
  private static let keptPages = 16

  private func page(_ number: Int) -> [PHObject] {
    if let page = pages.withLock({ $0[number] }) { return page }
    let start = number * Self.pageSize
    let wanted = ids[start..<min(start + Self.pageSize, ids.count)]
    let page: [PHObject]
    do { page = try load(wanted) } catch {
      failure.withLock { $0 = PHPhotosError(error) }
      return wanted.map { _ in missing(uuid: "") }
    }
    pages.withLock { pages in
      if pages.count >= Self.keptPages { pages.removeAll(keepingCapacity: true) }
      pages[number] = page
    }
    return page
  }

  /// The objects of these ids in their order; for one that was deleted since, a bare one, so that the places still agree.
  private func load(_ ids: ArraySlice<Int64>) throws -> [PHObject] {
    guard let library else { return [] }
    let store = try library.engine.available()
    if query.isOfCollections {
      var records = try store.collections(ids: ids)
      // How many assets there are beyond its selection is not for a client to know.
      if query.limitedToClient != nil { for index in records.indices { records[index].assetCount = nil } }
      return objects(ids, records.map { ($0.id, .collection($0, library)) })
    }
    return objects(ids, try store.assets(ids: ids).map { ($0.id, PHAsset(record: $0, photoLibrary: library)) })
  }

  private func objects(_ ids: ArraySlice<Int64>, _ found: [(Int64, PHObject)]) -> [PHObject] {
    if found.count == ids.count { return found.map(\.1) }
    let byID = Dictionary(found, uniquingKeysWith: { first, _ in first })
    let gone = ids.filter { byID[$0] == nil }
    // Who was deleted is still known to the history, by name.
    let names = (try? library?.store.deletedUUIDs(ofRows: gone, isCollection: query.isOfCollections)) ?? [:]
    return ids.map { byID[$0] ?? missing(uuid: names[$0] ?? "") }
  }

  private func missing(uuid: String) -> PHObject {
    guard query.isOfCollections else { return PHAsset(record: .deleted(uuid: uuid), photoLibrary: library) }
    var kind = CollectionKind.album
    if case .collections(let wanted, _) = query.source { kind = wanted }
    return .collection(.deleted(uuid: uuid, kind: kind), library)
  }
}

extension PHObject {
  /// A collection as the class that it is of.
  static func collection(_ record: CollectionRecord, _ library: PHPhotoLibrary?) -> PHObject {
    record.kind == .folder
      ? PHCollectionList(record: record, photoLibrary: library)
      : PHAssetCollection(record: record, photoLibrary: library)
  }
}

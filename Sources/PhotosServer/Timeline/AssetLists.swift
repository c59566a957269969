import Foundation
import NIOCore
import Photos
import Synchronization

/// The lists of assets that were requested last, each read once until the library changes.
actor AssetLists {
  private var lists = LeastRecentlyUsed<Key, AssetList>(costLimit: capacity)
  private var collections = LeastRecentlyUsed<ObjectIdentifier, Collections>(costLimit: capacity)

  /// The owner and each client have lists of their own, since each of them has a library object.
  private struct Key: Hashable {
    var library: ObjectIdentifier
    var source: AssetSource
  }

  /// The number of lists: those that a few pages show and have shown last. The list of a library of
  /// a million assets takes eight megabytes.
  private static let capacity = 24

  func list(_ source: AssetSource, in library: PHPhotoLibrary) async throws -> AssetList {
    let key = Key(library: ObjectIdentifier(library), source: source)
    let moment = try await Blocking.run { try Moment(of: library, dependsOnTime: source.dependsOnTime) }
    if let list = lists.value(for: key), list.moment == moment { return list }
    let list = AssetList(source, in: library, moment)
    lists.insert(list, for: key, cost: 1)
    return list
  }

  /// Returns the answer with all collections.
  func collections(of library: PHPhotoLibrary) async throws -> SharedReading<StableBody> {
    let moment = try await Blocking.run { try Moment(of: library, dependsOnTime: true) }
    if let known = collections.value(for: ObjectIdentifier(library)), known.moment == moment { return known.body }
    let body = SharedReading {
      try await Blocking.run {
        let (revision, overviews) = try library.readConsistently { try library.collectionOverviews() }
        let text = CollectionsBody.text(
          revision: revision, overviews, saysLocked: library.client == nil && moment.concealsHidden)
        return StableBody(ByteBuffer(bytes: text.bytes), at: moment.at(revision), type: .json)
      }
    }
    collections.insert(Collections(moment: moment, body: body), for: ObjectIdentifier(library), cost: 1)
    return body
  }
}

/// The collections of a library at one moment.
private struct Collections {
  var moment: Moment
  var body: SharedReading<StableBody>
}

/// The assets of a source, and the answers that show all of them without loading them.
final class AssetList: Sendable {
  /// The moment at which the list was requested.
  let moment: Moment
  let assets: SharedReading<ListedAssets>
  /// The days of a search, which each of its answers has.
  let dayCounts: SharedReading<[DayCount]>
  let days: SharedReading<StableBody>
  let aspects: SharedReading<StableBody>
  let colors: SharedReading<StableBody>
  let places: SharedReading<StableBody>
  /// The most recently requested answers, each with a part of the list.
  private let parts = Mutex(LeastRecentlyUsed<Range<Int>, StableBody>(costLimit: partByteLimit))

  /// Space for six parts of 200 assets.
  private static let partByteLimit = 1 << 20

  init(_ source: AssetSource, in library: PHPhotoLibrary, _ moment: Moment) {
    let client = library.client
    let assets = SharedReading {
      try await source.run(for: client) { try ListedAssets(source, in: library, at: moment) }
    }
    func body(_ write: @escaping @Sendable (ListedAssets) throws -> StableBody) -> SharedReading<StableBody> {
      SharedReading {
        let assets = try await assets.value()
        return try await source.run(for: client) { try write(assets) }
      }
    }
    self.moment = moment
    self.assets = assets
    dayCounts = SharedReading {
      let assets = try await assets.value()
      return try await source.run(for: client) { try assets.countsOfDays() }
    }
    days = body { try $0.days() }
    aspects = body { try $0.aspects() }
    colors = body { try $0.colors() }
    places = body { try $0.places() }
  }

  /// Returns the kept answer with a part of the list, or makes one. Keeps a new answer if it stays
  /// the same until the library changes.
  func part(_ range: Range<Int>, _ make: () throws -> (StableBody, isLasting: Bool)) rethrows -> StableBody {
    if let known = parts.withLock({ $0.value(for: range) }) { return known }
    let (body, isLasting) = try make()
    if isLasting { parts.withLock { $0.insert(body, for: range, cost: body.cost) } }
    return body
  }
}

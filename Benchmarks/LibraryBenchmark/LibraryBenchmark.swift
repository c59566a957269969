import Foundation
import Photos
import Synchronization

struct LibraryBenchmark {
  /// A part of the measurements that is done alone.
  enum Part: String { case opening, fetches }

  private let library: PHPhotoLibrary
  private let rounds: Int
  private let opening: Double
  private let largest: PHAssetCollection

  init(_ url: URL, rounds: Int) throws {
    let start = ContinuousClock.now
    library = try PHPhotoLibrary(url: url, create: false)
    let options = PHFetchOptions()
    options.photoLibrary = library
    options.fetchLimit = 50
    options.sortDescriptors = [NSSortDescriptor(key: "creationDate", ascending: false)]
    _ = PHAsset.fetchAssets(with: options).firstObject
    opening = (ContinuousClock.now - start).milliseconds
    self.rounds = rounds
    options.sortDescriptors = [NSSortDescriptor(key: "estimatedAssetCount", ascending: false)]
    options.fetchLimit = 1
    let albums = PHAssetCollection.fetchAssetCollections(with: .album, subtype: .any, options: options)
    guard let largest = albums.firstObject else { throw CocoaError(.fileReadNoSuchFile) }
    self.largest = largest
  }

  func run(_ part: Part?) throws {
    report("opening", [opening], 1)
    guard part != .opening else { return }
    // Measured first, since memory that an earlier fetch freed would be reused and not counted.
    memory()
    fetches()
    guard part != .fetches else { return }
    smartAlbums()
    try changes()
  }

  private func options(
    _ format: String? = nil, _ arguments: [Any] = [], limit: Int = 0, ascending: Bool? = false
  ) -> PHFetchOptions {
    let options = PHFetchOptions()
    options.photoLibrary = library
    options.predicate = format.map { NSPredicate(format: $0, argumentArray: arguments) }
    options.sortDescriptors = ascending.map { [NSSortDescriptor(key: "creationDate", ascending: $0)] }
    options.fetchLimit = limit
    return options
  }

  private func fetches() {
    measure("latest 50") {
      let result = PHAsset.fetchAssets(with: options(limit: 50))
      return result.objects(at: IndexSet(0..<result.count)).count
    }
    measure("all by date") { fetch(options(ascending: true)) }
    measure("all as added") { fetch(options(ascending: nil)) }
    measure("screenshots by date") { fetch(options("(mediaSubtypes & %d) != 0", [4])) }
    measure("wide panoramas") { fetch(options("(mediaSubtypes & %d) != 0 AND pixelWidth > %d", [1, 10_000])) }
    measure("videos by date") { fetch(options("mediaType == %d", [PHAssetMediaType.video.rawValue])) }
    measure("a year") {
      fetch(
        options(
          "creationDate >= %@ AND creationDate < %@",
          [Date(timeIntervalSince1970: 1_400_000_000), Date(timeIntervalSince1970: 1_431_536_000)], ascending: true))
    }
    measure("favorites in an album") {
      PHAsset.fetchAssets(in: largest, options: options("favorite == YES", ascending: nil)).count
    }
    measure("title CONTAINS") {
      PHAssetCollection.fetchAssetCollections(
        with: .album, subtype: .any, options: options("title CONTAINS %@", ["Norway"], ascending: nil)
      ).count
    }
  }

  /// Reads the first object and returns the count.
  private func fetch(_ options: PHFetchOptions) -> Int {
    let result = PHAsset.fetchAssets(with: options)
    _ = result.firstObject
    return result.count
  }

  private func memory() {
    let before = residentBytes()
    let result = PHAsset.fetchAssets(with: options(ascending: true))
    let after = residentBytes()
    report("bytes an asset", [Double(after - before) / Double(max(result.count, 1))], result.count)
  }

  private func smartAlbums() {
    func counts() -> Int {
      let albums = PHAssetCollection.fetchAssetCollections(
        with: .smartAlbum, subtype: .any, options: options(ascending: nil))
      return albums.objects(at: IndexSet(0..<albums.count)).map(\.estimatedAssetCount).filter { $0 != NSNotFound }.count
    }
    let start = ContinuousClock.now
    let found = counts()
    report("smart albums, first time", [(ContinuousClock.now - start).milliseconds], found)
    measure("smart albums") { counts() }
  }

  private func changes() throws {
    let all = PHAsset.fetchAssets(with: options())
    let follower = Follower(all)
    library.register(follower)
    var sequence = 0
    var details: [Double] = []
    try measureChange("favorite toggled", follower, &details) {
      sequence += 1
      let asset = all.object(at: sequence * 37)
      PHAssetChangeRequest(for: asset).isFavorite = !asset.isFavorite
    }
    report("details of a favorite", details, rounds)
    let album = largest
    try measureChange("1000 added to an album", follower, &details) {
      sequence += 1
      let request = PHAssetCollectionChangeRequest(for: album)
      request?.addAssets(all.objects(at: IndexSet(sequence * 1000..<(sequence + 1) * 1000)))
    }
    let single = all.object(at: all.count / 2)
    let fetched = PHAsset.fetchAssets(withLocalIdentifiers: [single.localIdentifier], options: options())
    var insertions: [Double] = []
    for _ in 0..<rounds {
      try library.performChangesAndWait { PHAssetChangeRequest.deleteAssets(fetched) }
      library.waitForObservers()
      try library.performChangesAndWait { PHAssetChangeRequest.restoreAssets(fetched) }
      library.waitForObservers()
      insertions.append(follower.milliseconds)
    }
    report("details of an insertion", insertions, all.count)
    let many = all.objects(at: IndexSet(0..<min(60_000, all.count)))
    try measureChange("60000 favorites", follower, &details, rounds: 1) {
      for asset in many { PHAssetChangeRequest(for: asset).isFavorite = !asset.isFavorite }
    }
    let some = all.objects(at: IndexSet(stride(from: 500, to: 500 + 70_000, by: 7)))
    try measureChange("10000 deleted", follower, &details, rounds: 1) { PHAssetChangeRequest.deleteAssets(some) }
    report("details of 10000 deleted", details, follower.result.count)
  }

  /// Reports the time of the transaction, and the time from its end until an observer of all assets
  /// has its details.
  private func measureChange(
    _ name: String, _ follower: Follower, _ details: inout [Double], rounds: Int? = nil,
    _ block: @escaping () -> Void
  ) throws {
    var transactions: [Double] = []
    var waits: [Double] = []
    details = []
    for _ in 0..<(rounds ?? self.rounds) {
      let start = ContinuousClock.now
      try library.performChangesAndWait(block)
      let committed = ContinuousClock.now
      library.waitForObservers()
      waits.append((ContinuousClock.now - committed).milliseconds)
      transactions.append((committed - start).milliseconds)
      details.append(follower.milliseconds)
    }
    report(name, transactions, 1)
    report("\(name), until told", waits, 1)
  }

  private func measure(_ name: String, _ body: () -> Int) {
    var found = 0
    let times = (0..<rounds).map { _ in
      let start = ContinuousClock.now
      found = body()
      return (ContinuousClock.now - start).milliseconds
    }
    report(name, times, found)
  }

  private func report(_ name: String, _ times: [Double], _ found: Int) {
    print("\(name)\t\(String(format: "%.3f", times.sorted()[times.count / 2]))\t\(found)")
  }

  private func residentBytes() -> Int {
    let status = (try? String(contentsOfFile: "/proc/self/statm", encoding: .utf8)) ?? ""
    let pages = status.split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0
    return pages * Int(sysconf(Int32(_SC_PAGESIZE)))
  }
}

/// Follows a fetch of all assets, and measures the time that computing its details takes.
private final class Follower: NSObject, PHPhotoLibraryChangeObserver, Sendable {
  private let state: Mutex<(result: PHFetchResult<PHAsset>, milliseconds: Double)>

  init(_ result: PHFetchResult<PHAsset>) { state = Mutex((result, 0)) }

  var result: PHFetchResult<PHAsset> { state.withLock(\.result) }
  var milliseconds: Double { state.withLock(\.milliseconds) }

  func photoLibraryDidChange(_ changeInstance: PHChange) {
    let before = result
    let start = ContinuousClock.now
    let details = changeInstance.changeDetails(for: before)
    let time = (ContinuousClock.now - start).milliseconds
    state.withLock { $0 = (details?.fetchResultAfterChanges ?? before, time) }
  }
}

extension Duration {
  fileprivate var milliseconds: Double {
    Double(components.seconds) * 1e3 + Double(components.attoseconds) / 1e15
  }
}

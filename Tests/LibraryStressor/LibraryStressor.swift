import Foundation
import Photos
import Synchronization

/// Reads or writes a library as one of many processes. The stress tests run it.
///
///     library-stressor read LIBRARY               says that it follows the library, follows it until
///                                                 standard input ends, and prints the followed list
///                                                 and a newly fetched one
///     library-stressor write LIBRARY COUNT SEED   tries random changes, and prints the number of those made
///     library-stressor convert LIBRARY SHARE      makes the newest video playable, prints progress,
///                                                 and kills itself once it is greater than the share
@main
struct LibraryStressor {
  static func main() async throws {
    let arguments = CommandLine.arguments
    let library = try PHPhotoLibrary(url: URL(fileURLWithPath: arguments[2]), create: false)
    switch arguments[1] {
    case "read": try read(library)
    case "convert": try await convert(library, until: Double(arguments[3]) ?? 1)
    default: try write(library, count: Int(arguments[3]) ?? 1, Generator(state: UInt64(arguments[4]) ?? 0))
    }
  }

  private static func convert(_ library: PHPhotoLibrary, until last: Double) async throws {
    let options = options(library)
    options.predicate = NSPredicate(format: "mediaType == %d", PHAssetMediaType.video.rawValue)
    guard let video = PHAsset.fetchAssets(with: options).firstObject else { return }
    _ = try await PHImageManager.default().playableMovie(for: video) { share in
      FileHandle.standardOutput.write(Data("\(share)\n".utf8))
      if share > last { kill(getpid(), SIGKILL) }
    }
  }

  private static func options(_ library: PHPhotoLibrary) -> PHFetchOptions {
    let options = PHFetchOptions()
    options.photoLibrary = library
    options.sortDescriptors = [NSSortDescriptor(key: "creationDate", ascending: false)]
    return options
  }

  private static func read(_ library: PHPhotoLibrary) throws {
    let follower = Follower(PHAsset.fetchAssets(with: options(library)))
    library.register(follower)
    let isDone = Atomic<Bool>(false)
    Thread.detachNewThread {
      while readLine() != nil {}
      isDone.store(true, ordering: .releasing)
    }
    FileHandle.standardOutput.write(Data("following\n".utf8))
    var fetches = 0
    while !isDone.load(ordering: .acquiring) {
      let found = PHAsset.fetchAssets(with: options(library))
      if let error = found.error { throw error }
      _ = found.firstObject
      fetches += 1
    }
    library.waitForObservers()
    let found = PHAsset.fetchAssets(with: options(library))
    if let error = found.error { throw error }
    let state = follower.state
    print("\(state.list.joined(separator: " "))")
    print("\(found.objects(at: IndexSet(0..<found.count)).map(\.localIdentifier).joined(separator: " "))")
    FileHandle.standardError.write(Data("\(fetches) fetches, \(state.changes) changes\n".utf8))
  }

  private static func write(_ library: PHPhotoLibrary, count: Int, _ generator: Generator) throws {
    var random = generator
    var made = 0
    for _ in 0..<count {
      let all = PHAsset.fetchAssets(with: options(library))
      let deleted = PHAsset.fetchRecentlyDeletedAssets(with: options(library))
      if let error = all.error ?? deleted.error { throw error }
      let kind = Int.random(in: 0..<4, using: &random)
      let asset = all.object(at: Int.random(in: 0..<all.count, using: &random))
      let date = Date(timeIntervalSince1970: .random(in: 0..<1e9, using: &random))
      do {
        try library.performChangesAndWait {
          switch kind {
          case 0 where all.count > 4: PHAssetChangeRequest.deleteAssets([asset])
          case 1 where deleted.count > 0: PHAssetChangeRequest.restoreAssets([deleted.object(at: 0)])
          case 2: PHAssetChangeRequest(for: asset).creationDate = date
          default: PHAssetChangeRequest(for: asset).isFavorite = !asset.isFavorite
          }
        }
        made += 1
      } catch PHPhotosError.identifierNotFound {
        // The other writer has deleted the asset, which is not an error of the library.
      }
    }
    print(made)
  }
}

/// SplitMix64.
private struct Generator: RandomNumberGenerator {
  var state: UInt64

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ mixed >> 30) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ mixed >> 27) &* 0x94D0_49BB_1331_11EB
    return mixed ^ mixed >> 31
  }
}

/// Follows a fetch as a list on a screen does, by removals, insertions and moves.
private final class Follower: NSObject, PHPhotoLibraryChangeObserver, Sendable {
  struct State: Sendable {
    var result: PHFetchResult<PHAsset>
    var list: [String]
    var changes = 0
  }

  private let mutex: Mutex<State>

  init(_ result: PHFetchResult<PHAsset>) {
    mutex = Mutex(
      State(result: result, list: result.objects(at: IndexSet(0..<result.count)).map(\.localIdentifier)))
  }

  var state: State { mutex.withLock(\.self) }

  func photoLibraryDidChange(_ changeInstance: PHChange) {
    var next = state
    guard let details = changeInstance.changeDetails(for: next.result) else { return }
    next.result = details.fetchResultAfterChanges
    next.changes += 1
    if details.hasIncrementalChanges {
      for index in (details.removedIndexes ?? []).reversed() { next.list.remove(at: index) }
      for (index, asset) in zip(details.insertedIndexes ?? [], details.insertedObjects) {
        next.list.insert(asset.localIdentifier, at: index)
      }
      nonisolated(unsafe) var list = next.list
      details.enumerateMoves { from, to in list.insert(list.remove(at: from), at: to) }
      next.list = list
    } else {
      next.list = next.result.objects(at: IndexSet(0..<next.result.count)).map(\.localIdentifier)
    }
    let reached = next
    mutex.withLock { $0 = reached }
  }
}

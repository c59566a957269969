import Foundation
import Photos

/// Shows how a browser of all photos, smart albums and user collections stays up to date: an
/// observer applies incremental changes to the lists that it shows.
@main
struct BrowsePhotos {
  static func main() async throws {
    switch await PHPhotoLibrary.requestAuthorization(for: .readWrite) {
    case .authorized: break
    case .limited: print("only chosen photos are visible")
    case .denied, .restricted, .notDetermined: return print("no access to the photos")
    }
    let browser = Browser()
    PHPhotoLibrary.shared().register(browser)
    browser.show()

    if let first = browser.firstPhoto {
      try await PHPhotoLibrary.shared().performChanges { PHAssetChangeRequest(for: first).isFavorite = true }
      await browser.waitForChange()
      try await PHPhotoLibrary.shared().performChanges { PHAssetChangeRequest.deleteAssets([first] as NSArray) }
      await browser.waitForChange()
    }
    do {
      try await PHPhotoLibrary.shared().performChanges {
        _ = PHAssetCollectionChangeRequest.creationRequestForAssetCollection(withTitle: "Norway")
      }
      await browser.waitForChange()
    } catch PHPhotosError.accessUserDenied {
      print("may not make albums")
    }
    browser.show()
    PHPhotoLibrary.shared().unregisterChangeObserver(browser)
  }
}

/// The three sections of a photo browser. Observers are called on a background queue, so a lock
/// guards the state.
final class Browser: NSObject, PHPhotoLibraryChangeObserver, @unchecked Sendable {
  // The lock guards all mutable state.
  private let lock = NSLock()
  private var allPhotos: PHFetchResult<PHAsset>
  private var smartAlbums: PHFetchResult<PHAssetCollection>
  private var userCollections: PHFetchResult<PHCollection>
  private var shown: [String]
  private let changes: AsyncStream<Void>
  private let changeContinuation: AsyncStream<Void>.Continuation

  override init() {
    let byDate = PHFetchOptions()
    byDate.sortDescriptors = [NSSortDescriptor(key: "creationDate", ascending: true)]
    allPhotos = PHAsset.fetchAssets(with: byDate)
    smartAlbums = PHAssetCollection.fetchAssetCollections(with: .smartAlbum, subtype: .albumRegular, options: nil)
    userCollections = PHCollectionList.fetchTopLevelUserCollections(with: nil)
    shown = allPhotos.objects(at: IndexSet(0..<allPhotos.count)).map(\.localIdentifier)
    (changes, changeContinuation) = AsyncStream.makeStream()
  }

  var firstPhoto: PHAsset? { lock.withLock { allPhotos.firstObject } }

  func waitForChange() async { for await _ in changes { return } }

  func show() {
    lock.withLock {
      print("photos: \(allPhotos.count), smart albums: \(smartAlbums.count), collections: \(userCollections.count)")
      let isRight = shown == allPhotos.objects(at: IndexSet(0..<allPhotos.count)).map(\.localIdentifier)
      print("the list is up to date: \(isRight)")
    }
  }

  func photoLibraryDidChange(_ changeInstance: PHChange) {
    lock.withLock {
      if let details = changeInstance.changeDetails(for: allPhotos) {
        allPhotos = details.fetchResultAfterChanges
        apply(details)
      }
      if let details = changeInstance.changeDetails(for: smartAlbums) { smartAlbums = details.fetchResultAfterChanges }
      if let details = changeInstance.changeDetails(for: userCollections) {
        userCollections = details.fetchResultAfterChanges
        for collection in details.insertedObjects { print("new: \(collection.localizedTitle ?? "")") }
        for collection in details.changedObjects { print("changed: \(collection.localizedTitle ?? "")") }
      }
    }
    changeContinuation.yield()
  }

  /// Applies changes as to a collection view: removals, insertions, changes, moves.
  private func apply(_ details: PHFetchResultChangeDetails<PHAsset>) {
    guard details.hasIncrementalChanges, let removed = details.removedIndexes, let inserted = details.insertedIndexes,
      let changed = details.changedIndexes
    else { return }
    for index in removed.reversed() { shown.remove(at: index) }
    for (index, asset) in zip(inserted, details.insertedObjects) { shown.insert(asset.localIdentifier, at: index) }
    var moves = 0
    details.enumerateMoves { from, to in
      self.shown.insert(self.shown.remove(at: from), at: to)
      moves += 1
    }
    print("photos: −\(removed.count) +\(inserted.count) ~\(changed.count), moves \(moves)")
  }
}

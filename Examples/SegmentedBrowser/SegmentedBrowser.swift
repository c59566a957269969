import Foundation
import Photos

/// Shows a browser with a segment for each smart album that has images, and always one for the
/// favorites. A long press toggles a favorite. An observer keeps the shown images and the star of a
/// cell up to date.
@main
struct SegmentedBrowser {
  static func main() async throws {
    switch await PHPhotoLibrary.requestAuthorization(for: .readWrite) {
    case .authorized: break
    case .limited: print("only chosen photos are visible")
    case .denied, .restricted, .notDetermined: return print("no access to the photos")
    }
    let browser = Browser()
    PHPhotoLibrary.shared().register(browser)
    defer { PHPhotoLibrary.shared().unregisterChangeObserver(browser) }

    browser.choose("Recents")
    guard let newest = browser.newest else { return print("no image to make a favorite") }
    browser.showCell(of: newest)
    try await toggleFavorite(newest)
    await browser.waitForChange()
    browser.choose("Favorites")
    guard let favorite = browser.newest else { return print("no favorite") }
    try await toggleFavorite(favorite)
    await browser.waitForChange()
    try await PHPhotoLibrary.shared().performChanges { PHAssetChangeRequest.deleteAssets([favorite] as NSArray) }
    await browser.waitForChange()
  }

  private static func toggleFavorite(_ asset: PHAsset) async throws {
    guard asset.canPerform(.properties) else { return print("can't be a favorite") }
    try await PHPhotoLibrary.shared().performChanges {
      PHAssetChangeRequest(for: asset).isFavorite = !asset.isFavorite
    }
  }
}

final class Browser: NSObject, PHPhotoLibraryChangeObserver, @unchecked Sendable {
  // Observers are called on a background queue, so `lock` guards the mutable state.
  private let lock = NSLock()
  private let segments: [PHAssetCollection]
  private var shown = PHFetchResult<PHAsset>()
  private var cell: PHAsset?
  private let changes: AsyncStream<Void>
  private let changeContinuation: AsyncStream<Void>.Continuation

  override init() {
    let albums = PHAssetCollection.fetchAssetCollections(with: .smartAlbum, subtype: .albumRegular, options: nil)
    segments = albums.objects(at: IndexSet(0..<albums.count))
      .filter { $0.assetCollectionSubtype == .smartAlbumFavorites || Self.images(in: $0).count > 0 }
      .sorted { ($0.localizedTitle ?? "") < ($1.localizedTitle ?? "") }
    (changes, changeContinuation) = AsyncStream.makeStream()
    super.init()
    print("segments: \(segments.compactMap(\.localizedTitle).joined(separator: " | "))")
  }

  var newest: PHAsset? { lock.withLock { shown.firstObject } }

  func waitForChange() async { for await _ in changes { return } }

  /// Selects a segment by its title.
  func choose(_ title: String) {
    guard let album = segments.first(where: { $0.localizedTitle == title }) else { return print("no segment \(title)") }
    let images = Self.images(in: album)
    lock.withLock { shown = images }
    print("\(title): \(images.count)")
  }

  private static func images(in album: PHAssetCollection) -> PHFetchResult<PHAsset> {
    let options = PHFetchOptions()
    options.sortDescriptors = [NSSortDescriptor(key: "creationDate", ascending: false)]
    options.predicate = NSPredicate(format: "mediaType = %i", PHAssetMediaType.image.rawValue)
    return PHAsset.fetchAssets(in: album, options: options)
  }

  func showCell(of asset: PHAsset) {
    lock.withLock { cell = asset }
    print("cell: \(label(asset))")
  }

  func photoLibraryDidChange(_ changeInstance: PHChange) {
    lock.withLock {
      if let asset = cell, let details = changeInstance.changeDetails(for: asset) {
        cell = details.objectAfterChanges
        print("cell: \(details.objectWasDeleted ? "gone" : details.objectAfterChanges.map(label) ?? "")")
      }
      if let details = changeInstance.changeDetails(for: shown) {
        shown = details.fetchResultAfterChanges
        print("shown: \(shown.count), of them changed: \(details.changedObjects.count)")
      }
    }
    changeContinuation.yield()
  }

  private func label(_ asset: PHAsset) -> String {
    (asset.isFavorite ? "★ " : "") + (PHAssetResource.assetResources(for: asset).first?.originalFilename ?? "?")
  }
}

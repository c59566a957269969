import Foundation
import Photos

/// Shows the model of a sheet for picking an album. It lists chosen smart albums and all user
/// albums that aren't empty, sorted by title, each with its cover. An observer keeps the list up to
/// date while the sheet is open.
@main
struct AlbumPicker {
  private static let wanted: [PHAssetCollectionSubtype] = [
    .smartAlbumUserLibrary, .smartAlbumFavorites, .smartAlbumVideos, .smartAlbumScreenshots,
  ]

  static func main() async throws {
    _ = await PHPhotoLibrary.requestAuthorization(for: .readWrite)
    guard let sheet = AlbumSheet(sortedBy: "title") else { return print("no access to the photos") }
    defer { sheet.close() }
    var current = PHFetchResult<PHAsset>()
    print("shown at first: \(current.count)")

    let smartAlbums = wanted.compactMap {
      PHAssetCollection.fetchAssetCollections(with: .smartAlbum, subtype: $0, options: nil).firstObject
    }
    for album in smartAlbums { print("\(album.localizedTitle ?? ""), cover \(cover(of: album))") }
    for album in sheet.albums {
      print("\(album.localizedTitle ?? "") (\(album.estimatedAssetCount)), cover \(cover(of: album))")
    }

    do {
      try await makeAlbum("Cousins")
      await sheet.waitForChange()
    } catch PHPhotosError.accessUserDenied {
      print("may not make albums")
    }

    guard let picked = sheet.albums.last ?? smartAlbums.first else { return print("no album to pick") }
    current = PHAsset.fetchAssets(in: picked, options: newestFirst())
    print("shown now: \(current.count) of \(picked.localizedTitle ?? "")")
  }

  /// Makes an album with the newest asset, since the sheet doesn't list empty albums.
  private static func makeAlbum(_ title: String) async throws {
    let newest = PHAsset.fetchAssets(with: newestFirst(limit: 1))
    try await PHPhotoLibrary.shared().performChanges {
      PHAssetCollectionChangeRequest.creationRequestForAssetCollection(withTitle: title).addAssets(newest)
    }
  }

  private static func newestFirst(limit: Int = 0) -> PHFetchOptions {
    let options = PHFetchOptions()
    options.sortDescriptors = [NSSortDescriptor(key: "creationDate", ascending: false)]
    options.fetchLimit = limit
    return options
  }

  /// Returns the filename of the album's newest asset.
  private static func cover(of album: PHAssetCollection) -> String {
    guard let asset = PHAsset.fetchAssets(in: album, options: newestFirst(limit: 1)).firstObject else { return "none" }
    return PHAssetResource.assetResources(for: asset).first?.originalFilename ?? "?"
  }
}

final class AlbumSheet: NSObject, PHPhotoLibraryChangeObserver, @unchecked Sendable {
  // Observers are called on a background queue, so `lock` guards `userAlbums`.
  private let lock = NSLock()
  private var userAlbums: PHFetchResult<PHAssetCollection>
  private let changes: AsyncStream<Void>
  private let changeContinuation: AsyncStream<Void>.Continuation

  /// Returns `nil` without access, since there is nothing to list or to observe. It checks the
  /// access without asking for it.
  init?(sortedBy key: String) {
    switch PHPhotoLibrary.authorizationStatus(for: .readWrite) {
    case .authorized: break
    case .limited: print("only chosen photos are visible")
    case .denied, .restricted, .notDetermined: return nil
    }
    let options = PHFetchOptions()
    options.sortDescriptors = [NSSortDescriptor(key: key, ascending: true)]
    options.predicate = NSPredicate(format: "estimatedAssetCount > 0")
    userAlbums = PHAssetCollection.fetchAssetCollections(with: .album, subtype: .albumRegular, options: options)
    (changes, changeContinuation) = AsyncStream.makeStream()
    super.init()
    PHPhotoLibrary.shared().register(self)
  }

  var albums: [PHAssetCollection] { lock.withLock { userAlbums.objects(at: IndexSet(0..<userAlbums.count)) } }

  func waitForChange() async { for await _ in changes { return } }

  func close() { PHPhotoLibrary.shared().unregisterChangeObserver(self) }

  func photoLibraryDidChange(_ changeInstance: PHChange) {
    lock.withLock {
      guard let details = changeInstance.changeDetails(for: userAlbums) else { return }
      userAlbums = details.fetchResultAfterChanges
      for (index, album) in zip(details.insertedIndexes ?? [], details.insertedObjects) {
        print("new at \(index): \(album.localizedTitle ?? "")")
      }
    }
    changeContinuation.yield()
  }
}

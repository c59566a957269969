import Foundation
import Photos

/// Shows a browser with a segment for each smart album that has images, and a star on favourites that a long press toggles.
@main
struct SegmentedBrowser {
  static func main() async throws {
    guard await PHPhotoLibrary.requestAuthorization(for: .readWrite) == .authorized else { return }
    let segments = segmentsWithImages()
    for (album, count) in segments { print("\(album.localizedTitle ?? "") (\(count))") }

    guard let recents = segments.first?.0 else { return }
    let photos = PHAsset.fetchAssets(in: recents, options: imagesNewestFirst())
    try await toggleFavorite(photos.object(at: 0))
    for (album, count) in segmentsWithImages() where album.assetCollectionSubtype == .smartAlbumFavorites {
      print("\(album.localizedTitle ?? "") (\(count)) ★")
    }
  }

  private static func imagesNewestFirst() -> PHFetchOptions {
    let options = PHFetchOptions()
    options.sortDescriptors = [NSSortDescriptor(key: "creationDate", ascending: false)]
    options.predicate = NSPredicate(format: "mediaType = %i", PHAssetMediaType.image.rawValue)
    return options
  }

  private static func segmentsWithImages() -> [(PHAssetCollection, Int)] {
    var segments: [(PHAssetCollection, Int)] = []
    let albums = PHAssetCollection.fetchAssetCollections(with: .smartAlbum, subtype: .albumRegular, options: nil)
    albums.enumerateObjects { album, _, _ in
      let count = PHAsset.fetchAssets(in: album, options: imagesNewestFirst()).count
      if count > 0 { segments.append((album, count)) }
    }
    return segments
  }

  private static func toggleFavorite(_ asset: PHAsset) async throws {
    try await PHPhotoLibrary.shared().performChanges {
      let request = PHAssetChangeRequest(for: asset)
      request.isFavorite = !asset.isFavorite
    }
  }
}

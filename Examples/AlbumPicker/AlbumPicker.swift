import Foundation
import Photos

/// Shows what stands behind a sheet that lets a person pick an album: chosen smart albums, all user albums by title, and each one's cover.
@main
struct AlbumPicker {
  private static let wanted: [PHAssetCollectionSubtype] = [
    .smartAlbumUserLibrary, .smartAlbumFavorites, .smartAlbumVideos, .smartAlbumScreenshots,
  ]

  static func main() async {
    guard await PHPhotoLibrary.requestAuthorization(for: .readWrite) == .authorized else { return }
    var current = PHFetchResult<PHAsset>()
    print("shown at first: \(current.count)")

    let smartAlbums = wanted.compactMap {
      PHAssetCollection.fetchAssetCollections(with: .smartAlbum, subtype: $0, options: nil).firstObject
    }
    for album in smartAlbums { print("\(album.localizedTitle ?? ""), cover \(cover(of: album))") }

    let byTitle = PHFetchOptions()
    byTitle.sortDescriptors = [NSSortDescriptor(key: "title", ascending: true)]
    byTitle.predicate = NSPredicate(format: "estimatedAssetCount > 0")
    let userAlbums = PHAssetCollection.fetchAssetCollections(with: .album, subtype: .albumRegular, options: byTitle)
    userAlbums.enumerateObjects { album, _, _ in
      print("\(album.localizedTitle ?? "") (\(album.estimatedAssetCount)), cover \(cover(of: album))")
    }

    if let picked = userAlbums.firstObject {
      current = PHAsset.fetchAssets(in: picked, options: newestFirst())
      print("shown now: \(current.count)")
    }
  }

  private static func newestFirst(limit: Int = 0) -> PHFetchOptions {
    let options = PHFetchOptions()
    options.sortDescriptors = [NSSortDescriptor(key: "creationDate", ascending: false)]
    options.fetchLimit = limit
    return options
  }

  /// The newest asset's file.
  private static func cover(of album: PHAssetCollection) -> String {
    guard let asset = PHAsset.fetchAssets(in: album, options: newestFirst(limit: 1)).firstObject else { return "none" }
    return PHAssetResource.assetResources(for: asset).first?.originalFilename ?? "?"
  }
}

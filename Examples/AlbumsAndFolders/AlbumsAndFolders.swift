import Foundation
import Photos

/// Shows how to make, fill, list and empty albums and folders.
@main
struct AlbumsAndFolders {
  static func main() async throws {
    switch await PHPhotoLibrary.requestAuthorization(for: .readWrite) {
    case .authorized: break
    case .limited: print("only chosen photos are visible")
    case .denied, .restricted, .notDetermined: return print("no access to the photos")
    }
    let photos = PHAsset.fetchAssets(with: .image, options: nil)
    do {
      try await organize(photos)
    } catch PHPhotosError.accessUserDenied {
      print("may not make albums")
    }
    print("photos: \(PHAsset.fetchAssets(with: .image, options: nil).count)")
  }

  private static func organize(_ photos: PHFetchResult<PHAsset>) async throws {
    guard let first = photos.firstObject else { return print("no photo for an album") }
    guard let album = try await makeAlbum("Norway"), let folder = try await makeFolder("Travels") else {
      return print("deleted by another program in the meantime")
    }
    try await PHPhotoLibrary.shared().performChanges {
      PHAssetCollectionChangeRequest(for: album)?.addAssets(photos as NSFastEnumeration)
      PHCollectionListChangeRequest(for: folder)?.addChildCollections([album] as NSArray)
    }
    showFolders()

    try await PHPhotoLibrary.shared().performChanges {
      PHAssetCollectionChangeRequest(for: album)?.removeAssets([first] as NSArray)
    }
    showFolders()

    try await PHPhotoLibrary.shared().performChanges {
      PHCollectionListChangeRequest.deleteCollectionLists([folder] as NSArray)
    }
    showFolders()
  }

  /// Makes an album and fetches it by the identifier that its placeholder had inside the block.
  private static func makeAlbum(_ title: String) async throws -> PHAssetCollection? {
    var identifier: String?
    try await PHPhotoLibrary.shared().performChanges {
      let request = PHAssetCollectionChangeRequest.creationRequestForAssetCollection(withTitle: title)
      identifier = request.placeholderForCreatedAssetCollection.localIdentifier
    }
    return identifier.flatMap {
      PHAssetCollection.fetchAssetCollections(withLocalIdentifiers: [$0], options: nil).firstObject
    }
  }

  private static func makeFolder(_ title: String) async throws -> PHCollectionList? {
    var identifier: String?
    try await PHPhotoLibrary.shared().performChanges {
      let request = PHCollectionListChangeRequest.creationRequestForCollectionList(withTitle: title)
      identifier = request.placeholderForCreatedCollectionList.localIdentifier
    }
    return identifier.flatMap {
      PHCollectionList.fetchCollectionLists(withLocalIdentifiers: [$0], options: nil).firstObject
    }
  }

  /// Lists the top-level folders by title, each with its albums.
  private static func showFolders() {
    let byTitle = PHFetchOptions()
    byTitle.sortDescriptors = [NSSortDescriptor(key: "localizedTitle", ascending: true)]
    let top = PHCollectionList.fetchTopLevelUserCollections(with: byTitle)
    print("collections at the top: \(top.count)")
    top.enumerateObjects { collection, _, _ in
      guard let folder = collection as? PHCollectionList else { return }
      PHCollection.fetchCollections(in: folder, options: byTitle).enumerateObjects { child, _, _ in
        guard let album = child as? PHAssetCollection else { return }
        let assets = PHAsset.fetchAssets(in: album, options: nil)
        print("\(folder.localizedTitle ?? "") / \(album.localizedTitle ?? ""): \(assets.count)")
      }
    }
  }
}

import Foundation
import Photos

/// Shows how to make, rename and delete an album without `async`: each step starts the next one in
/// its completion handler.
@main
struct EditAlbums {
  static func main() {
    let done = DispatchSemaphore(value: 0)
    PHPhotoLibrary.requestAuthorization(for: .readWrite) { status in
      switch status {
      case .authorized: makeAlbum { done.signal() }
      case .limited:
        print("only chosen photos are visible")
        makeAlbum { done.signal() }
      case .denied, .restricted, .notDetermined:
        print("no access to the photos")
        done.signal()
      }
    }
    done.wait()
  }

  private static func makeAlbum(_ completion: @escaping () -> Void) {
    var identifier: String?
    PHPhotoLibrary.shared().performChanges(
      {
        let request = PHAssetCollectionChangeRequest.creationRequestForAssetCollection(withTitle: "Norway")
        identifier = request.placeholderForCreatedAssetCollection.localIdentifier
        request.addAssets(PHAsset.fetchAssets(with: .image, options: nil))
      },
      completionHandler: { _, error in
        let made = identifier.map { PHAssetCollection.fetchAssetCollections(withLocalIdentifiers: [$0], options: nil) }
        guard error == nil, let album = made?.firstObject else { return fail(error, completion) }
        show("made")
        rename(album, completion)
      })
  }

  private static func rename(_ album: PHAssetCollection, _ completion: @escaping () -> Void) {
    guard album.canPerform(.rename) else { return completion() }
    PHPhotoLibrary.shared().performChanges(
      { PHAssetCollectionChangeRequest(for: album)?.title = "Norway 2019" },
      completionHandler: { success, error in
        guard success else { return fail(error, completion) }
        show("renamed")
        delete(album, completion)
      })
  }

  /// Deletes the album. Its assets stay in the library.
  private static func delete(_ album: PHAssetCollection, _ completion: @escaping () -> Void) {
    guard album.canPerform(.delete) else { return completion() }
    PHPhotoLibrary.shared().performChanges(
      { PHAssetCollectionChangeRequest.deleteAssetCollections([album] as NSArray) },
      completionHandler: { success, error in
        guard success else { return fail(error, completion) }
        show("deleted")
        print("photos: \(PHAsset.fetchAssets(with: .image, options: nil).count)")
        completion()
      })
  }

  private static func fail(_ error: (any Error)?, _ completion: () -> Void) {
    switch error {
    case PHPhotosError.accessUserDenied?: print("may not change albums")
    case PHPhotosError.userCancelled?: print("not confirmed")
    default: print("failed: \(error?.localizedDescription ?? "no album")")
    }
    completion()
  }

  private static func show(_ step: String) {
    let byTitle = PHFetchOptions()
    byTitle.sortDescriptors = [NSSortDescriptor(key: "title", ascending: true)]
    var albums: [String] = []
    PHAssetCollection.fetchAssetCollections(with: .album, subtype: .albumRegular, options: byTitle).enumerateObjects {
      album, _, _ in
      albums.append("\(album.localizedTitle ?? "") (\(album.estimatedAssetCount))")
    }
    print("\(step): \(albums.joined(separator: ", "))")
  }
}

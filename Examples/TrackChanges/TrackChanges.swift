import Foundation
import Photos

/// Shows how an app learns what happened while it did not run: it archives a change token and asks for all changes since.
@main
struct TrackChanges {
  static func main() async throws {
    guard await PHPhotoLibrary.requestAuthorization(for: .readWrite) == .authorized else { return }
    let archive = FileManager.default.temporaryDirectory.appendingPathComponent("token-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: archive) }
    try NSKeyedArchiver.archivedData(
      withRootObject: PHPhotoLibrary.shared().currentChangeToken, requiringSecureCoding: true
    ).write(to: archive)

    let photos = PHAsset.fetchAssets(with: .image, options: nil)
    let (first, second) = (photos.object(at: 0), photos.object(at: 1))
    try await PHPhotoLibrary.shared().performChanges { PHAssetChangeRequest(for: first).isFavorite = true }
    try await PHPhotoLibrary.shared().performChanges { PHAssetChangeRequest.deleteAssets([second] as NSArray) }

    let token = try NSKeyedUnarchiver.unarchivedObject(
      ofClass: PHPersistentChangeToken.self, from: Data(contentsOf: archive))
    guard let token else { return }
    do {
      for change in try PHPhotoLibrary.shared().fetchPersistentChanges(since: token) {
        let details = try change.changeDetails(for: .asset)
        print(
          "inserted \(details.insertedLocalIdentifiers.count), updated \(details.updatedLocalIdentifiers.count), "
            + "deleted \(details.deletedLocalIdentifiers.count)")
      }
    } catch PHPhotosError.persistentChangeTokenExpired, PHPhotosError.persistentChangeDetailsUnavailable {
      print("too long ago: everything has to be fetched anew")
    }
  }
}

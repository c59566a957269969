import CoreLocation
import Foundation
import Photos

/// Shows how to make an asset a favorite, change its place and date, and delete it, and what
/// happens if a block fails.
@main
struct ChangeMetadata {
  static func main() async throws {
    switch await PHPhotoLibrary.requestAuthorization(for: .readWrite) {
    case .authorized: break
    case .limited: print("only chosen photos are visible")
    case .denied, .restricted, .notDetermined: return print("no access to the photos")
    }
    guard let photo = PHAsset.fetchAssets(with: .image, options: nil).firstObject else {
      return print("no photo to change")
    }
    try await PHPhotoLibrary.shared().performChanges {
      let request = PHAssetChangeRequest(for: photo)
      request.isFavorite = true
      request.location = CLLocation(latitude: 59.91, longitude: 10.75)
      request.creationDate = Date(timeIntervalSince1970: 0)
    }
    show(photo.localIdentifier)

    do {
      try await PHPhotoLibrary.shared().performChanges {
        PHAssetChangeRequest(for: photo).isFavorite = false
        // A creation request without a file makes the whole block fail.
        _ = PHAssetCreationRequest.forAsset()
      }
    } catch PHPhotosError.invalidResource {
      print("refused")
    }
    show(photo.localIdentifier)

    try await PHPhotoLibrary.shared().performChanges { PHAssetChangeRequest.deleteAssets([photo] as NSArray) }
    show(photo.localIdentifier)
  }

  private static func show(_ identifier: String) {
    guard let photo = PHAsset.fetchAssets(withLocalIdentifiers: [identifier], options: nil).firstObject else {
      print("deleted")
      return
    }
    let place = photo.location.map { "\($0.coordinate.latitude), \($0.coordinate.longitude)" } ?? "nowhere"
    print("favorite: \(photo.isFavorite), at \(place), \(photo.creationDate?.timeIntervalSince1970 ?? -1)")
  }
}

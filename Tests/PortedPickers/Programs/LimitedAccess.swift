import Photos
import PhotosUI
import UIKit

/// Asks for access before it shows assets, and lets the person choose more of them.
final class LimitedAccess {
  enum Access { case all, some, none }

  func request(completion: @escaping (Access) -> Void) {
    PHPhotoLibrary.requestAuthorization(for: .readWrite) { status in
      switch status {
      case .authorized: completion(.all)
      case .limited: completion(.some)
      case .notDetermined, .restricted, .denied: completion(.none)
      @unknown default: completion(.none)
      }
    }
  }

  @MainActor
  func chooseMore(from controller: UIViewController) async -> [String] {
    await PHPhotoLibrary.shared().presentLimitedLibraryPicker(from: controller)
  }

  func chooseMore(from controller: UIViewController, completion: @escaping ([String]) -> Void) {
    PHPhotoLibrary.shared().presentLimitedLibraryPicker(from: controller) { identifiers in
      completion(identifiers)
    }
  }

  var newestAssets: [PHAsset] {
    let options = PHFetchOptions()
    options.sortDescriptors = [NSSortDescriptor(key: "creationDate", ascending: false)]
    options.fetchLimit = 10
    let result = PHAsset.fetchAssets(with: options)
    return (0..<result.count).map { result.object(at: $0) }
  }
}

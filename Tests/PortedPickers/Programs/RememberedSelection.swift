import Photos
import PhotosUI
import UIKit

/// Opens the picker with the last selection, and shows the picked assets as thumbnails.
final class RememberedSelection: UIViewController {
  private var identifiers: [String] = []
  private let imageManager = PHCachingImageManager()
  private(set) var assets: [PHAsset] = []
  var onThumbnail: ((String, UIImage) -> Void)?
  var onFinish: (([PHAsset]) -> Void)?

  func openPicker() {
    var configuration = PHPickerConfiguration(photoLibrary: .shared())
    configuration.selectionLimit = 0
    configuration.selection = .ordered
    configuration.preselectedAssetIdentifiers = identifiers
    let picker = PHPickerViewController(configuration: configuration)
    picker.delegate = self
    present(picker, animated: true)
  }

  func showMoreChoices() {
    guard PHPhotoLibrary.authorizationStatus(for: .readWrite) == .limited else { return }
    PHPhotoLibrary.shared().presentLimitedLibraryPicker(from: self)
  }

  func requestThumbnails(size: CGSize) {
    let options = PHImageRequestOptions()
    options.deliveryMode = .highQualityFormat
    options.isNetworkAccessAllowed = true
    imageManager.startCachingImages(for: assets, targetSize: size, contentMode: .aspectFill, options: options)
    for asset in assets {
      imageManager.requestImage(for: asset, targetSize: size, contentMode: .aspectFill, options: options) {
        [weak self] image, info in
        let isDegraded = (info?[PHImageResultIsDegradedKey] as? Bool) ?? false
        guard let image = image, !isDegraded else { return }
        self?.onThumbnail?(asset.localIdentifier, image)
      }
    }
  }

  static func original(of asset: PHAsset, completion: @escaping (Data?) -> Void) {
    PHImageManager.default().requestImageDataAndOrientation(for: asset, options: nil) { data, _, _, _ in
      completion(data)
    }
  }
}

extension RememberedSelection: PHPickerViewControllerDelegate {
  func picker(_ picker: PHPickerViewController, didFinishPicking results: [PHPickerResult]) {
    dismiss(animated: true)
    identifiers = results.compactMap(\.assetIdentifier)
    let found = PHAsset.fetchAssets(withLocalIdentifiers: identifiers, options: nil)
    var byIdentifier: [String: PHAsset] = [:]
    found.enumerateObjects { asset, _, _ in byIdentifier[asset.localIdentifier] = asset }
    assets = identifiers.compactMap { byIdentifier[$0] }
    onFinish?(assets)
  }
}

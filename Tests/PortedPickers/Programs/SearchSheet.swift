import Photos
import PhotosUI
import UIKit

/// A controller whose own list of albums has a row for searching, which shows the system's picker.
class SearchSheet: UIViewController, PHPickerViewControllerDelegate {
  private(set) var found: PHFetchResult<PHAsset>?
  private(set) var heading = ""

  func showSearch() {
    var configuration = PHPickerConfiguration(photoLibrary: PHPhotoLibrary.shared())
    configuration.selectionLimit = 10
    let picker = PHPickerViewController(configuration: configuration)
    picker.delegate = self
    self.present(picker, animated: true, completion: nil)
  }

  func picker(_ picker: PHPickerViewController, didFinishPicking results: [PHPickerResult]) {
    picker.dismiss(animated: true) {
      let identifiers = results.compactMap(\.assetIdentifier)
      let fetched = PHAsset.fetchAssets(withLocalIdentifiers: identifiers, options: nil)
      DispatchQueue.main.async {
        self.found = fetched
        self.heading = "Found \(fetched.count)"
      }
    }
  }
}

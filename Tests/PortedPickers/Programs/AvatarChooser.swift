import PhotosUI
import UIKit

/// Loads the pictures of all results, and keeps the order in which they were picked.
final class AvatarChooser: NSObject, PHPickerViewControllerDelegate {
  var onFinish: (([UIImage], [Error]) -> Void)?

  func makePicker(limit: Int) -> PHPickerViewController {
    var configuration = PHPickerConfiguration(photoLibrary: .shared())
    configuration.filter = .images
    configuration.selectionLimit = limit
    if #available(iOS 15, *) { configuration.selection = .ordered }
    let picker = PHPickerViewController(configuration: configuration)
    picker.delegate = self
    return picker
  }

  func picker(_ picker: PHPickerViewController, didFinishPicking results: [PHPickerResult]) {
    picker.dismiss(animated: true, completion: nil)
    let order = results.compactMap(\.assetIdentifier)
    let group = DispatchGroup()
    let queue = DispatchQueue(label: "avatars")
    var imagesByIdentifier: [String: UIImage] = [:]
    var errors: [Error] = []
    for result in results {
      guard let identifier = result.assetIdentifier, result.itemProvider.canLoadObject(ofClass: UIImage.self) else {
        continue
      }
      group.enter()
      result.itemProvider.loadObject(ofClass: UIImage.self) { object, error in
        queue.async {
          if let image = object as? UIImage {
            imagesByIdentifier[identifier] = image
          } else if let error = error {
            errors.append(error)
          }
          group.leave()
        }
      }
    }
    group.notify(queue: .main) { [weak self] in
      self?.onFinish?(order.compactMap { imagesByIdentifier[$0] }, errors)
    }
  }
}

import MobileCoreServices
import PhotosUI
import UIKit

/// Shows the library's movies for a controller.
enum MediaBrowserHelper {
  typealias Host = UIViewController & UINavigationControllerDelegate & UIImagePickerControllerDelegate

  static func startMediaBrowser(delegate: Host, sourceType: UIImagePickerController.SourceType) {
    guard UIImagePickerController.isSourceTypeAvailable(sourceType) else { return }
    let browser = UIImagePickerController()
    browser.sourceType = sourceType
    browser.mediaTypes = [kUTTypeMovie as String]
    browser.allowsEditing = true
    browser.delegate = delegate
    delegate.present(browser, animated: true, completion: nil)
  }
}

extension UIImagePickerController {
  /// Makes a picker of a source, if the source is available.
  convenience init?(for source: UIImagePickerController.SourceType) {
    guard UIImagePickerController.isSourceTypeAvailable(source) else { return nil }
    self.init()
    sourceType = source
    mediaTypes = UIImagePickerController.availableMediaTypes(for: source) ?? [kUTTypeImage as String]
  }
}

/// Keeps its pickers, which are made when they are first needed.
final class PickerShelf: NSObject {
  lazy var photoPicker: PHPickerViewController = {
    var configuration = PHPickerConfiguration()
    configuration.filter = .any(of: [.images, .videos])
    configuration.selectionLimit = 5
    let picker = PHPickerViewController(configuration: configuration)
    picker.delegate = self
    return picker
  }()

  lazy var oldPicker = UIImagePickerController()

  var onPick: (Int) -> Void = { _ in }

  func show(from controller: UIViewController) {
    controller.present(photoPicker, animated: true)
  }
}

extension PickerShelf: PHPickerViewControllerDelegate {
  func picker(_ picker: PHPickerViewController, didFinishPicking results: [PHPickerResult]) {
    picker.dismiss(animated: true) { self.onPick(results.count) }
  }
}

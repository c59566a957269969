import PhotosUI
import UIKit

/// Keeps the results of earlier pickers, since a kept item has an empty provider, and shows them
/// one after the other.
final class ResultsByIdentifier: NSObject, PHPickerViewControllerDelegate {
  private var selection = [String: PHPickerResult]()
  private var selectedIdentifiers = [String]()
  private var iterator: IndexingIterator<[String]>?
  private(set) var currentIdentifier: String?
  var onChange: (() -> Void)?

  var count: Int { selectedIdentifiers.count }

  func makePicker() -> PHPickerViewController {
    var configuration = PHPickerConfiguration(photoLibrary: .shared())
    configuration.filter = PHPickerFilter.any(of: [.images, .livePhotos])
    configuration.selection = .ordered
    configuration.selectionLimit = 0
    configuration.preselectedAssetIdentifiers = selectedIdentifiers
    let picker = PHPickerViewController(configuration: configuration)
    picker.delegate = self
    return picker
  }

  func picker(_ picker: PHPickerViewController, didFinishPicking results: [PHPickerResult]) {
    picker.dismiss(animated: true)
    let former = selection
    selection = [:]
    for result in results {
      guard let identifier = result.assetIdentifier else { continue }
      selection[identifier] = former[identifier] ?? result
    }
    selectedIdentifiers = results.map(\.assetIdentifier!)
    iterator = selectedIdentifiers.makeIterator()
    onChange?()
  }

  func loadNext(_ completion: @escaping (Any?, Error?) -> Void) {
    guard let identifier = iterator?.next(), let provider = selection[identifier]?.itemProvider else {
      return completion(nil, nil)
    }
    currentIdentifier = identifier
    let progress: Progress?
    if provider.canLoadObject(ofClass: PHLivePhoto.self) {
      progress = provider.loadObject(ofClass: PHLivePhoto.self) { [weak self] livePhoto, error in
        DispatchQueue.main.async { self?.finish(identifier, livePhoto, error, completion) }
      }
    } else {
      progress = provider.loadObject(ofClass: UIImage.self) { [weak self] image, error in
        DispatchQueue.main.async { self?.finish(identifier, image, error, completion) }
      }
    }
    _ = progress?.fractionCompleted
  }

  private func finish(_ identifier: String, _ object: Any?, _ error: Error?, _ completion: (Any?, Error?) -> Void) {
    guard currentIdentifier == identifier else { return }
    completion(object, error)
  }
}

import PhotosUI
import UIKit

/// A controller whose child is a picker, as below the text field of a chat.
final class EmbeddedPickerController: UIViewController {
  private let container = UIView(frame: .zero)
  private var child: PHPickerViewController?
  private(set) var selection: [String] = []
  private(set) var selectionCounts: [Int] = []

  override func viewDidLoad() {
    super.viewDidLoad()
    container.backgroundColor = .black
    view.addSubview(container)
  }

  func embed() {
    var configuration = PHPickerConfiguration(photoLibrary: .shared())
    configuration.selectionLimit = 0
    if #available(iOS 17.0, *) {
      configuration.selection = .continuousAndOrdered
      configuration.mode = .compact
      configuration.disabledCapabilities = [.selectionActions, .search, .stagingArea, .collectionNavigation]
      configuration.edgesWithoutContentMargins = .all.subtracting(.top)
    }
    let picker = PHPickerViewController(configuration: configuration)
    picker.delegate = self
    addChild(picker)
    picker.view.frame = container.bounds
    picker.view.backgroundColor = .clear
    container.addSubview(picker.view)
    picker.didMove(toParent: self)
    child = picker
  }

  func removeLast() {
    guard let last = selection.last else { return }
    child?.deselectAssets(withIdentifiers: [last])
    selection.removeLast()
  }

  func limit(to count: Int) {
    var update = PHPickerConfiguration.Update()
    update.selectionLimit = count
    child?.updatePicker(using: update)
  }

  func unembed() {
    child?.willMove(toParent: nil)
    child?.view.removeFromSuperview()
    child?.removeFromParent()
    child = nil
  }
}

extension EmbeddedPickerController: PHPickerViewControllerDelegate {
  func picker(_ picker: PHPickerViewController, didFinishPicking results: [PHPickerResult]) {
    selection = results.compactMap { $0.assetIdentifier }
    selectionCounts.append(results.count)
  }
}

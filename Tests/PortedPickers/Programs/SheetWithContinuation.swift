import PhotosUI
import UIKit

/// Shows a picker, and returns its results to an asynchronous caller.
@MainActor
final class SheetWithContinuation: NSObject {
  private var continuation: CheckedContinuation<[PHPickerResult], Never>?
  private weak var presenter: UIViewController?

  init(presenter: UIViewController) {
    self.presenter = presenter
    super.init()
  }

  func pick(_ filter: PHPickerFilter?, limit: Int = 1) async -> [PHPickerResult] {
    var configuration = PHPickerConfiguration(photoLibrary: PHPhotoLibrary.shared())
    configuration.filter = filter
    configuration.selectionLimit = limit
    configuration.preferredAssetRepresentationMode = .current
    let sheet = PHPickerViewController(configuration: configuration)
    sheet.delegate = self
    return await withCheckedContinuation { continuation in  // waits: the handler is called once
      self.continuation = continuation
      presenter?.present(sheet, animated: true)
    }
  }
}

extension SheetWithContinuation: PHPickerViewControllerDelegate {
  nonisolated func picker(_ picker: PHPickerViewController, didFinishPicking results: [PHPickerResult]) {
    Task { @MainActor in
      picker.dismiss(animated: true)
      continuation?.resume(returning: results)
      continuation = nil
    }
  }
}

/// Loads a picture of a provider, or throws.
extension NSItemProvider {
  func loadPicture() async throws -> UIImage {
    try await withCheckedThrowingContinuation { continuation in  // waits: the handler is called once
      self.loadObject(ofClass: UIImage.self) { object, error in
        if let error = error {
          continuation.resume(throwing: error)
        } else if let picture = object as? UIImage {
          continuation.resume(returning: picture)
        } else {
          continuation.resume(throwing: CocoaError(.coderInvalidValue))
        }
      }
    }
  }
}

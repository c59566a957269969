import PhotosTesting
import PhotosUI
import Testing

/// An app that shows pickers and collects what its delegate gets.
@MainActor final class Host: UIViewController, PHPickerViewControllerDelegate {
  private(set) var calls: [[PHPickerResult]] = []

  func show(_ configuration: PHPickerConfiguration) -> PHPickerViewController {
    let picker = PHPickerViewController(configuration: configuration)
    picker.delegate = self
    present(picker, animated: true)
    return picker
  }

  /// Waits until the delegate was called `count` times, and returns the latest results.
  @discardableResult func results(_ count: Int = 1) async -> [PHPickerResult] {
    #expect(await holds { self.calls.count >= count })
    return calls.count >= count ? calls[count - 1] : []
  }

  func picker(_ picker: PHPickerViewController, didFinishPicking results: [PHPickerResult]) {
    dispatchPrecondition(condition: .onQueue(.main))
    calls.append(results)
  }
}

/// Waits until a condition holds, and returns whether it does. Gives up after twenty seconds.
@MainActor func holds(_ condition: @MainActor () -> Bool) async -> Bool {
  for _ in 0..<4000 where !condition() { try? await Task.sleep(for: .milliseconds(5)) }
  return condition()
}

extension TemporaryLibrary {
  /// A configuration whose results have identifiers.
  func configuration(limit: Int = 0) -> PHPickerConfiguration {
    var configuration = PHPickerConfiguration(photoLibrary: library)
    configuration.selectionLimit = limit
    configuration.preferredAssetRepresentationMode = .current
    return configuration
  }

  /// Shows a picker in which the function picks, and returns the delegate's first results.
  @MainActor func pick(
    _ configuration: PHPickerConfiguration, _ operate: @escaping @Sendable (OpenPicker) -> Void
  ) async -> [PHPickerResult] {
    library.answerPickers(operate)
    let host = Host()
    let picker = library.asShared { host.show(configuration) }
    let results = await host.results()
    picker.dismiss(animated: true)
    library.answerPickers(nil)
    return results
  }
}

extension NSItemProvider {
  func object<Object: NSItemProviderReading & Sendable>(_ type: Object.Type) async throws -> Object? {
    try await withCheckedThrowingContinuation { continuation in
      loadObject(ofClass: type) { object, error in
        if let error { continuation.resume(throwing: error) } else { continuation.resume(returning: object as? Object) }
      }
    }
  }

  func data(_ type: UTType) async throws -> Data {
    try await withCheckedThrowingContinuation { continuation in
      loadDataRepresentation(for: type) { data, error in
        continuation.resume(with: data.map { .success($0) } ?? .failure(error ?? CocoaError(.fileReadUnknown)))
      }
    }
  }

  /// Loads a file, and returns what `read` returns while the file exists.
  func file<Value: Sendable>(_ type: UTType, _ read: @escaping @Sendable (URL) throws -> Value) async throws -> Value {
    try await withCheckedThrowingContinuation { continuation in
      loadFileRepresentation(forTypeIdentifier: type.identifier) { url, error in
        continuation.resume(
          with: Result {
            guard let url else { throw error ?? CocoaError(.fileReadUnknown) }
            return try read(url)
          })
      }
    }
  }
}

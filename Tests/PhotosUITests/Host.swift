import PhotosTesting
import Synchronization
import TestSupport
import Testing

@testable import ItemProviding
@testable import PhotosUI

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

/// Waits until a condition holds, and returns whether it does.
@MainActor func holds(_ condition: @MainActor () -> Bool) async -> Bool {
  (try? await eventually("a condition") { condition() }) != nil
}

/// Values that come on any thread.
final class Inbox<Value: Sendable>: Sendable {
  private let values = Mutex<[Value]>([])

  func add(_ value: Value) { values.withLock { $0.append(value) } }

  /// Waits for the first value, and removes it.
  func next(_ what: String, isolation: isolated (any Actor)? = #isolation) async throws -> Value {
    try await eventually(what, isolation: isolation) { values.withLock { !$0.isEmpty } }
    return values.withLock { $0.removeFirst() }
  }
}

/// Waits until the handlers that item providers have called so far have returned.
func handlersHaveReturned() async throws {
  try await answer("the end of the handlers") { done in loadQueue.async(flags: .barrier) { done(()) } }
}

extension OpenPicker {
  /// Waits until the delegate has been told of everything that was done to the picker so far.
  func hasToldItsDelegate() async throws {
    try await answer("the end of the picker's events") { done in
      events.async { DispatchQueue.main.async { done(()) } }
    }
  }
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
    let result: Result<Object?, any Error> = try await answer("an object") { done in
      loadObject(ofClass: type) { object, error in
        if let error { done(.failure(error)) } else { done(.success(object as? Object)) }
      }
    }
    return try result.get()
  }

  func data(_ type: UTType) async throws -> Data {
    let result: Result<Data, any Error> = try await answer("the data of an item") { done in
      loadDataRepresentation(for: type) { data, error in
        done(data.map { .success($0) } ?? .failure(error ?? CocoaError(.fileReadUnknown)))
      }
    }
    return try result.get()
  }

  /// Loads a file, and returns what `read` returns while the file exists.
  func file<Value: Sendable>(_ type: UTType, _ read: @escaping @Sendable (URL) throws -> Value) async throws -> Value {
    let result: Result<Value, any Error> = try await answer("the file of an item") { done in
      loadFileRepresentation(forTypeIdentifier: type.identifier) { url, error in
        done(
          Result {
            guard let url else { throw error ?? CocoaError(.fileReadUnknown) }
            return try read(url)
          })
      }
    }
    return try result.get()
  }
}

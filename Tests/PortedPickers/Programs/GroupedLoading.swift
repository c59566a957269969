import PhotosUI
import UIKit
import UniformTypeIdentifiers

/// Loads the data of many results at once, and returns it in their order.
struct GroupedLoading {
  struct Loaded {
    let index: Int
    let name: String?
    let data: Data
  }

  static func load(_ results: [PHPickerResult]) async throws -> [Loaded] {
    try await withThrowingTaskGroup(of: Loaded.self) { group in
      for (index, result) in results.enumerated() {
        group.addTask {
          let data = try await data(of: result.itemProvider)
          return Loaded(index: index, name: result.itemProvider.suggestedName, data: data)
        }
      }
      var all: [Loaded] = []
      for try await loaded in group { all.append(loaded) }
      return all.sorted { $0.index < $1.index }
    }
  }

  static func data(of provider: NSItemProvider) async throws -> Data {
    try await withCheckedThrowingContinuation { continuation in  // waits: the handler is called once
      _ = provider.loadDataRepresentation(forTypeIdentifier: UTType.image.identifier) { data, error in
        if let data = data {
          continuation.resume(returning: data)
        } else {
          continuation.resume(throwing: error ?? CocoaError(.fileReadUnknown))
        }
      }
    }
  }

  /// The pictures of results, one after the other.
  static func pictures(_ results: [PHPickerResult]) -> AsyncThrowingStream<UIImage, Error> {
    AsyncThrowingStream { continuation in
      let task = Task {
        do {
          for result in results {
            let data = try await data(of: result.itemProvider)
            guard let image = UIImage(data: data) else { throw CocoaError(.fileReadCorruptFile) }
            continuation.yield(image)
          }
          continuation.finish()
        } catch {
          continuation.finish(throwing: error)
        }
      }
      continuation.onTermination = { _ in task.cancel() }
    }
  }
}

import Synchronization

/// An item that was picked, as programs with SwiftUI hold it.
///
///     if let data = try await item.loadTransferable(type: Data.self) { … }
///
/// There is no SwiftUI here, so no `PhotosPicker` makes items. `init(_:)` makes one of a picker's
/// result.
public struct PhotosPickerItem: Hashable, Sendable {
  /// The asset's identifier; `nil` unless the picker has a photo library.
  public let itemIdentifier: String?
  let provider: NSItemProvider?

  /// Makes an item that is selected when a picker opens. It has no types.
  public init(itemIdentifier: String) { self.init(identifier: itemIdentifier, provider: nil) }

  init(identifier: String?, provider: NSItemProvider?) {
    itemIdentifier = identifier
    self.provider = provider
  }

  /// The types that can be loaded, the preferred one first.
  public var supportedContentTypes: [UTType] { provider?.registeredContentTypes ?? [] }

  /// Loads the item as a value, in the first form of this type that the item has; `nil` if it has
  /// none. A canceled task cancels the load.
  public func loadTransferable<Item: Transferable>(type: Item.Type) async throws -> Item? {
    let progress = Mutex<Progress?>(nil)
    return try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        let begun = loadTransferable(type: type) { continuation.resume(with: $0) }
        progress.withLock { $0 = begun }
        // The task may have been canceled before.
        if Task.isCancelled { begun.cancel() }
      }
    } onCancel: {
      progress.withLock(\.self)?.cancel()
    }
  }

  /// Loads the item as a value, and calls the handler once, on a queue of its own.
  @discardableResult
  public func loadTransferable<Item: Transferable>(
    type: Item.Type, completionHandler: @escaping @Sendable (Result<Item?, any Error>) -> Void
  ) -> Progress {
    guard let provider, provider.canLoadTransferable(type) else {
      DispatchQueue.global().async { completionHandler(.success(nil)) }
      return Progress.discreteProgress(totalUnitCount: 0)
    }
    return provider.loadTransferable(type: type) { completionHandler($0.map(Optional.some)) }
  }
}

extension PHLivePhoto: Transferable {
  public static var transferRepresentation: some TransferRepresentation {
    FileRepresentation(importedContentType: .livePhoto) { received in
      try PHLivePhoto.object(
        withItemProviderFileAt: received.file, typeIdentifier: UTType.livePhoto.identifier)
    }
  }
}

import Synchronization

/// A load of an item. It calls its handler once, on a background thread: with the result, or with
/// an error as soon as its progress is canceled.
final class ItemLoad<Value>: Sendable {
  let progress = Progress.discreteProgress(totalUnitCount: 100)
  private let handler: OnceHandler<Value>

  init(_ function: @escaping @Sendable (Value?, (any Error)?) -> Void) {
    let handler = OnceHandler(function)
    self.handler = handler
    // The item's own function may drop the load when it is canceled, so the progress keeps the
    // handler.
    progress.cancellationHandler = { handler.fail(CocoaError(.userCancelled)) }
  }

  /// Ends the load on the caller's thread, which is a background thread if there is a value.
  func finish(_ result: Result<Value, any Error>) {
    if !progress.isCancelled { progress.completedUnitCount = progress.totalUnitCount }
    switch result {
    case .failure(let error): handler.fail(error)
    case .success(let value): handler.take()?(value, nil)
    }
  }
}

/// A handler that is called at most once.
private final class OnceHandler<Value>: Sendable {
  private let function: Mutex<(@Sendable (Value?, (any Error)?) -> Void)?>

  init(_ function: @escaping @Sendable (Value?, (any Error)?) -> Void) { self.function = Mutex(function) }

  /// Returns the function, the first time.
  func take() -> (@Sendable (Value?, (any Error)?) -> Void)? {
    function.withLock { function in
      defer { function = nil }
      return function
    }
  }

  func fail(_ error: any Error) {
    guard let function = take() else { return }
    loadQueue.async { function(nil, error) }
  }
}

/// The queue on which files are copied, and handlers are called.
let loadQueue = DispatchQueue(label: "NSItemProvider", attributes: .concurrent)

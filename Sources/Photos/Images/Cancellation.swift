internal import Imaging
import Synchronization

/// Tells those who work for a request that nobody waits for it any more.
final class Cancellation: Sendable {
  private let state = Mutex(State())

  private struct State {
    var isCancelled = false
    var isClosed = false
    var handlers: [@Sendable () -> Void] = []
  }

  var isCancelled: Bool { state.withLock(\.isCancelled) }

  /// Decodes for as long as it isn't cancelled.
  func decoding<Made, Failure>(_ decode: () throws(Failure) -> Made) throws(Failure) -> Made {
    try WorkDemand.following({ self.isCancelled ? .none : .seen }, decode)
  }

  func cancel() {
    let handlers = state.withLock { state in
      if !state.isClosed { state.isCancelled = true }
      defer { state.handlers = [] }
      return state.handlers
    }
    for handler in handlers { handler() }
  }

  /// The request is done: cancelling it means nothing any more, and what was to be told is forgotten. Answers whether it was
  /// cancelled before.
  @discardableResult
  func close() -> Bool {
    state.withLock { state in
      state.isClosed = true
      state.handlers = []
      return state.isCancelled
    }
  }

  /// Called once: on the thread that cancels, or now if that has happened.
  func whenCancelled(_ handler: @escaping @Sendable () -> Void) {
    let isLate = state.withLock { state in
      if !state.isCancelled, !state.isClosed { state.handlers.append(handler) }
      return state.isCancelled
    }
    if isLate { handler() }
  }
}

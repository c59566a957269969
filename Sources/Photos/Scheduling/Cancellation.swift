import Synchronization

internal import enum Sandbox.WorkDemand

/// The cancellation of a request, shared by the threads that work for it.
final class Cancellation: Sendable {
  private let state = Mutex(State())

  private struct State {
    var isCancelled = false
    var isClosed = false
    var handlers: [@Sendable () -> Void] = []
  }

  var isCancelled: Bool { state.withLock(\.isCancelled) }

  /// Calls `decode`. Its worker may give up after a cancellation.
  func decoding<Made, Failure>(_ decode: () throws(Failure) -> Made) throws(Failure) -> Made {
    whenCancelled { WorkDemand.announceChange() }
    return try WorkDemand.following({ self.isCancelled ? .none : .seen }, decode)
  }

  func cancel() {
    let handlers = state.withLock { state in
      if !state.isClosed { state.isCancelled = true }
      defer { state.handlers = [] }
      return state.handlers
    }
    for handler in handlers { handler() }
  }

  /// Marks the request as done: later cancellations have no effect, and the handlers are dropped.
  /// Returns whether the request was canceled before.
  @discardableResult
  func close() -> Bool {
    state.withLock { state in
      state.isClosed = true
      state.handlers = []
      return state.isCancelled
    }
  }

  /// Calls the handler once: on the thread that cancels, or at once if the request is canceled
  /// already.
  func whenCancelled(_ handler: @escaping @Sendable () -> Void) {
    let isLate = state.withLock { state in
      if !state.isCancelled, !state.isClosed { state.handlers.append(handler) }
      return state.isCancelled
    }
    if isLate { handler() }
  }
}

import Synchronization

/// The running requests, by their ids.
final class RunningRequests: Sendable {
  private let state = Mutex(State())

  private struct State {
    var latest: Int32 = 0
    var running: [Int32: Cancellation] = [:]
  }

  /// Starts a request. Returns its id, which is never 0, and its cancellation.
  func begin() -> (id: Int32, cancellation: Cancellation) {
    state.withLock { state in
      state.latest = state.latest == .max ? 1 : state.latest + 1
      let cancellation = Cancellation()
      state.running[state.latest] = cancellation
      return (state.latest, cancellation)
    }
  }

  func end(_ id: Int32) { _ = state.withLock { $0.running.removeValue(forKey: id) } }

  /// Cancels a request. Does nothing if the request is done.
  func cancel(_ id: Int32) { state.withLock { $0.running[id] }?.cancel() }
}

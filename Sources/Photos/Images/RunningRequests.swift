import Synchronization

/// The requests that are under way, by their ids.
final class RunningRequests: Sendable {
  private let state = Mutex(State())

  private struct State {
    var latest: Int32 = 0
    var running: [Int32: Cancellation] = [:]
  }

  /// The id of a new request, never 0, and what tells it that it was cancelled.
  func begin() -> (id: Int32, cancellation: Cancellation) {
    state.withLock { state in
      state.latest = state.latest == .max ? 1 : state.latest + 1
      let cancellation = Cancellation()
      state.running[state.latest] = cancellation
      return (state.latest, cancellation)
    }
  }

  func end(_ id: Int32) { _ = state.withLock { $0.running.removeValue(forKey: id) } }

  /// One that is done already is left alone.
  func cancel(_ id: Int32) { state.withLock { $0.running[id] }?.cancel() }
}

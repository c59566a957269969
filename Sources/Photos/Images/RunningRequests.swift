import Synchronization

/// The requests that are under way, by their ids.
final class RunningRequests: Sendable {
  private let state = Mutex(State())

  private struct State {
    var latest: Int32 = 0
    var running: [Int32: OnceFlag] = [:]
  }

  /// The id of a new request, never 0, and what tells it that it was cancelled.
  func begin() -> (id: Int32, cancelled: OnceFlag) {
    state.withLock { state in
      state.latest = state.latest == .max ? 1 : state.latest + 1
      let cancelled = OnceFlag()
      state.running[state.latest] = cancelled
      return (state.latest, cancelled)
    }
  }

  func end(_ id: Int32) { _ = state.withLock { $0.running.removeValue(forKey: id) } }

  /// One that is done already is left alone.
  func cancel(_ id: Int32) { state.withLock { $0.running[id] }?.set() }
}

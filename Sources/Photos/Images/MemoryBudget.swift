import Synchronization

/// Lets pictures be made only as long as those that wait to be handed over don't take too much memory.
///
///     budget.reserve(bytes) { reservation in
///       …                                 // now, or when others have been handed over
///       budget.release(reservation)
///     }
///
/// Reservations start in the order in which they were asked for. One that is larger than the whole budget starts alone.
final class MemoryBudget: Sendable {
  /// Bytes.
  let limit: Int
  private let state = Mutex(State())

  struct Reservation: Hashable, Sendable { fileprivate let number: Int }

  private struct State {
    var latest = 0
    var used = 0
    var granted: [Reservation: Int] = [:]
    var waiting: [Waiting] = []
  }

  private struct Waiting {
    var reservation: Reservation
    var bytes: Int
    var start: @Sendable (Reservation) -> Void
  }

  init(limit: Int) { self.limit = limit }

  @discardableResult
  func reserve(_ bytes: Int, start: @escaping @Sendable (Reservation) -> Void) -> Reservation {
    let reservation = state.withLock { state in
      state.latest += 1
      let reservation = Reservation(number: state.latest)
      state.waiting.append(Waiting(reservation: reservation, bytes: bytes, start: start))
      return reservation
    }
    startWhatFits()
    return reservation
  }

  /// Of one that still waits: it never starts.
  func release(_ reservation: Reservation) {
    state.withLock { state in
      if let bytes = state.granted.removeValue(forKey: reservation) {
        state.used -= bytes
      } else if let index = state.waiting.firstIndex(where: { $0.reservation == reservation }) {
        state.waiting.remove(at: index)
      }
    }
    startWhatFits()
  }

  private func startWhatFits() {
    let starting = state.withLock { state in
      var starting: [Waiting] = []
      while let next = state.waiting.first, state.used == 0 || next.bytes <= limit - state.used {
        state.waiting.removeFirst()
        state.used += next.bytes
        state.granted[next.reservation] = next.bytes
        starting.append(next)
      }
      return starting
    }
    for next in starting { next.start(next.reservation) }
  }
}

import Synchronization

/// Limits the memory of pictures that wait for delivery: a new one is made only if the budget has
/// room.
///
///     budget.reserve(bytes) { reservation in
///       …                                 // now, or once others have been released
///       budget.adjust(reservation, to: picture.byteCount)
///       budget.release(reservation)
///     }
///
/// Reservations start in the order of the calls. One that is larger than the whole budget starts
/// alone.
final class MemoryBudget: Sendable {
  /// In bytes.
  let limit: Int
  private let state = Mutex(State())

  struct Reservation: Hashable, Sendable { let number: Int }

  private struct State {
    var latest = 0
    var used = 0
    var peakUsed = 0
    var granted: [Reservation: Int] = [:]
    /// An array, since a `FIFOQueue` would keep the closures of granted reservations for a while.
    var waiting: [Waiting] = []

    mutating func next() -> Reservation {
      latest += 1
      return Reservation(number: latest)
    }

    mutating func grant(_ reservation: Reservation, _ bytes: Int) {
      granted[reservation] = bytes
      used += bytes
      peakUsed = max(peakUsed, used)
    }
  }

  private struct Waiting {
    var reservation: Reservation
    var bytes: Int
    var start: @Sendable (Reservation) -> Void
  }

  init(limit: Int) { self.limit = limit }

  /// The bytes of all reservations that have started and are not released.
  var used: Int { state.withLock(\.used) }
  /// The maximum of `used` so far.
  var peakUsed: Int { state.withLock(\.peakUsed) }

  @discardableResult
  func reserve(_ bytes: Int, start: @escaping @Sendable (Reservation) -> Void) -> Reservation {
    let reservation = state.withLock { state in
      let reservation = state.next()
      state.waiting.append(Waiting(reservation: reservation, bytes: bytes, start: start))
      return reservation
    }
    startFittingReservations()
    return reservation
  }

  /// Reserves bytes for a caller that can't wait, even beyond the limit. Calls no closure.
  func reserveBeyondLimit(_ bytes: Int) -> Reservation {
    state.withLock { state in
      let reservation = state.next()
      state.grant(reservation, bytes)
      return reservation
    }
  }

  /// Reserves bytes if the budget has room and no other reservation waits. Otherwise returns nil.
  /// Calls no closure.
  func reserveIfItFits(_ bytes: Int) -> Reservation? {
    state.withLock { state in
      guard state.waiting.isEmpty, bytes <= limit - state.used else { return nil }
      let reservation = state.next()
      state.grant(reservation, bytes)
      return reservation
    }
  }

  /// Corrects the size of a reservation that was a guess.
  func adjust(_ reservation: Reservation, to bytes: Int) {
    state.withLock { state in
      guard let guess = state.granted[reservation] else { return }
      state.used -= guess
      state.grant(reservation, bytes)
    }
    startFittingReservations()
  }

  /// Returns the bytes to the budget. Releasing a waiting reservation withdraws it; releasing twice
  /// does nothing.
  func release(_ reservation: Reservation) {
    let bytes = state.withLock { state in
      let bytes = state.granted.removeValue(forKey: reservation)
      state.used -= bytes ?? 0
      return bytes
    }
    if bytes != nil { startFittingReservations() } else { _ = withdraw(reservation) }
  }

  /// Withdraws a waiting reservation. Returns false if it has started.
  func withdraw(_ reservation: Reservation) -> Bool {
    let hasWaited = state.withLock { state in
      let index = state.waiting.firstIndex { $0.reservation == reservation }
      if let index { state.waiting.remove(at: index) }
      return index != nil
    }
    if hasWaited { startFittingReservations() }
    return hasWaited
  }

  private func startFittingReservations() {
    let starting = state.withLock { state in
      var starting: [Waiting] = []
      while let next = state.waiting.first, state.used == 0 || next.bytes <= limit - state.used {
        state.waiting.removeFirst()
        state.grant(next.reservation, next.bytes)
        starting.append(next)
      }
      return starting
    }
    for next in starting { next.start(next.reservation) }
  }
}

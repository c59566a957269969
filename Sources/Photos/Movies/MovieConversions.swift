import Dispatch
import Synchronization

/// Converts movies for browsers: one at a time, and each once for all callers that wait for it.
///
///     let reader = try await conversions.movie(key, progress: { print($0) }) { isCancelled, progress in … }
///
/// - The latest request is converted first.
/// - A task that is canceled stops waiting. A conversion without waiting tasks continues for a
///   minute, unless another one waits for its turn. It keeps its partial result, and a later
///   request continues from there.
final class MovieConversions: Sendable {
  typealias Key = AssetPictures.Key
  typealias Progress = @Sendable (Double) -> Void
  typealias Make =
    @Sendable (_ isCancelled: @escaping @Sendable () -> Bool, _ progress: @escaping Progress) throws ->
    FileReader

  /// The queue of the conversions. It is serial, since a conversion uses all processors for
  /// minutes, and pictures have to be made meanwhile.
  private let thread = DispatchQueue(label: "calotype.movies")
  private let grace: DispatchTimeInterval
  private let state = Mutex(State())

  /// Makes a converter. `grace` is the time that a conversion without waiting tasks continues.
  init(grace: DispatchTimeInterval = .seconds(60)) { self.grace = grace }

  private struct State {
    var flights: [Key: Flight] = [:]
    /// The conversions that haven't begun; the last one is next.
    var line: [Key] = []
    var running: Flight.ID?
    var isWorking = false
    var latest = 0

    mutating func next() -> Int {
      latest += 1
      return latest
    }

    /// Forgets the running conversion and returns its cancellation, if no task waits for it.
    /// Otherwise returns `nil`.
    mutating func endUnwanted() -> Cancellation? {
      guard let running, let flight = flights[running.key], flight.id == running, flight.waiting.isEmpty else {
        return nil
      }
      // A later request begins a new conversion.
      flights[running.key] = nil
      return flight.cancellation
    }
  }

  private struct Flight {
    struct ID: Hashable {
      var key: Key
      var number: Int
    }

    let id: ID
    let make: Make
    let cancellation = Cancellation()
    var share = 0.0
    var waiting: [Int: Waiter] = [:]
    /// The number of times that the last waiting task left.
    var departures = 0
  }

  private struct Waiter {
    var continuation: CheckedContinuation<FileReader, any Error>
    var progress: Progress?
  }

  func movie(_ key: Key, progress: Progress?, _ make: @escaping Make) async throws -> FileReader {
    let number = state.withLock { $0.next() }
    return try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        let share = join(key, number, Waiter(continuation: continuation, progress: progress), make)
        if let share, share > 0 { progress?(share) }
      }
    } onCancel: {
      leave(key, number)
    }
  }

  // MARK: Waiting tasks

  /// Adds a waiting task. Returns the conversion's progress; `nil` if the task was canceled before.
  private func join(_ key: Key, _ number: Int, _ waiter: Waiter, _ make: @escaping Make) -> Double? {
    let (share, begins, unwanted) = state.withLock { state -> (Double?, Bool, Cancellation?) in
      // A cancellation from here on calls `leave`, which finds the waiter.
      guard !Task.isCancelled else { return (nil, false, nil) }
      var flight = state.flights[key] ?? Flight(id: .init(key: key, number: state.next()), make: make)
      flight.waiting[number] = waiter
      state.flights[key] = flight
      guard flight.id != state.running else { return (flight.share, false, nil) }
      state.line.removeAll { $0 == key }
      state.line.append(key)
      defer { state.isWorking = true }
      return (flight.share, !state.isWorking, state.endUnwanted())
    }
    unwanted?.cancel()
    if share == nil { waiter.continuation.resume(throwing: Self.cancelled) }
    if begins { thread.async { self.work() } }
    return share
  }

  private func leave(_ key: Key, _ number: Int) {
    let (waiter, unwanted, left) = state.withLock { state -> (Waiter?, Cancellation?, Flight?) in
      guard var flight = state.flights[key], let waiter = flight.waiting.removeValue(forKey: number) else {
        return (nil, nil, nil)
      }
      if flight.waiting.isEmpty { flight.departures += 1 }
      state.flights[key] = flight
      guard flight.waiting.isEmpty else { return (waiter, nil, nil) }
      guard flight.id == state.running else {
        state.flights[key] = nil
        state.line.removeAll { $0 == key }
        return (waiter, nil, nil)
      }
      return state.line.isEmpty ? (waiter, nil, flight) : (waiter, state.endUnwanted(), nil)
    }
    unwanted?.cancel()
    if let left { DispatchQueue.global().asyncAfter(deadline: .now() + grace) { self.endIfStillLeft(left) } }
    waiter?.continuation.resume(throwing: Self.cancelled)
  }

  private func endIfStillLeft(_ left: Flight) {
    let unwanted = state.withLock { state -> Cancellation? in
      let flight = state.flights[left.id.key]
      guard flight?.id == left.id, flight?.departures == left.departures else { return nil }
      return state.endUnwanted()
    }
    unwanted?.cancel()
  }

  var waiterCount: Int { state.withLock { $0.flights.values.reduce(0) { $0 + $1.waiting.count } } }

  private static var cancelled: PHPhotosError { PHPhotosError(.userCancelled, "the conversion was cancelled") }

  // MARK: Conversions

  /// Converts movies until none waits.
  private func work() {
    while let flight = next() {
      let result = Result {
        try flight.make({ flight.cancellation.isCancelled }, { self.tell(flight.id, $0) })
      }
      land(flight.id, result)
    }
  }

  private func next() -> Flight? {
    state.withLock { state in
      state.running = nil
      let flight = state.line.popLast().flatMap { state.flights[$0] }
      state.running = flight?.id
      state.isWorking = flight != nil
      return flight
    }
  }

  private func tell(_ id: Flight.ID, _ share: Double) {
    let listeners = state.withLock { state -> [Progress] in
      guard var flight = state.flights[id.key], flight.id == id, share > flight.share else { return [] }
      flight.share = share
      state.flights[id.key] = flight
      return flight.waiting.values.compactMap(\.progress)
    }
    for listener in listeners { listener(share) }
  }

  private func land(_ id: Flight.ID, _ result: Result<FileReader, any Error>) {
    let waiting = state.withLock { state -> [Int: Waiter] in
      // A conversion that was canceled may have been replaced by a new one.
      guard let flight = state.flights[id.key], flight.id == id else { return [:] }
      state.flights[id.key] = nil
      return flight.waiting
    }
    for waiter in waiting.values { waiter.continuation.resume(with: result) }
  }
}

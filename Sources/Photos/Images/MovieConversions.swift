import Synchronization

/// Movies that are being made playable: one at a time, each of them once for all who ask for it meanwhile.
///
///     let reader = try await conversions.movie(key, progress: { print($0) }) { isCancelled, progress in … }
///
/// Cancelling a task that waits ends its waiting, and the conversion too where nobody else waits for it.
final class MovieConversions: Sendable {
  typealias Key = ImagePipeline.AssetKey
  typealias Progress = @Sendable (Double) -> Void
  typealias Make =
    @Sendable (_ isCancelled: @escaping @Sendable () -> Bool, _ progress: @escaping Progress) throws ->
    PHFileReader

  /// A conversion takes minutes and all cores, and pictures are waited for meanwhile.
  private let queue = WorkQueue(width: 1)
  private let state = Mutex(State())

  private struct State {
    var flights: [Key: Flight] = [:]
    var latest = 0

    mutating func next() -> Int {
      latest += 1
      return latest
    }
  }

  private struct Flight {
    let number: Int
    let cancellation = Cancellation()
    var job: WorkQueue.Job?
    var share = 0.0
    var waiting: [Int: Waiter] = [:]
  }

  private struct Waiter {
    var continuation: CheckedContinuation<PHFileReader, any Error>
    var progress: Progress?
  }

  func movie(_ key: Key, progress: Progress?, _ make: @escaping Make) async throws -> PHFileReader {
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

  /// How far it is; `nil` where the task was cancelled before.
  private func join(_ key: Key, _ number: Int, _ waiter: Waiter, _ make: @escaping Make) -> Double? {
    let share = state.withLock { state -> Double? in
      // From here on, `leave` finds the waiter.
      guard !Task.isCancelled else { return nil }
      var flight = state.flights[key] ?? start(key, state.next(), make)
      flight.waiting[number] = waiter
      state.flights[key] = flight
      return flight.share
    }
    if share == nil { waiter.continuation.resume(throwing: Self.cancelled) }
    return share
  }

  private func start(_ key: Key, _ number: Int, _ make: @escaping Make) -> Flight {
    var flight = Flight(number: number)
    let cancellation = flight.cancellation
    flight.job = queue.add(.seen) { [self] in
      let result = Result { try make({ cancellation.isCancelled }, { self.tell(key, number, $0) }) }
      land(key, number, result)
    }
    return flight
  }

  private func tell(_ key: Key, _ number: Int, _ share: Double) {
    let listeners = state.withLock { state -> [Progress] in
      guard var flight = state.flights[key], flight.number == number, share > flight.share else { return [] }
      flight.share = share
      state.flights[key] = flight
      return flight.waiting.values.compactMap(\.progress)
    }
    for listener in listeners { listener(share) }
  }

  private func land(_ key: Key, _ number: Int, _ result: Result<PHFileReader, any Error>) {
    let waiting = state.withLock { state -> [Int: Waiter] in
      // What was cancelled may have been begun anew meanwhile.
      guard let flight = state.flights[key], flight.number == number else { return [:] }
      state.flights[key] = nil
      return flight.waiting
    }
    for waiter in waiting.values { waiter.continuation.resume(with: result) }
  }

  private func leave(_ key: Key, _ number: Int) {
    let waiter = state.withLock { state -> Waiter? in
      guard var flight = state.flights[key], let waiter = flight.waiting.removeValue(forKey: number) else { return nil }
      state.flights[key] = flight.waiting.isEmpty ? nil : flight
      if flight.waiting.isEmpty {
        flight.cancellation.cancel()
        if let job = flight.job { _ = queue.drop(job) }
      }
      return waiter
    }
    waiter?.continuation.resume(throwing: Self.cancelled)
  }

  private static var cancelled: PHPhotosError { PHPhotosError(.userCancelled, "the conversion was cancelled") }
}

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
  private let queue = DispatchQueue(label: "calotype.movies")
  private let gracePeriod: DispatchTimeInterval
  private let state = Mutex(State())

  /// Makes a converter. `gracePeriod` is the time that a conversion without waiting tasks
  /// continues.
  init(gracePeriod: DispatchTimeInterval = .seconds(60)) { self.gracePeriod = gracePeriod }

  private struct State {
    var conversions: [Key: Conversion] = [:]
    /// The conversions that haven't begun; the last one is next.
    var waitingKeys: [Key] = []
    var running: Conversion.ID?
    var isWorking = false
    var latest = 0

    mutating func next() -> Int {
      latest += 1
      return latest
    }

    /// Forgets the running conversion and returns its cancellation, if no task waits for it.
    /// Otherwise returns `nil`.
    mutating func cancellationOfUnwanted() -> Cancellation? {
      guard let running, let conversion = conversions[running.key], conversion.id == running, conversion.waiting.isEmpty
      else {
        return nil
      }
      // A later request begins a new conversion.
      conversions[running.key] = nil
      return conversion.cancellation
    }
  }

  private struct Conversion {
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
    var timesWithoutWaiter = 0
  }

  private struct Waiter {
    var continuation: CheckedContinuation<FileReader, any Error>
    var progress: Progress?
  }

  /// Waits for a movie. If the last waiting task is canceled, the conversion continues for the
  /// grace period. With `endsAtOnce` it does not, since that task has no use for it later.
  func movie(
    _ key: Key, endsAtOnce: Bool = false, progress: Progress?, _ make: @escaping Make
  ) async throws -> FileReader {
    let number = state.withLock { $0.next() }
    return try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        let share = addWaiter(
          Waiter(continuation: continuation, progress: progress), number: number, for: key, make)
        if let share, share > 0 { progress?(share) }
      }
    } onCancel: {
      removeWaiter(key, number, endsAtOnce: endsAtOnce)
    }
  }

  // MARK: Waiting tasks

  /// Adds a waiting task. Returns the conversion's progress; `nil` if the task was canceled before.
  private func addWaiter(_ waiter: Waiter, number: Int, for key: Key, _ make: @escaping Make) -> Double? {
    let (share, begins, unwanted) = state.withLock { state -> (Double?, Bool, Cancellation?) in
      // A cancellation from here on calls `removeWaiter`, which finds the waiter.
      guard !Task.isCancelled else { return (nil, false, nil) }
      var conversion = state.conversions[key] ?? Conversion(id: .init(key: key, number: state.next()), make: make)
      conversion.waiting[number] = waiter
      state.conversions[key] = conversion
      guard conversion.id != state.running else { return (conversion.share, false, nil) }
      state.waitingKeys.removeAll { $0 == key }
      state.waitingKeys.append(key)
      defer { state.isWorking = true }
      return (conversion.share, !state.isWorking, state.cancellationOfUnwanted())
    }
    unwanted?.cancel()
    if share == nil { waiter.continuation.resume(throwing: Self.cancelled) }
    if begins { queue.async { self.work() } }
    return share
  }

  private func removeWaiter(_ key: Key, _ number: Int, endsAtOnce: Bool) {
    let (waiter, unwanted, abandoned) = state.withLock { state -> (Waiter?, Cancellation?, Conversion?) in
      guard var conversion = state.conversions[key], let waiter = conversion.waiting.removeValue(forKey: number) else {
        return (nil, nil, nil)
      }
      if conversion.waiting.isEmpty { conversion.timesWithoutWaiter += 1 }
      state.conversions[key] = conversion
      guard conversion.waiting.isEmpty else { return (waiter, nil, nil) }
      guard conversion.id == state.running else {
        state.conversions[key] = nil
        state.waitingKeys.removeAll { $0 == key }
        return (waiter, nil, nil)
      }
      let isInGrace = state.waitingKeys.isEmpty && !endsAtOnce
      return isInGrace ? (waiter, nil, conversion) : (waiter, state.cancellationOfUnwanted(), nil)
    }
    unwanted?.cancel()
    if let abandoned {
      DispatchQueue.global().asyncAfter(deadline: .now() + gracePeriod) { self.endIfStillUnwanted(abandoned) }
    }
    waiter?.continuation.resume(throwing: Self.cancelled)
  }

  private func endIfStillUnwanted(_ abandoned: Conversion) {
    let unwanted = state.withLock { state -> Cancellation? in
      let conversion = state.conversions[abandoned.id.key]
      guard conversion?.id == abandoned.id, conversion?.timesWithoutWaiter == abandoned.timesWithoutWaiter else {
        return nil
      }
      return state.cancellationOfUnwanted()
    }
    unwanted?.cancel()
  }

  var waiterCount: Int { state.withLock { $0.conversions.values.reduce(0) { $0 + $1.waiting.count } } }

  private static var cancelled: PHPhotosError { PHPhotosError(.userCancelled, "the conversion was canceled") }

  // MARK: Conversions

  /// Converts movies until none waits.
  private func work() {
    while let conversion = next() {
      let result = Result {
        try conversion.make({ conversion.cancellation.isCancelled }, { self.report(conversion.id, $0) })
      }
      finish(conversion.id, result)
    }
  }

  private func next() -> Conversion? {
    state.withLock { state in
      state.running = nil
      let conversion = state.waitingKeys.popLast().flatMap { state.conversions[$0] }
      state.running = conversion?.id
      state.isWorking = conversion != nil
      return conversion
    }
  }

  private func report(_ id: Conversion.ID, _ share: Double) {
    let listeners = state.withLock { state -> [Progress] in
      guard var conversion = state.conversions[id.key], conversion.id == id, share > conversion.share else { return [] }
      conversion.share = share
      state.conversions[id.key] = conversion
      return conversion.waiting.values.compactMap(\.progress)
    }
    for listener in listeners { listener(share) }
  }

  private func finish(_ id: Conversion.ID, _ result: Result<FileReader, any Error>) {
    let waiting = state.withLock { state -> [Int: Waiter] in
      // A conversion that was canceled may have been replaced by a new one.
      guard let conversion = state.conversions[id.key], conversion.id == id else { return [:] }
      state.conversions[id.key] = nil
      return conversion.waiting
    }
    for waiter in waiting.values { waiter.continuation.resume(with: result) }
  }
}

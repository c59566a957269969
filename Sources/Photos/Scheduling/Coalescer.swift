import Dispatch
import Synchronization

internal import enum Sandbox.WorkDemand

/// Does work once for all callers that ask for it at the same time.
///
///     let request = pictures.request(key, .seen, byteCount: guess) {
///       try decode()
///     } completion: { result, releaseMemory in
///       …
///       releaseMemory()
///     }
///     pictures.cancel(request)
///
/// - A completion is called on the thread that did the work, or on the caller's thread if the
///   result exists.
/// - The result is kept, and shared with further callers, until all who received it have called
///   `releaseMemory`.
/// - Work begins once the budget has room for it. Without a `byteCount`, the result's memory is
///   counted elsewhere.
///
/// `CoalescerState` decides. This class carries out its actions, outside of the lock.
final class Coalescer<Key: Hashable & Sendable, Value: Sendable>: Sendable {
  typealias Machine = CoalescerState<Key, Value>
  typealias Work = Machine.Work
  typealias Completion = Machine.Completion
  typealias Request = Machine.Request

  private let queue: WorkQueue
  private let budget: MemoryBudget?
  /// Returns the size of a result in bytes.
  private let byteCount: @Sendable (Value) -> Int
  private let now: @Sendable () -> ContinuousClock.Instant
  private let state = Mutex(Machine())

  /// Makes a coalescer. `now` returns the time from which `unwanted` is counted.
  init(
    queue: WorkQueue, budget: MemoryBudget? = nil, byteCount: @escaping @Sendable (Value) -> Int = { _ in 0 },
    now: @escaping @Sendable () -> ContinuousClock.Instant = { .now }
  ) {
    self.queue = queue
    self.budget = budget
    self.now = now
    self.byteCount = byteCount
  }

  /// The number of results that are requested, being made, or in use.
  var count: Int { state.withLock(\.count) }

  /// Whether its queue has no work, of this coalescer or another one.
  var isIdle: Bool { queue.isIdle }

  /// The number of times that work has begun.
  var begun: Int { state.withLock(\.begun) }

  /// The number of results that had no subscriber during the last 100 ms of the work; for a
  /// benchmark.
  var unwanted: Int { state.withLock(\.unwanted) }

  // MARK: Requests

  @discardableResult
  func request(
    _ key: Key, _ urgency: WorkQueue.Urgency, byteCount: Int = 0, work: @escaping Work, completion: @escaping Completion
  ) -> Request {
    request(key, urgency, byteCount: byteCount, waitsForMemory: true, work: work, completion: completion)
  }

  /// Waits for the result. If the work has not begun, the caller's own thread does it.
  func wait(for key: Key, byteCount: Int = 0, work: @escaping Work) throws -> Value {
    let found = Mutex<Result<Value, any Error>?>(nil)
    let isDone = DispatchSemaphore(value: 0)
    let request = request(key, .seen, byteCount: byteCount, waitsForMemory: false, work: work) {
      result, releaseMemory in
      found.withLock { $0 = result }
      releaseMemory()
      isDone.signal()
    }
    if let job = state.withLock({ $0.job(of: request) }) { queue.perform(job) }
    isDone.wait()
    guard let result = found.withLock(\.self) else { preconditionFailure("a completion comes with its result") }
    return try result.get()
  }

  /// Returns the result. Throws `CancellationError` if the task is canceled.
  func value(for key: Key, _ work: @escaping Work) async throws -> Value {
    let cancellation = Cancellation()
    return try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        let request = request(key, .seen, work: work) { result, releaseMemory in
          cancellation.close()
          // The caller's next request must not get this result, which may be out of date by then.
          releaseMemory()
          continuation.resume(with: result)
        }
        cancellation.whenCancelled { [self] in
          if cancel(request) { continuation.resume(throwing: CancellationError()) }
        }
      }
    } onCancel: {
      cancellation.cancel()
    }
  }

  /// Unsubscribes, so that the completion is not called. Returns false if it has been called or is
  /// about to be. Work without subscribers is dropped if it has not begun.
  @discardableResult
  func cancel(_ request: Request) -> Bool {
    let (isCancelled, actions, isWorking) = state.withLock {
      let isWorking = $0.isWorking(on: request)
      let (isCancelled, actions) = $0.cancel(request, at: now())
      return (isCancelled, actions, isWorking)
    }
    perform(actions)
    if isCancelled, isWorking { WorkDemand.announceChange() }
    return isCancelled
  }

  private func request(
    _ key: Key, _ urgency: WorkQueue.Urgency, byteCount: Int, waitsForMemory: Bool, work: @escaping Work,
    completion: @escaping Completion
  ) -> Request {
    let (request, actions, isWorking) = state.withLock {
      let (request, actions) = $0.subscribe(
        key, urgency, byteCount: budget == nil ? 0 : byteCount, waitsForMemory: waitsForMemory, work: work,
        completion: completion)
      return (request, actions, $0.isWorking(on: request))
    }
    perform(actions)
    if isWorking { WorkDemand.announceChange() }
    return request
  }

  // MARK: Actions

  private func perform(_ actions: [Machine.Action]) { for action in actions { perform(action) } }

  private func perform(_ action: Machine.Action) {
    switch action {
    case .reserve(let bytes, let task):
      guard let budget else { return }
      let reservation = budget.reserve(bytes) { reservation in
        self.perform(self.state.withLock { $0.memoryGranted(reservation, to: task) })
      }
      perform(state.withLock { $0.didReserve(reservation, waits: true, for: task) })
    case .reserveBeyondLimit(let bytes, let task):
      guard let reservation = budget?.reserveBeyondLimit(bytes) else { return }
      perform(state.withLock { $0.didReserve(reservation, waits: false, for: task) })
    case .release(let reservation): budget?.release(reservation)
    case .adjust(let reservation, let result):
      budget?.adjust(reservation, to: (try? result.get()).map(byteCount) ?? 0)
    case .enqueue(let task, let urgency):
      let job = queue.add(urgency) { self.work(on: task) }
      perform(state.withLock { $0.didEnqueue(job, urgency, for: task) })
    case .raise(let job): queue.raise(job)
    case .drop(let job): _ = queue.drop(job)
    case .complete(let completions, let result, let task):
      for completion in completions {
        completion(result) { self.perform(self.state.withLock { $0.didRelease(task) }) }
      }
    }
  }

  private func work(on task: Int) {
    while let work = state.withLock({ $0.begin(task) }) {
      let result = WorkDemand.following(
        { self.state.withLock { $0.demand(for: task) } }, { Result(catching: work) })
      guard let actions = state.withLock({ $0.finish(task, result, at: now()) }) else { continue }
      return perform(actions)
    }
  }
}

import Synchronization

/// Does once what several ask for at the same time.
///
///     let request = pictures.request(key, .seen) { try decode() } completion: { result in … }
///     pictures.cancel(request)
///
/// Completions are called on the thread that did the work.
final class Coalescer<Key: Hashable & Sendable, Value: Sendable>: Sendable {
  typealias Completion = @Sendable (Result<Value, any Error>) -> Void

  struct Request: Sendable {
    fileprivate let key: Key
    fileprivate let number: Int
  }

  private let queue: WorkQueue
  private let state = Mutex(State())

  private struct State {
    var flights: [Key: Flight] = [:]
    var latest = 0
  }

  /// Work that somebody waits for.
  private struct Flight {
    var job: WorkQueue.Job?
    var urgency: WorkQueue.Urgency
    var waiting: [Int: Completion]
  }

  init(queue: WorkQueue) { self.queue = queue }

  @discardableResult
  func request(
    _ key: Key, _ urgency: WorkQueue.Urgency, work: @escaping @Sendable () throws -> Value,
    completion: @escaping Completion
  ) -> Request {
    state.withLock { state in
      state.latest += 1
      let request = Request(key: key, number: state.latest)
      if var flight = state.flights.removeValue(forKey: key) {
        flight.waiting[request.number] = completion
        if urgency == .seen, flight.urgency == .preheated, let job = flight.job {
          flight.urgency = .seen
          queue.raise(job)
        }
        state.flights[key] = flight
      } else {
        let job = queue.add(urgency) { [self] in land(key, Result(catching: work)) }
        state.flights[key] = Flight(job: job, urgency: urgency, waiting: [request.number: completion])
      }
      return request
    }
  }

  private func land(_ key: Key, _ result: Result<Value, any Error>) {
    let flight = state.withLock { $0.flights.removeValue(forKey: key) }
    for (_, completion) in (flight?.waiting ?? [:]).sorted(by: { $0.key < $1.key }) { completion(result) }
  }

  /// The completion is not called any more; work that nobody waits for is dropped, if it has not begun.
  func cancel(_ request: Request) {
    state.withLock { state in
      guard var flight = state.flights[request.key] else { return }
      flight.waiting[request.number] = nil
      state.flights[request.key] = flight
      if flight.waiting.isEmpty, let job = flight.job, queue.drop(job) { state.flights[request.key] = nil }
    }
  }

  func value(for key: Key, _ work: @escaping @Sendable () throws -> Value) async throws -> Value {
    try await withCheckedThrowingContinuation { continuation in
      request(key, .seen, work: work) { continuation.resume(with: $0) }
    }
  }
}

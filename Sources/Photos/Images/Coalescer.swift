import Dispatch
internal import Imaging
import Synchronization

/// Does once what several ask for at the same time.
///
///     let request = pictures.request(key, .seen, byteCount: guess) { try decode() } completion: { result, handedOver in
///       …
///       handedOver()
///     }
///     pictures.cancel(request)
///
/// - Completions are called on the thread that did the work, or on the one that asks where it has been done already.
/// - What was made stays, and is given to whoever asks for it, until all who got it have called `handedOver`.
/// - Work begins when the budget has memory for it, and gives it back with the last `handedOver`. Without a `byteCount` what is made is
///   counted by somebody else.
final class Coalescer<Key: Hashable & Sendable, Value: Sendable>: Sendable {
  typealias Work = @Sendable () throws -> Value
  typealias Completion = @Sendable (Result<Value, any Error>, _ handedOver: @escaping @Sendable () -> Void) -> Void

  struct Request: Sendable {
    fileprivate let flight: Int
    fileprivate let number: Int
  }

  private let queue: WorkQueue
  private let budget: MemoryBudget?
  /// Bytes of what was made.
  private let byteCount: @Sendable (Value) -> Int
  private let state = Mutex(State())

  private struct State {
    /// Those that can be joined.
    var current: [Key: Int] = [:]
    var flights: [Int: Flight] = [:]
    var latest = 0
    var begun = 0
    var unwanted = 0

    mutating func end(_ flight: Int) {
      guard let key = flights.removeValue(forKey: flight)?.key, current[key] == flight else { return }
      current[key] = nil
    }
  }

  /// Work that somebody waits for, and then what came of it.
  private struct Flight {
    let key: Key
    let work: Work
    var urgency: WorkQueue.Urgency
    var stage = Stage.waiting
    var reservation: MemoryBudget.Reservation?
    var waiting: [Int: Completion] = [:]
    var unwantedSince: ContinuousClock.Instant?
    /// It has been told that nobody waits for it.
    var mayGiveUp = false
    /// Who has been given what was made, and has not handed it over.
    var holders = 0
  }

  private enum Stage {
    /// For memory.
    case waiting
    case queued(WorkQueue.Job)
    case working
    case landed(Result<Value, any Error>)
  }

  init(queue: WorkQueue, budget: MemoryBudget? = nil, byteCount: @escaping @Sendable (Value) -> Int = { _ in 0 }) {
    self.queue = queue
    self.budget = budget
    self.byteCount = byteCount
  }

  /// How often work has begun.
  var begun: Int { state.withLock(\.begun) }

  /// How often something was made that nobody had waited for any more in the last 100 ms, for a benchmark.
  var unwanted: Int { state.withLock(\.unwanted) }

  // MARK: Asking

  @discardableResult
  func request(
    _ key: Key, _ urgency: WorkQueue.Urgency, byteCount: Int = 0, work: @escaping Work, completion: @escaping Completion
  ) -> Request { request(key, urgency, byteCount: byteCount, waitsForMemory: true, work: work, completion: completion) }

  /// The same for a caller that waits: what nobody has begun is done by its own thread.
  func wait(for key: Key, byteCount: Int = 0, work: @escaping Work) throws -> Value {
    let found = Mutex<Result<Value, any Error>?>(nil)
    let isDone = DispatchSemaphore(value: 0)
    let request = request(key, .seen, byteCount: byteCount, waitsForMemory: false, work: work) { result, handedOver in
      found.withLock { $0 = result }
      handedOver()
      isDone.signal()
    }
    let job = state.withLock { state -> WorkQueue.Job? in
      if case .queued(let job) = state.flights[request.flight]?.stage { job } else { nil }
    }
    job.map(queue.perform)
    isDone.wait()
    guard let result = found.withLock(\.self) else { preconditionFailure("a completion comes with its result") }
    return try result.get()
  }

  /// The same for a task; where that is cancelled it throws `CancellationError`.
  func value(for key: Key, _ work: @escaping Work) async throws -> Value {
    let cancellation = Cancellation()
    return try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        let request = request(key, .seen, work: work) { result, handedOver in
          cancellation.close()
          continuation.resume(with: result)
          handedOver()
        }
        cancellation.whenCancelled { [self] in
          if cancel(request) { continuation.resume(throwing: CancellationError()) }
        }
      }
    } onCancel: {
      cancellation.cancel()
    }
  }

  /// The completion is not called any more, and work that nobody waits for is dropped, if it has not begun; `false` where the completion has
  /// been called already.
  @discardableResult
  func cancel(_ request: Request) -> Bool {
    let (isCancelled, reservation) = state.withLock { state -> (Bool, MemoryBudget.Reservation?) in
      guard var flight = state.flights[request.flight], flight.waiting.removeValue(forKey: request.number) != nil else {
        return (false, nil)
      }
      state.flights[request.flight] = flight
      guard flight.waiting.isEmpty else { return (true, nil) }
      switch flight.stage {
      case .waiting: break
      case .queued(let job) where queue.drop(job): break
      case .queued, .working:
        state.flights[request.flight]?.unwantedSince = .now
        return (true, nil)
      case .landed: return (true, nil)
      }
      state.end(request.flight)
      return (true, flight.reservation)
    }
    if let reservation { budget?.release(reservation) }
    return isCancelled
  }

  /// How much that is wanted which this thread is at work on; where nobody waits for it, the work may give up.
  private func demand(for number: Int) -> WorkDemand {
    state.withLock { state in
      guard let flight = state.flights[number] else { return .seen }
      guard flight.waiting.isEmpty else { return flight.urgency == .seen ? .seen : .background }
      state.flights[number]?.mayGiveUp = true
      return .none
    }
  }

  // MARK: From the first one's asking to the last one's answer

  private enum Step {
    case nothing
    case reserve
    case begin
    case answer(Result<Value, any Error>)
  }

  private func request(
    _ key: Key, _ urgency: WorkQueue.Urgency, byteCount: Int, waitsForMemory: Bool, work: @escaping Work,
    completion: @escaping Completion
  ) -> Request {
    var superseded: MemoryBudget.Reservation?
    let (request, step) = state.withLock { state -> (Request, Step) in
      state.latest += 1
      let isFirst = state.current[key] == nil
      let number = state.current[key] ?? state.latest
      let request = Request(flight: number, number: state.latest)
      var flight = state.flights[number] ?? Flight(key: key, work: work, urgency: urgency)
      defer {
        state.current[key] = number
        state.flights[number] = flight
      }
      if byteCount > 0 {
        switch flight.stage {
        case .waiting where waitsForMemory: break
        case .waiting:
          superseded = flight.reservation
          flight.reservation = budget?.reserveAtOnce(byteCount)
        // What was preheated was counted by who preheats.
        case .queued, .working, .landed: flight.reservation = flight.reservation ?? budget?.reserveAtOnce(byteCount)
        }
      }
      if case .landed(let result) = flight.stage {
        flight.holders += 1
        return (request, .answer(result))
      }
      flight.waiting[request.number] = completion
      flight.unwantedSince = nil
      if urgency == .seen, flight.urgency == .preheated {
        flight.urgency = .seen
        if case .queued(let job) = flight.stage { queue.raise(job) }
      }
      guard case .waiting = flight.stage else { return (request, .nothing) }
      if !waitsForMemory { return (request, .begin) }
      return (request, isFirst ? (byteCount > 0 && budget != nil ? .reserve : .begin) : .nothing)
    }
    if let superseded { budget?.release(superseded) }
    switch step {
    case .nothing: break
    case .reserve: reserve(byteCount, for: request.flight)
    case .begin: begin(request.flight, nil)
    case .answer(let result): completion(result) { self.handOver(request.flight) }
    }
    return request
  }

  private func reserve(_ bytes: Int, for number: Int) {
    guard let budget else { return }
    let reservation = budget.reserve(bytes) { self.begin(number, $0) }
    // Where it has to wait, whoever cancels must find it.
    let isOver = state.withLock { state in
      guard state.flights[number] != nil else { return true }
      if state.flights[number]?.reservation == nil { state.flights[number]?.reservation = reservation }
      return state.flights[number]?.reservation != reservation
    }
    if isOver { budget.release(reservation) }
  }

  /// There is memory.
  private func begin(_ number: Int, _ reservation: MemoryBudget.Reservation?) {
    let isLate = state.withLock { state in
      guard var flight = state.flights[number], case .waiting = flight.stage else { return true }
      let isOther = reservation != nil && flight.reservation != nil && flight.reservation != reservation
      flight.reservation = flight.reservation ?? reservation
      flight.stage = .queued(queue.add(flight.urgency) { self.perform(number) })
      state.flights[number] = flight
      return isOther
    }
    if isLate, let reservation { budget?.release(reservation) }
  }

  private func perform(_ number: Int) {
    while true {
      let work = state.withLock { state -> Work? in
        state.begun += 1
        state.flights[number]?.stage = .working
        return state.flights[number]?.work
      }
      guard let work else { return }
      let result = WorkDemand.following({ self.demand(for: number) }, { Result(catching: work) })
      guard isWantedAgain(number, result) else { return land(number, result) }
    }
  }

  /// Whether it has given up, and somebody has come who waits for it.
  private func isWantedAgain(_ number: Int, _ result: Result<Value, any Error>) -> Bool {
    guard case .failure = result else { return false }
    return state.withLock { state in
      guard let flight = state.flights[number], flight.mayGiveUp, !flight.waiting.isEmpty else { return false }
      state.flights[number]?.mayGiveUp = false
      return true
    }
  }

  private func land(_ number: Int, _ result: Result<Value, any Error>) {
    let (waiting, reservation) = state.withLock {
      state -> ([Int: Completion], MemoryBudget.Reservation?) in
      guard var flight = state.flights[number] else { return ([:], nil) }
      let waiting = flight.waiting
      if waiting.isEmpty {
        state.end(number)
        let isMade = (try? result.get()) != nil
        if isMade, let since = flight.unwantedSince, since.duration(to: .now) > .milliseconds(100) {
          state.unwanted += 1
        }
      } else {
        flight.waiting = [:]
        flight.holders = waiting.count
        flight.stage = .landed(result)
        state.flights[number] = flight
      }
      return (waiting, flight.reservation)
    }
    if let reservation {
      if waiting.isEmpty {
        budget?.release(reservation)
      } else {
        budget?.adjust(reservation, to: (try? result.get()).map(byteCount) ?? 0)
      }
    }
    for (_, completion) in waiting.sorted(by: { $0.key < $1.key }) { completion(result) { self.handOver(number) } }
  }

  private func handOver(_ number: Int) {
    let reservation = state.withLock { state -> MemoryBudget.Reservation? in
      guard let holders = state.flights[number]?.holders else { return nil }
      state.flights[number]?.holders = holders - 1
      guard holders == 1 else { return nil }
      defer { state.end(number) }
      return state.flights[number]?.reservation
    }
    if let reservation { budget?.release(reservation) }
  }
}

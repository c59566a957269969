internal import enum Sandbox.WorkDemand

/// The state machine of a `Coalescer`: its tasks, their subscribers, and the actions that follow.
///
///     var state = CoalescerState<String, Int>()
///     let (request, actions) = state.subscribe("a", .seen, byteCount: 0, work: work, completion: completion)
///     // actions: [.enqueue(task: 1, .seen)]
///
/// Each method is an event and returns the actions that it causes. The driver carries them out
/// after it has released its lock. It reports the handles that it gets (`didReserve`, `didEnqueue`)
/// as further events. If a task is gone by then, its handle is given back.
struct CoalescerState<Key: Hashable & Sendable, Value: Sendable>: Sendable {
  typealias Work = @Sendable () throws -> Value
  typealias Completion = @Sendable (Result<Value, any Error>, _ releaseMemory: @escaping @Sendable () -> Void) -> Void
  typealias Reservation = MemoryBudget.Reservation

  struct Request: Hashable, Sendable {
    let task: Int
    let number: Int
  }

  enum Action: Sendable {
    /// Reserves memory, and waits for it.
    case reserve(bytes: Int, task: Int)
    /// Reserves memory at once, even beyond the budget.
    case reserveBeyondLimit(bytes: Int, task: Int)
    case release(Reservation)
    /// Corrects the guessed size of a result.
    case adjust(Reservation, Result<Value, any Error>)
    case enqueue(task: Int, WorkQueue.Urgency)
    case raise(WorkQueue.Job)
    case drop(WorkQueue.Job)
    case complete([Completion], Result<Value, any Error>, task: Int)
  }

  private enum Stage: Sendable {
    case waitingForMemory
    /// The driver has not reported the job yet.
    case enqueuing
    case queued(WorkQueue.Job)
    case working
    case finished(Result<Value, any Error>)
  }

  private enum Memory: Sendable {
    case none
    /// The reservation waits for its turn; nil if the driver has not reported it yet.
    case waiting(Reservation?)
    /// The memory is counted; nil if the driver has not reported it yet.
    case reserved(Reservation?)

    var reservation: Reservation? {
      switch self {
      case .none: nil
      case .waiting(let reservation), .reserved(let reservation): reservation
      }
    }
  }

  private struct Task: Sendable {
    let key: Key
    let work: Work
    var urgency: WorkQueue.Urgency
    var stage = Stage.waitingForMemory
    var memory = Memory.none
    var subscribers: [Int: Completion] = [:]
    var unwantedSince: ContinuousClock.Instant?
    /// Whether the work was notified that its result is no longer wanted.
    var mayBeAbandoned = false
    /// The number of subscribers that have the result and have not released it.
    var holders = 0
  }

  /// The tasks that can be subscribed to.
  private var current: [Key: Int] = [:]
  private var tasks: [Int: Task] = [:]
  private var latest = 0
  var count: Int { tasks.count }
  /// The number of times that work has begun.
  private(set) var begun = 0
  /// The number of results that had no subscriber during the last 100 ms of the work.
  private(set) var unwanted = 0

  // MARK: Subscribers

  /// Subscribes to the key's task. `waitsForMemory` states whether a new task may wait; it is false
  /// for a caller that blocks its thread.
  mutating func subscribe(
    _ key: Key, _ urgency: WorkQueue.Urgency, byteCount: Int, waitsForMemory: Bool = true, work: @escaping Work,
    completion: @escaping Completion
  ) -> (Request, [Action]) {
    latest += 1
    let isFirst = current[key] == nil
    let number = current[key] ?? latest
    let request = Request(task: number, number: latest)
    var task = tasks[number] ?? Task(key: key, work: work, urgency: urgency)
    defer {
      current[key] = number
      tasks[number] = task
    }
    if case .finished(let result) = task.stage {
      let actions = countMemory(byteCount, number: number, of: &task)
      task.holders += 1
      return (request, actions + [.complete([completion], result, task: number)])
    }
    task.subscribers[request.number] = completion
    task.unwantedSince = nil
    let isRaised = urgency == .seen && task.urgency == .preheated
    if isRaised { task.urgency = .seen }
    switch task.stage {
    case .waitingForMemory where waitsForMemory && isFirst && byteCount > 0:
      task.memory = .waiting(nil)
      return (request, [.reserve(bytes: byteCount, task: number)])
    case .waitingForMemory where waitsForMemory && !isFirst: return (request, [])
    case .waitingForMemory:
      var actions: [Action] = []
      if byteCount > 0 {
        if let waiting = task.memory.reservation { actions.append(.release(waiting)) }
        task.memory = .reserved(nil)
        actions.append(.reserveBeyondLimit(bytes: byteCount, task: number))
      }
      task.stage = .enqueuing
      return (request, actions + [.enqueue(task: number, task.urgency)])
    case .queued(let job):
      return (request, countMemory(byteCount, number: number, of: &task) + (isRaised ? [.raise(job)] : []))
    case .enqueuing, .working, .finished: return (request, countMemory(byteCount, number: number, of: &task))
    }
  }

  /// Reserves the memory of a preheated task, which `ImageCache` counted until now.
  private func countMemory(_ byteCount: Int, number: Int, of task: inout Task) -> [Action] {
    guard byteCount > 0, case .none = task.memory else { return [] }
    task.memory = .reserved(nil)
    return [.reserveBeyondLimit(bytes: byteCount, task: number)]
  }

  /// Unsubscribes. Returns false if the completion has been called or is about to be. A task
  /// without subscribers is dropped if its work has not begun.
  mutating func cancel(_ request: Request, at now: ContinuousClock.Instant) -> (Bool, [Action]) {
    guard tasks[request.task]?.subscribers.removeValue(forKey: request.number) != nil, let task = tasks[request.task]
    else { return (false, []) }
    guard task.subscribers.isEmpty else { return (true, []) }
    switch task.stage {
    case .waitingForMemory, .enqueuing: return (true, end(request.task))
    case .queued(let job): return (true, [.drop(job)] + end(request.task))
    case .working:
      tasks[request.task]?.unwantedSince = now
      return (true, [])
    case .finished: return (true, [])
    }
  }

  /// Returns the job of a task if it is queued and has not begun.
  func job(of request: Request) -> WorkQueue.Job? {
    if case .queued(let job) = tasks[request.task]?.stage { job } else { nil }
  }

  func isWorking(on request: Request) -> Bool {
    if case .working = tasks[request.task]?.stage { true } else { false }
  }

  // MARK: Memory and the queue

  /// Takes the handle of a reservation from the driver. The reservation may wait or be granted
  /// already.
  mutating func didReserve(_ reservation: Reservation, waits: Bool, for number: Int) -> [Action] {
    switch (tasks[number]?.memory, waits) {
    case (.waiting(nil), true): tasks[number]?.memory = .waiting(reservation)
    case (.reserved(nil), false):
      tasks[number]?.memory = .reserved(reservation)
      if case .finished(let result) = tasks[number]?.stage { return [.adjust(reservation, result)] }
    // The memory was granted before the handle was reported.
    case (.reserved(reservation), true): break
    default: return [.release(reservation)]
    }
    return []
  }

  /// Reports that there is memory for a task that waited for it.
  mutating func memoryGranted(_ reservation: Reservation, to number: Int) -> [Action] {
    guard let task = tasks[number], case .waitingForMemory = task.stage, case .waiting(let waiting) = task.memory,
      waiting == nil || waiting == reservation
    else { return [.release(reservation)] }
    tasks[number]?.memory = .reserved(reservation)
    tasks[number]?.stage = .enqueuing
    return [.enqueue(task: number, task.urgency)]
  }

  /// Takes the handle of a task's job from the driver. The job may have begun already.
  mutating func didEnqueue(_ job: WorkQueue.Job, _ urgency: WorkQueue.Urgency, for number: Int) -> [Action] {
    guard let task = tasks[number] else { return [.drop(job)] }
    guard case .enqueuing = task.stage else { return [] }
    tasks[number]?.stage = .queued(job)
    return task.urgency != urgency ? [.raise(job)] : []
  }

  // MARK: Work

  /// Begins a task. Returns its work, or nil if the task was dropped.
  mutating func begin(_ number: Int) -> Work? {
    guard let task = tasks[number] else { return nil }
    begun += 1
    tasks[number]?.stage = .working
    return task.work
  }

  /// Returns the demand for a task's result. Once it is `.none`, the work may give up.
  mutating func demand(for number: Int) -> WorkDemand {
    guard let task = tasks[number] else { return .seen }
    guard task.subscribers.isEmpty else { return task.urgency == .seen ? .seen : .background }
    tasks[number]?.mayBeAbandoned = true
    return .none
  }

  /// Ends the work. Returns nil if it has to be repeated: it gave up, and has a new subscriber.
  mutating func finish(
    _ number: Int, _ result: Result<Value, any Error>, at now: ContinuousClock.Instant
  ) -> [Action]? {
    guard let task = tasks[number] else { return [] }
    let isMade = (try? result.get()) != nil
    guard !task.subscribers.isEmpty else {
      if isMade, let since = task.unwantedSince, since.duration(to: now) > .milliseconds(100) { unwanted += 1 }
      return end(number)
    }
    if !isMade, task.mayBeAbandoned {
      tasks[number]?.mayBeAbandoned = false
      return nil
    }
    let completions = task.subscribers.sorted { $0.key < $1.key }.map(\.value)
    tasks[number]?.subscribers = [:]
    tasks[number]?.holders = completions.count
    tasks[number]?.stage = .finished(result)
    let adjustment = task.memory.reservation.map { [Action.adjust($0, result)] } ?? []
    return adjustment + [.complete(completions, result, task: number)]
  }

  /// Reports that a subscriber has released the result.
  mutating func didRelease(_ number: Int) -> [Action] {
    guard let holders = tasks[number]?.holders else { return [] }
    tasks[number]?.holders = holders - 1
    return holders == 1 ? end(number) : []
  }

  private mutating func end(_ number: Int) -> [Action] {
    guard let task = tasks.removeValue(forKey: number) else { return [] }
    if current[task.key] == number { current[task.key] = nil }
    return task.memory.reservation.map { [.release($0)] } ?? []
  }
}

import Foundation

/// The processes in which strangers' files are decoded: as many as there are processors, started when they are needed.
///
///     let pool = WorkerPool(WorkerPool.Configuration(executable: "/usr/libexec/calotype-worker"))
///     let answer = try pool.answer(to: .metadata(machineTimeZone: .current), on: file)
///
/// - A call blocks its thread; calls beyond the number of workers wait for their turn: what is seen before what is done in the background,
///   and what takes a millisecond before both (`WorkerPrecedence`). Of these there is one worker more each, so that they don't wait for
///   what has begun.
/// - A worker that dies is replaced. What it was asked fails with `ImagingError`, unless the death can be another file's fault: a worker
///   that had served others before, or that was killed by somebody else. Then it is asked once more of a fresh worker, and what
///   kills that is at fault.
/// - Workers end with this process, however that ends; when they have been idle for a while; after a number of requests, since a
///   file that takes a worker over would see those that follow; and when their memory has grown.
/// - Any thread may call it.
final class WorkerPool: @unchecked Sendable {
  // All mutable state is guarded by `condition`; a worker belongs to the thread that has checked it out.

  struct Configuration: Sendable {
    var executable: String
    /// How many work at the same time.
    var width = max(2, ProcessInfo.processInfo.activeProcessorCount)
    var requestsOfALife = 500
    var idleSeconds = 30.0
    /// A worker that holds more than this while it is idle is replaced.
    var idleByteLimit = 400 << 20
    /// Addresses; libraries take some hundred megabytes of them, and a picture of the most pixels is held twice.
    var memoryLimit = 3 << 30
    /// Whether pixels are copied out of a worker's memory; where the kernel does not allow that they come over the socket.
    var readsMemory = true
    /// For tests.
    var arguments: [String] = []
  }

  let configuration: Configuration
  private let condition = NSCondition()
  /// Signalled when the keeper has something to do.
  private let work = DispatchSemaphore(value: 0)
  private var idle: [Worker] = []
  private var deaths: [WorkerDeath] = []
  /// Those that exist or are about to; those of them that are checked out, and those that are to be started.
  private var count = 0
  private var busy = 0
  private var wanted = 0
  /// How many wait, by precedence.
  private var waiting = WorkerPrecedence.allCases.map { _ in 0 }
  /// Starts are numbered: one that failed is of interest to who asked for it or for an earlier one.
  private var lastStart = 0
  private var startFailure: (number: Int, death: WorkerDeath)?
  private var isKept = false
  private var isEnded = false

  init(_ configuration: Configuration) { self.configuration = configuration }

  deinit { for worker in idle { worker.end() } }

  /// Asks a worker, and waits for its answer.
  func answer(to request: WorkerRequest, on file: MediaFile) throws(ImagingError) -> WorkerAnswer {
    var isRepeated = false
    while true {
      let worker: Worker
      do { worker = try checkOut(isBrief: request.isBrief, fresh: isRepeated) } catch {
        throw error.error(named: file.name)
      }
      let hasServed = worker.served > 0
      switch worker.serve(request, file) {
      case .answered(let result):
        checkIn(worker)
        return try result.get()
      case .died(let death):
        bury(death)
        let mayBeAnothers = hasServed || death.isByAnotherHand
        guard mayBeAnothers, !isRepeated, !death.isOverLimit else { throw death.error(named: file.name) }
        isRepeated = true
      }
    }
  }

  /// Whether workers can be had at all: starts one if there is none.
  func probe() -> WorkerDeath? {
    do throws(WorkerDeath) {
      // All later ones hang on it, whatever becomes of who asks first.
      let worker = try DecodingDemand.following(
        { .seen }, { () throws(WorkerDeath) in try checkOut(isBrief: false, fresh: false) })
      guard let death = worker.getReady() else {
        checkIn(worker)
        return nil
      }
      bury(death)
      return death
    } catch { return error }
  }

  /// The processes that exist, for tests.
  var idleProcesses: [pid_t] { condition.withLock { idle.map(\.pid) } }

  /// Of those, which give their pixels out of their memory.
  var idleReadMemory: [Bool] { condition.withLock { idle.map(\.readsMemory) } }

  /// How many are at work.
  var busyCount: Int { condition.withLock { busy } }

  /// What workers have died of; the latest hundred.
  var latestDeaths: [WorkerDeath] { condition.withLock { deaths } }

  /// Ends all workers; nothing may be asked after it.
  func end() {
    let workers = condition.withLock {
      isEnded = true
      defer { idle = [] }
      condition.broadcast()
      work.signal()
      return idle
    }
    for worker in workers { worker.stop() }
    for worker in workers { worker.end() }
  }

  // MARK: Checking out

  private func checkOut(isBrief: Bool, fresh: Bool) throws(WorkerDeath) -> Worker {
    var surplus: [Worker] = []
    var precedence = WorkerPrecedence(isBrief: isBrief, .current)
    condition.lock()
    waiting[precedence.rawValue] += 1
    defer {
      waiting[precedence.rawValue] -= 1
      // Whoever gave way looks again.
      if waiting.contains(where: { $0 > 0 }) { condition.broadcast() }
      condition.unlock()
      for worker in surplus { worker.end() }
    }
    if !isKept {
      isKept = true
      Thread.detachNewThread { self.keep() }
    }
    var asked: Int?
    while true {
      let most = precedence.mostBusy(width: configuration.width)
      guard !isEnded else { throw WorkerDeath(.couldNotStart(ECANCELED)) }
      if busy < most, !waiting[(precedence.rawValue + 1)...].contains(where: { $0 > 0 }) {
        // The latest first: its memory is warm, and the others may come to their end.
        if let index = idle.lastIndex(where: { !fresh || $0.served == 0 }) {
          busy += 1
          return idle.remove(at: index)
        }
        let failure = startFailure.flatMap { failure in asked.map { $0 <= failure.number } == true ? failure.death : nil
        }
        // Others will come back, but a fresh one won't.
        if let failure, count == 0 || fresh { throw failure }
        if fresh, count >= most, wanted == 0, let used = idle.popLast() {
          surplus.append(used)
          count -= 1
        }
        if count < most, failure == nil, asked == nil || wanted == 0 { asked = askForStart() }
      }
      _ = condition.wait(until: Date(timeIntervalSinceNow: 0.1))
      // What was preheated may have come to the screen, and what was on the screen may have left it. Who is asked may have locks.
      condition.unlock()
      let demand = DecodingDemand.current
      condition.lock()
      guard demand != .none else { throw WorkerDeath(.unwanted) }
      waiting[precedence.rawValue] -= 1
      precedence = WorkerPrecedence(isBrief: isBrief, demand)
      waiting[precedence.rawValue] += 1
    }
  }

  private func askForStart() -> Int {
    count += 1
    wanted += 1
    lastStart += 1
    work.signal()
    return lastStart
  }

  private func checkIn(_ worker: Worker) {
    let isSpent =
      worker.served >= configuration.requestsOfALife
      // Looked at now and then: it takes as long as a small picture.
      || worker.served % 8 == 0 && worker.residentByteCount ?? 0 > configuration.idleByteLimit
    let isLeft = condition.withLock {
      busy -= 1
      if waiting.contains(where: { $0 > 0 }) { condition.broadcast() }
      guard isSpent || isEnded else {
        worker.rest()
        idle.append(worker)
        return true
      }
      count -= 1
      return false
    }
    if !isLeft { worker.end() }
  }

  private func bury(_ death: WorkerDeath) {
    condition.withLock {
      deaths = Array((deaths + [death]).suffix(100))
      busy -= 1
      count -= 1
      condition.broadcast()
    }
  }

  // MARK: The keeper

  /// Starts workers and ends those that have been idle for long. A thread of its own, as long as the pool lives: the kernel ends a
  /// child when the thread ends that started it.
  private func keep() {
    while true {
      let isWatching = condition.withLock { count > 0 }
      let pause = DispatchTime.now() + min(configuration.idleSeconds / 4 + 0.01, Self.watchSeconds)
      _ = work.wait(timeout: isWatching ? pause : .distantFuture)
      while let number = condition.withLock({ nextStart }) { start(number) }
      guard !condition.withLock({ isEnded }) else { return }
      endIdle()
    }
  }

  /// The interval at which idle workers are checked.
  private static let watchSeconds = 1.0

  /// The number of the first start that is wanted.
  private var nextStart: Int? { wanted > 0 && !isEnded ? lastStart - wanted + 1 : nil }

  private func start(_ number: Int) {
    let started = Result { () throws(WorkerDeath) in try Worker(configuration) }
    condition.withLock {
      wanted -= 1
      switch started {
      // Nobody will ask it.
      case .success(let worker) where isEnded: worker.end()
      case .success(let worker): idle.append(worker)
      case .failure(let failure):
        count -= 1
        startFailure = (number, failure)
      }
      condition.broadcast()
    }
  }

  /// Ends workers that have been idle for long, and idle ones that still use the processor.
  private func endIdle() {
    let latest = ContinuousClock.now - .seconds(configuration.idleSeconds)
    let old = condition.withLock {
      let old = idle.filter { $0.idleSince < latest || $0.isRestless }
      idle.removeAll { worker in old.contains { $0 === worker } }
      return old
    }
    guard !old.isEmpty else { return }
    for worker in old { worker.end() }
    condition.withLock {
      count -= old.count
      condition.broadcast()
    }
  }
}

import Foundation

/// Worker processes, started when they are needed: one for each processor.
///
///     let pool = WorkerPool(WorkerPool.Configuration(executable: "/usr/libexec/calotype-worker"))
///     let answer = try pool.answer(to: call)
///
/// - A call blocks its thread. Calls beyond the number of workers wait in line: requests for the
///   screen go before background work, and brief ones before both (`WorkerPrecedence`). For each of
///   these there is one more worker, so that they need not wait for work in progress.
/// - A worker whose process ends is replaced, and the call throws `WorkerEnd`. If another file may
///   be the cause – the worker had served others before, or was killed from outside – the call is
///   repeated once with a fresh worker. A call about several files is not repeated: its caller then
///   asks about each of them.
/// - Workers end with this process, however it ends. They also end if they have been idle for a
///   while, or if their memory has grown. Workers with decoders also end after a number of files,
///   since a file that compromises a worker sees the files of later requests.
/// - It is safe to use from any thread.
package final class WorkerPool: @unchecked Sendable {
  // `condition` guards all mutable state. A worker belongs to the thread that has checked it out.

  package struct Configuration: Sendable {
    package var executable: String
    /// Whether workers load decoders before they are confined. Without decoders they start sooner,
    /// and read only headers.
    package var loadsDecoders: Bool
    /// The number of workers at the same time.
    package var width = max(2, ProcessInfo.processInfo.activeProcessorCount)
    /// A worker with decoders that has received this many files is replaced after its request. A
    /// worker without decoders has no such limit, since no file can have compromised it.
    package var fileLimitPerWorker = 500
    package var idleSeconds = 30.0
    /// The clock that tells how long a worker has been idle.
    package var now: @Sendable () -> ContinuousClock.Instant = { .now }
    /// A worker is ended if it has worked for this long and its result is no longer wanted.
    package var graceTime = Duration.seconds(2)
    /// A worker that holds more than this while it is idle is replaced.
    package var idleByteLimit = 400 << 20
    /// Bytes of address space: libraries take some hundred megabytes, and the largest picture is in
    /// memory twice.
    package var memoryLimit = 3 << 30
    /// Whether replies are copied out of a worker's memory. If the kernel refuses, they come over
    /// the socket.
    package var readsMemory = true
    /// Additional arguments for the worker, for tests.
    package var arguments: [String] = []

    package init(executable: String, loadsDecoders: Bool = true) {
      self.executable = executable
      self.loadsDecoders = loadsDecoders
    }
  }

  package let configuration: Configuration
  private let condition = NSCondition()
  /// Signaled if the keeper has work.
  private let work = DispatchSemaphore(value: 0)
  private var idle: [Worker] = []
  private var ends: [WorkerEnd] = []
  /// The number of workers that exist or are being started. Of these, `busy` serve a request and
  /// `wanted` are not started yet.
  private var count = 0
  private var busy = 0
  private var wanted = 0
  /// The number of waiting calls, by precedence.
  private var waiting = WorkerPrecedence.allCases.map { _ in 0 }
  /// The number of the latest start. A failed start concerns only calls that asked for it or for an
  /// earlier one.
  private var lastStart = 0
  private var startFailure: (number: Int, end: WorkerEnd)?
  private var hasKeeper = false
  private var isEnded = false

  package init(_ configuration: Configuration) {
    self.configuration = configuration
    DemandChanges.add(self)
  }

  deinit {
    DemandChanges.remove(self)
    for worker in idle { worker.end() }
  }

  /// Sends a request to a worker, and waits for the answer.
  package func answer<Answer>(to call: WorkerCall<Answer>) throws(WorkerEnd) -> Answer {
    var isRepeated = false
    while true {
      let worker = try checkOut(isBrief: call.isBrief, fresh: isRepeated)
      let hasServed = worker.requests > 0
      switch worker.serve(call) {
      case .answered(let answer):
        checkIn(worker)
        return answer
      case .ended(let end):
        remove(end)
        let mayBeCausedByAnotherFile =
          call.descriptors.count == 1 && (hasServed || end.wasKilledByAnotherProcess)
        guard mayBeCausedByAnotherFile, !isRepeated, !end.isOverLimit else { throw end }
        isRepeated = true
      }
    }
  }

  /// Starts a worker if there is none. Returns the reason if none can be started.
  package func probe() -> WorkerEnd? {
    do throws(WorkerEnd) {
      // All later calls depend on the result, and therefore the caller's demand is ignored.
      let worker = try WorkDemand.following(
        { .seen }, { () throws(WorkerEnd) in try checkOut(isBrief: false, fresh: false) })
      guard let end = worker.waitUntilReady() else {
        checkIn(worker)
        return nil
      }
      remove(end)
      return end
    } catch { return error }
  }

  /// Starts a worker for each processor, without waiting for any of them.
  package func startAll() {
    condition.withLock {
      startKeeperIfNeeded()
      while !isEnded, count < configuration.width { _ = askForStart() }
    }
  }

  /// The idle workers' processes, for tests.
  package var idleProcesses: [pid_t] { condition.withLock { idle.map(\.pid) } }

  /// Whether replies are copied out of each idle worker's memory.
  package var idleReadMemory: [Bool] { condition.withLock { idle.map(\.readsMemory) } }

  /// The number of workers that serve a request.
  package var busyCount: Int { condition.withLock { busy } }

  /// The number of calls that wait for a worker.
  package var waitingCount: Int { condition.withLock { waiting.reduce(0, +) } }

  /// The number of workers that exist or are being started.
  package var workerCount: Int { condition.withLock { count } }

  /// The number of calls of a precedence that wait for a worker.
  func waitingCount(_ precedence: WorkerPrecedence) -> Int { condition.withLock { waiting[precedence.rawValue] } }

  /// The latest hundred ends of workers during a request.
  package var latestEnds: [WorkerEnd] { condition.withLock { ends } }

  /// Ends all workers. Later calls fail.
  package func end() {
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

  private func checkOut(isBrief: Bool, fresh: Bool) throws(WorkerEnd) -> Worker {
    var surplus: [Worker] = []
    var change = DemandChanges.latest
    var demand = WorkDemand.current
    var precedence = WorkerPrecedence(isBrief: isBrief, demand)
    condition.lock()
    waiting[precedence.rawValue] += 1
    defer {
      waiting[precedence.rawValue] -= 1
      // Calls of lower precedence check again.
      if waiting.contains(where: { $0 > 0 }) { condition.broadcast() }
      condition.unlock()
      for worker in surplus { worker.end() }
    }
    startKeeperIfNeeded()
    var asked: Int?
    while true {
      let most = precedence.mostBusy(width: configuration.width)
      guard !isEnded else { throw WorkerEnd(.couldNotStart(ECANCELED)) }
      if busy < most, !waiting[(precedence.rawValue + 1)...].contains(where: { $0 > 0 }) {
        // The latest goes first: its memory is in the caches, and the others may reach their idle
        // limit.
        if let index = idle.lastIndex(where: { !fresh || $0.requests == 0 }) {
          busy += 1
          return idle.remove(at: index)
        }
        let failure = startFailure.flatMap { failure in asked.map { $0 <= failure.number } == true ? failure.end : nil
        }
        // Busy workers will become idle, but none of them is fresh.
        if let failure, count == 0 || fresh { throw failure }
        guard demand != .none else { throw WorkerEnd(.noDemand) }
        if fresh, count >= most, wanted == 0, let used = idle.popLast() {
          surplus.append(used)
          count -= 1
        }
        if count < most, failure == nil, asked == nil || wanted == 0 { asked = askForStart() }
      }
      guard demand != .none else { throw WorkerEnd(.noDemand) }
      if change == DemandChanges.latest { condition.wait() }
      guard change != DemandChanges.latest else { continue }
      // The request may have come to the screen or left it. The closure may take locks of its own,
      // and is called without this one.
      change = DemandChanges.latest
      condition.unlock()
      demand = .current
      condition.lock()
      let former = precedence
      precedence = WorkerPrecedence(isBrief: isBrief, demand)
      waiting[former.rawValue] -= 1
      waiting[precedence.rawValue] += 1
      // Calls that stood behind this one may go now.
      if precedence < former { condition.broadcast() }
    }
  }

  /// Lets the waiting calls ask for their demand again.
  func demandHasChanged() {
    condition.withLock { if waiting.contains(where: { $0 > 0 }) { condition.broadcast() } }
  }

  private func startKeeperIfNeeded() {
    guard !hasKeeper else { return }
    hasKeeper = true
    Thread.detachNewThread { self.keep() }
  }

  private func askForStart() -> Int {
    count += 1
    wanted += 1
    lastStart += 1
    work.signal()
    return lastStart
  }

  private func checkIn(_ worker: Worker) {
    let mustBeReplaced =
      configuration.loadsDecoders && worker.files >= configuration.fileLimitPerWorker
      // This is checked after every eighth request, because it takes as long as a small picture.
      || worker.requests % 8 == 0 && worker.residentByteCount ?? 0 > configuration.idleByteLimit
    let now = configuration.now()
    let isReusable = condition.withLock {
      busy -= 1
      if waiting.contains(where: { $0 > 0 }) { condition.broadcast() }
      guard mustBeReplaced || isEnded else {
        worker.rest(since: now)
        idle.append(worker)
        return true
      }
      count -= 1
      return false
    }
    if !isReusable { worker.end() }
  }

  /// Removes a worker whose process has ended from the counts.
  private func remove(_ end: WorkerEnd) {
    condition.withLock {
      ends = Array((ends + [end]).suffix(100))
      busy -= 1
      count -= 1
      condition.broadcast()
    }
  }

  // MARK: Keeper

  /// Starts workers, and ends those that have been idle for long. The kernel kills a child when the
  /// thread that started it ends. This method therefore runs on a thread that exists as long as the
  /// pool.
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

  /// The number of the next start.
  private var nextStart: Int? { wanted > 0 && !isEnded ? lastStart - wanted + 1 : nil }

  private func start(_ number: Int) {
    let started = Result { () throws(WorkerEnd) in try Worker(configuration) }
    condition.withLock {
      wanted -= 1
      switch started {
      // The pool has ended, and no call will use this worker.
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
    let latest = configuration.now() - .seconds(configuration.idleSeconds)
    let old = condition.withLock {
      let old = idle.filter { $0.idleSince < latest || $0.isActiveWhileIdle }
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

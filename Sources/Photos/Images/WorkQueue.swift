import Dispatch
import Synchronization

/// Works off jobs with a few threads: what is seen before what is preheated, and otherwise in the order in which it came.
///
///     let job = queue.add(.preheated) { … }
///     queue.raise(job)                  // it is on the screen now
///     if queue.drop(job) { … }          // it had not begun, and never will
final class WorkQueue: Sendable {
  enum Urgency: Sendable { case preheated, seen }

  /// One thing to do, once.
  final class Job: Sendable {
    private let work: Mutex<(@Sendable () -> Void)?>

    fileprivate init(_ work: @escaping @Sendable () -> Void) { self.work = Mutex(work) }

    /// What is to be done; `nil` once somebody has taken it.
    fileprivate func take() -> (@Sendable () -> Void)? { work.withLock { $0.take() } }
  }

  /// One thread is left to what is seen: a preheated picture may take a second.
  private let preheatingWidth: Int
  /// Serial ones: they get a thread at once (up to 255 in all), where all concurrent queues together have as many as there are
  /// processors, and jobs that wait for a worker hold them.
  private let threads: [DispatchQueue]
  private let state: Mutex<State>

  private struct State {
    var seen = Line<Job>()
    var preheated = Line<Job>()
    /// The threads that have nothing to do.
    var idle: [Int]
    var preheating = 0
  }

  /// For requests that wait, read a file or call a program's handlers.
  ///
  /// The global queues have about as many threads as there are processors, and Swift's tasks run on them: who waits there holds up a
  /// whole program.
  static let requests = WorkQueue(width: 32)

  init(width: Int) {
    let width = max(1, width)
    threads = (0..<width).map { _ in DispatchQueue(label: "calotype.work") }
    state = Mutex(State(idle: Array(0..<width)))
    preheatingWidth = max(1, width - 1)
  }

  @discardableResult
  func add(_ urgency: Urgency, _ work: @escaping @Sendable () -> Void) -> Job {
    let job = Job(work)
    enqueue(job, urgency)
    return job
  }

  /// What is being worked on already stays as it is.
  func raise(_ job: Job) { enqueue(job, .seen) }

  /// Does it on the thread that calls, unless it has begun.
  func perform(_ job: Job) { job.take()?() }

  /// Whether the job had not begun; then it never will.
  func drop(_ job: Job) -> Bool { job.take() != nil }

  private func enqueue(_ job: Job, _ urgency: Urgency) {
    let thread = state.withLock { state in
      switch urgency {
      case .seen: state.seen.append(job)
      case .preheated: state.preheated.append(job)
      }
      return state.idle.popLast()
    }
    if let thread { threads[thread].async { self.work(on: thread) } }
  }

  /// Until nothing is left that this thread may do.
  private func work(on thread: Int) {
    while let (urgency, work) = next(on: thread) {
      work()
      if urgency == .preheated { state.withLock { $0.preheating -= 1 } }
    }
  }

  private func next(on thread: Int) -> (Urgency, @Sendable () -> Void)? {
    state.withLock { state in
      while let job = state.seen.popFirst() {
        if let work = job.take() { return (.seen, work) }
      }
      while state.preheating < preheatingWidth, let job = state.preheated.popFirst() {
        guard let work = job.take() else { continue }
        state.preheating += 1
        return (.preheated, work)
      }
      state.idle.append(thread)
      return nil
    }
  }
}

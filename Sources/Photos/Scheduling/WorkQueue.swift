import Foundation
import Synchronization

/// Runs jobs on a few threads: visible ones before preheated ones, and otherwise in the order in
/// which they were added.
///
///     let job = queue.add(.preheated) { … }
///     queue.raise(job)                  // its image is on the screen now
///     if queue.drop(job) { … }          // the job had not begun, and never will
final class WorkQueue: Sendable {
  enum Urgency: Sendable { case preheated, seen }

  /// A closure that runs at most once.
  final class Job: Sendable {
    private let work: Mutex<(@Sendable () -> Void)?>

    init(_ work: @escaping @Sendable () -> Void) { self.work = Mutex(work) }

    /// Returns the closure the first time, then nil.
    fileprivate func take() -> (@Sendable () -> Void)? { work.withLock { $0.take() } }
  }

  /// The number of threads for preheated jobs, which may take a second. One thread is left for
  /// visible jobs.
  private let preheatingWidth: Int
  /// Serial queues, which get a thread at once (up to 255 in all). All concurrent queues together
  /// have as many threads as there are processors, and jobs that wait for a worker would block
  /// them.
  private let threads: [DispatchQueue]
  private let state: Mutex<State>

  private struct State {
    var seen = FIFOQueue<Job>()
    var preheated = FIFOQueue<Job>()
    /// The threads without a job.
    var idle: [Int]
    var preheating = 0
  }

  /// The queue for requests that wait, read a file or call a program's handlers.
  ///
  /// The global queues have about as many threads as there are processors, and Swift's tasks run on
  /// them: a job that waits there delays the whole program.
  static let requests = WorkQueue(width: 32)

  /// The queue for inputs of edits. An input may need a new picture, so several are made at once.
  static let editingInputs = WorkQueue(width: max(2, ProcessInfo.processInfo.activeProcessorCount))

  init(width: Int) {
    let width = max(1, width)
    threads = (0..<width).map { _ in DispatchQueue(label: "calotype.work") }
    state = Mutex(State(idle: Array(0..<width)))
    preheatingWidth = max(1, width - 1)
  }

  /// Whether no job waits or runs.
  var isIdle: Bool { state.withLock { $0.idle.count == threads.count } }

  @discardableResult
  func add(_ urgency: Urgency, _ work: @escaping @Sendable () -> Void) -> Job {
    let job = Job(work)
    enqueue(job, urgency)
    return job
  }

  /// Runs work for a task, whose thread is free meanwhile.
  func value<Value: Sendable>(_ work: @escaping @Sendable () throws -> Value) async throws -> Value {
    try await withCheckedThrowingContinuation { continuation in
      add(.seen) { continuation.resume(with: Result(catching: work)) }
    }
  }

  /// Makes a job visible. Has no effect on a job that has begun.
  func raise(_ job: Job) { enqueue(job, .seen) }

  /// Runs a job on the calling thread, unless it has begun.
  func perform(_ job: Job) { job.take()?() }

  /// Drops a job. Returns false if it has begun.
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

  /// Runs jobs until none is left for this thread.
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

import Foundation

/// The demand for the result of the work that a thread does.
///
///     try WorkDemand.following({ request.isOnTheScreen ? .seen : .background }) {
///       try makePicture(of: file, metadata: metadata, request)
///     }
///
/// The demand outside `following` is `.seen`.
public enum WorkDemand: Sendable {
  /// The result is no longer wanted. A call that has to wait fails, and a worker is killed after
  /// two seconds of work: by then most results are ready, and worth keeping.
  case none
  /// The result is for later (preheating, imports): calls for the screen go first.
  case background
  /// The result is awaited on the screen.
  case seen

  private final class Question {
    let ask: () -> WorkDemand
    init(_ ask: @escaping () -> WorkDemand) { self.ask = ask }
  }

  /// The thread's closure. (A task-local closure crashed in optimized code outside of tasks, with
  /// Swift 6.3.)
  private static let key: pthread_key_t = {
    var key = pthread_key_t()
    guard pthread_key_create(&key, nil) == 0 else { preconditionFailure("there are no more keys for threads") }
    return key
  }()

  /// Calls `work`. While this thread waits for a worker, calls `demand` first and after each
  /// `announceChange`; while a worker works for it, a few times a second.
  public static func following<Result, Failure>(
    _ demand: @escaping () -> WorkDemand, _ work: () throws(Failure) -> Result
  ) throws(Failure) -> Result {
    let question = Question(demand)
    let outer = pthread_getspecific(key)
    pthread_setspecific(key, Unmanaged.passUnretained(question).toOpaque())
    defer { pthread_setspecific(key, outer) }
    return try withExtendedLifetime(question) { () throws(Failure) in try work() }
  }

  /// The demand for the current thread's work.
  public static var current: WorkDemand {
    guard let question = pthread_getspecific(key) else { return .seen }
    return Unmanaged<Question>.fromOpaque(question).takeUnretainedValue().ask()
  }

  /// Lets all calls that wait for a worker ask for their demand again. Call it after a closure's
  /// answer has changed, and not under a lock that the closure takes.
  public static func announceChange() { DemandChanges.announce() }
}

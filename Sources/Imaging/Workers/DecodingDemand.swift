import Foundation

/// How much a picture that is being decoded is wanted.
///
///     try DecodingDemand.following({ request.isOnTheScreen ? .seen : .background }) {
///       try makePicture(of: file, metadata: metadata, request)
///     }
///
/// Outside of `following` it is `.seen`.
public enum DecodingDemand: Sendable {
  /// Nobody waits for it any more. A worker that has been at it for two seconds is ended: by then most pictures are done, and kept
  /// where they are renditions. What waits for its turn gives up when that comes.
  case none
  /// It is done ahead or for later (preheating, imports): it leaves a worker to what is seen, and waits for it.
  case background
  /// Somebody looks at where it is to come.
  case seen

  static let patience = Duration.seconds(2)

  private final class Question {
    let ask: () -> DecodingDemand
    init(_ ask: @escaping () -> DecodingDemand) { self.ask = ask }
  }

  /// The thread's question. (A task local that holds a function crashed in optimised code outside of tasks, with Swift 6.3.)
  private static let key: pthread_key_t = {
    var key = pthread_key_t()
    guard pthread_key_create(&key, nil) == 0 else { preconditionFailure("there are no more keys for threads") }
    return key
  }()

  /// Decodes as `demand` has it, which is asked a few times a second by the thread that waits for a worker: this one.
  public static func following<Result, Failure>(
    _ demand: @escaping () -> DecodingDemand, _ decode: () throws(Failure) -> Result
  ) throws(Failure) -> Result {
    let question = Question(demand)
    let outer = pthread_getspecific(key)
    pthread_setspecific(key, Unmanaged.passUnretained(question).toOpaque())
    defer { pthread_setspecific(key, outer) }
    return try withExtendedLifetime(question) { () throws(Failure) in try decode() }
  }

  /// How much that is wanted which this thread does now.
  public static var current: DecodingDemand {
    guard let question = pthread_getspecific(key) else { return .seen }
    return Unmanaged<Question>.fromOpaque(question).takeUnretainedValue().ask()
  }
}

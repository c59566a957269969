import Foundation

/// Whether anybody still waits for what a thread decodes.
///
///     try DecodingDemand.whileAny({ !request.isCancelled }) { try makePicture(of: file, metadata: metadata, request) }
///
/// Where nobody does, a worker that has been at it for two seconds is ended: by then most pictures are done, and kept where they
/// are renditions.
public enum DecodingDemand {
  static let patience = Duration.seconds(2)

  private final class Question {
    let isThere: () -> Bool
    init(_ isThere: @escaping () -> Bool) { self.isThere = isThere }
  }

  /// The thread's question. (A task local that holds a function crashed in optimised code outside of tasks, with Swift 6.3.)
  private static let key: pthread_key_t = {
    var key = pthread_key_t()
    guard pthread_key_create(&key, nil) == 0 else { preconditionFailure("there are no more keys for threads") }
    return key
  }()

  /// Decodes as long as `isThere`, which is asked ten times a second by the thread that waits for the worker: this one.
  public static func whileAny<Result>(_ isThere: @escaping () -> Bool, _ decode: () throws -> Result) rethrows -> Result
  {
    let question = Question(isThere)
    let outer = pthread_getspecific(key)
    pthread_setspecific(key, Unmanaged.passUnretained(question).toOpaque())
    defer { pthread_setspecific(key, outer) }
    return try withExtendedLifetime(question, decode)
  }

  /// Whether anybody waits for what this thread does now.
  public static var isThere: Bool {
    guard let question = pthread_getspecific(key) else { return true }
    return Unmanaged<Question>.fromOpaque(question).takeUnretainedValue().isThere()
  }
}

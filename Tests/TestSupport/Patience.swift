import Dispatch
import Foundation
import Synchronization
import Testing

/// The limit of every wait of a test. A test that passes never waits for it.
public enum Patience {
  /// A minute, times `CALOTYPE_TEST_PATIENCE`.
  public static let long: Duration = .seconds(60 * factor)

  private static let factor =
    ProcessInfo.processInfo.environment["CALOTYPE_TEST_PATIENCE"].flatMap { Double($0) } ?? 1

  /// The time between two looks at a condition.
  static let interval: Duration = .milliseconds(5)
}

/// The error of a wait that reached its limit.
public struct WaitedInVain: Error, CustomStringConvertible {
  public let description: String

  public init(_ what: String, within limit: Duration) { description = "waited \(limit) in vain for \(what)" }
}

/// Returns the answer of a function with a completion handler.
///
///     let data = try await answer("the image's data") { done in
///       PHImageManager.default().requestImageDataAndOrientation(for: asset, options: nil) { data, _, _, _ in done(data) }
///     }
///
/// Throws an error that names `what` if no answer comes. Ignores all answers but the first.
public func answer<Answer>(
  _ what: String, within limit: Duration = Patience.long, isolation: isolated (any Actor)? = #isolation,
  _ begin: (@escaping @Sendable (sending Answer) -> Void) throws -> Void
) async throws -> sending Answer {
  try await withCheckedThrowingContinuation(isolation: isolation) { continuation in
    let waiting = Waiting(continuation)
    // The queue has a thread of its own, so that other tests' blocked threads don't delay it.
    DispatchQueue(label: "Patience", qos: .userInteractive).asyncAfter(deadline: .now() + limit.seconds) {
      waiting.take()?.resume(throwing: WaitedInVain(what, within: limit))
    }
    do {
      try begin { waiting.take()?.resume(returning: $0) }
    } catch {
      waiting.take()?.resume(throwing: error)
    }
  }
}

/// A continuation that is resumed once.
private final class Waiting<Answer>: Sendable {
  private let continuation: Mutex<CheckedContinuation<Answer, any Error>?>

  init(_ continuation: CheckedContinuation<Answer, any Error>) { self.continuation = Mutex(continuation) }

  func take() -> CheckedContinuation<Answer, any Error>? {
    continuation.withLock { continuation in
      defer { continuation = nil }
      return continuation
    }
  }
}

/// Waits until a condition is true. Throws an error that names `what` if it stays false.
public func eventually(
  _ what: String, within limit: Duration = Patience.long, isolation: isolated (any Actor)? = #isolation,
  _ condition: () async throws -> Bool
) async throws {
  let end = ContinuousClock.now + limit
  while try await !condition() {
    guard ContinuousClock.now < end else { throw WaitedInVain(what, within: limit) }
    try await Task.sleep(for: Patience.interval)
  }
}

/// Waits until a condition is true, without leaving the thread. Throws an error that names `what`
/// if it stays false.
///
/// Asynchronous code calls the other function, which the compiler would otherwise choose only for
/// asynchronous conditions.
@_disfavoredOverload
public func eventually(_ what: String, within limit: Duration = Patience.long, _ condition: () throws -> Bool) throws {
  let end = ContinuousClock.now + limit
  while try !condition() {
    guard ContinuousClock.now < end else { throw WaitedInVain(what, within: limit) }
    usleep(UInt32(Patience.interval.seconds * 1_000_000))
  }
}

extension DispatchSemaphore {
  /// Waits for a signal. Fails the test, and goes on, if none comes.
  public func waits(
    for what: String, within limit: Duration = Patience.long, at location: SourceLocation = #_sourceLocation
  ) {
    guard wait(timeout: .now() + limit.seconds) == .timedOut else { return }
    Issue.record(WaitedInVain(what, within: limit), sourceLocation: location)
  }
}

extension Duration {
  var seconds: Double { Double(components.seconds) + Double(components.attoseconds) / 1e18 }
}

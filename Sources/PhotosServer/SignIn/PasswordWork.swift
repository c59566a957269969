import Foundation

/// Runs password checks: at most two at once, with eight more in a queue.
///
/// A check takes 64 MB. Without the limit, requests could use up the memory. The threads are not
/// those of `Blocking`, which would keep other requests waiting.
actor PasswordWork {
  private var running = 0
  private var waiting: [CheckedContinuation<Void, Never>] = []

  private static let queue = DispatchQueue(label: "calotype.passwords", attributes: .concurrent)
  static let runningLimit = 2
  static let waitingLimit = 8

  /// The number of checks that run or wait.
  var count: Int { running + waiting.count }

  func run<Value: Sendable>(_ body: @escaping @Sendable () throws -> Value) async throws -> Value {
    if running < Self.runningLimit {
      running += 1
    } else {
      guard waiting.count < Self.waitingLimit else { throw SignInError.tooManyChecks }
      // The check that ends passes its place on.
      await withCheckedContinuation { waiting.append($0) }
    }
    defer { if waiting.isEmpty { running -= 1 } else { waiting.removeFirst().resume() } }
    return try await withCheckedThrowingContinuation { continuation in
      Self.queue.async { continuation.resume(with: Result(catching: body)) }
    }
  }
}

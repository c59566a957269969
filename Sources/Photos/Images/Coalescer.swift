import Foundation

/// Runs work that takes processor time off the callers' threads: only so much at once, and once for all who ask
/// for the same thing at the same time.
actor Coalescer<Key: Hashable & Sendable, Value: Sendable> {
  private let queue = OperationQueue()
  private var running: [Key: Task<Value, any Error>] = [:]

  init(width: Int) { queue.maxConcurrentOperationCount = width }

  func value(for key: Key, _ work: @escaping @Sendable () throws -> Value) async throws -> Value {
    if let task = running[key] { return try await task.value }
    let task = Task {
      try await withCheckedThrowingContinuation { [queue] continuation in
        queue.addOperation { continuation.resume(with: Result(catching: work)) }
      }
    }
    running[key] = task
    defer { running[key] = nil }
    return try await task.value
  }
}

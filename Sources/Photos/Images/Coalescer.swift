import Foundation

/// Runs work that takes processor time off the callers' threads: as much at once as there are cores, and once for all who ask
/// for the same thing at the same time.
actor Coalescer<Key: Hashable & Sendable, Value: Sendable> {
  private var running: [Key: Task<Value, any Error>] = [:]

  func value(for key: Key, _ work: @escaping @Sendable () throws -> Value) async throws -> Value {
    if let task = running[key] { return try await task.value }
    let task = Task {
      try await withCheckedThrowingContinuation { continuation in
        imageQueue.addOperation { continuation.resume(with: Result(catching: work)) }
      }
    }
    running[key] = task
    defer { running[key] = nil }
    return try await task.value
  }
}

private let imageQueue: OperationQueue = {
  let queue = OperationQueue()
  queue.name = "PHImageManager"
  queue.maxConcurrentOperationCount = ProcessInfo.processInfo.activeProcessorCount
  return queue
}()

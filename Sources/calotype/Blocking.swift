import Foundation
import Synchronization

/// Runs asynchronous work and blocks the thread of the command until it ends.
enum Blocking {
  /// Returns the result of the work. Control-C cancels the task if the command watches for it.
  static func run<Value: Sendable>(_ work: @escaping @Sendable () async throws -> Value) throws -> Value {
    let result = Mutex<Result<Value, any Error>?>(nil)
    let done = DispatchSemaphore(value: 0)
    let task = Task {
      do {
        let value = try await work()
        result.withLock { $0 = .success(value) }
      } catch { result.withLock { $0 = .failure(error) } }
      done.signal()
    }
    while done.wait(timeout: .now() + .milliseconds(100)) == .timedOut {
      if Interruption.isCancelled { task.cancel() }
    }
    guard let result = result.withLock({ $0 }) else { throw CommandError("the work ended without a result") }
    return try result.get()
  }
}

import Foundation
import Synchronization

/// Runs asynchronous work on behalf of a command. The command's thread serves the main queue until
/// the work ends, since requests for images call their handlers there.
enum AsyncWork {
  /// Returns the result of the work. Control-C cancels the task if the command watches for it.
  static func run<Value: Sendable>(_ work: @escaping @Sendable () async throws -> Value) throws -> Value {
    let result = Mutex<Result<Value, any Error>?>(nil)
    let task = Task {
      do {
        let value = try await work()
        result.withLock { $0 = .success(value) }
      } catch { result.withLock { $0 = .failure(error) } }
      // Ends the wait of the run loop.
      DispatchQueue.main.async {}
    }
    while true {
      if let result = result.withLock({ $0 }) { return try result.get() }
      if Interruption.isCancelled { task.cancel() }
      _ = RunLoop.main.run(mode: .default, before: .now + 0.1)
    }
  }
}

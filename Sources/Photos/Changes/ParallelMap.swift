import Foundation
import Synchronization

extension Array where Element: Sendable {
  /// Returns the results of `transform` in the elements' order. Runs on up to `width` threads.
  /// Throws the first error, after which no more elements are begun.
  func parallelMap<Result: Sendable>(
    width: Int, _ transform: @escaping @Sendable (Element) throws -> Result
  ) throws -> [Result] {
    let state = Mutex(ParallelMapState<Result>())
    DispatchQueue.concurrentPerform(iterations: Swift.min(width, count)) { _ in
      while let index = state.withLock({ state -> Int? in
        guard state.failure == nil, state.next < count else { return nil }
        defer { state.next += 1 }
        return state.next
      }) {
        do {
          let result = try transform(self[index])
          state.withLock { $0.results[index] = result }
        } catch {
          state.withLock { $0.failure = $0.failure ?? error }
        }
      }
    }
    return try state.withLock { state in
      if let failure = state.failure { throw failure }
      return indices.compactMap { state.results[$0] }
    }
  }
}

private struct ParallelMapState<Result> {
  var next = 0
  var results: [Int: Result] = [:]
  var failure: (any Error)?
}

import Dispatch
import Foundation

/// Runs readings whose predicates have patterns one after another, so that they take no thread from
/// other requests.
enum PatternQueue {
  /// The time in seconds in which a reading has to match its patterns. A pattern can be such that
  /// one text would take hours.
  static let limit = 2.0

  private static let queue = DispatchQueue(label: "calotype.patterns")

  /// Returns whether a predicate has a pattern.
  static func isFor(_ predicate: String?) -> Bool { predicate?.contains(/\b(LIKE|MATCHES)\b/.ignoresCase()) == true }

  /// Runs work that reads what these predicates describe where it may block.
  static func run<Value: Sendable>(
    _ predicates: [String?], _ work: @escaping @Sendable () throws -> Value
  ) async throws -> Value {
    guard predicates.contains(where: isFor) else { return try await Blocking.run(work) }
    return try await withCheckedThrowingContinuation { continuation in
      queue.async { continuation.resume(with: Result { try work() }) }
    }
  }
}

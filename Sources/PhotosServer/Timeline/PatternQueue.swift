import Dispatch
import Foundation
import Photos
import Synchronization

/// Runs readings with costly predicates one after another, so that they take no thread from other
/// requests. The owner and the clients take turns.
final class PatternQueue: Sendable {
  static let shared = PatternQueue()

  /// The time in seconds in which a reading has to match its patterns. A pattern can be such that
  /// one text would take hours.
  static let limit = 2.0

  /// The number of readings of one client that may wait.
  static let longest = 16

  private let queue = DispatchQueue(label: "calotype.patterns")
  private let turns = Mutex(Turns())

  /// The readings that wait, by asker. The asker whose turn is next comes first.
  private struct Turns: Sendable {
    typealias Reading = @Sendable () -> Void
    private var askers: [(identifier: [UInt8]?, readings: [Reading])] = []

    var count: Int { askers.reduce(0) { $0 + $1.readings.count } }

    /// Adds a reading. Returns false if too many of the client wait.
    mutating func add(_ reading: @escaping Reading, for client: LibraryClient?) -> Bool {
      // Equal strings may differ in their bytes, and then stand for two clients.
      let identifier = client.map { Array($0.identifier.utf8) }
      guard let asker = askers.firstIndex(where: { $0.identifier == identifier }) else {
        askers.append((identifier, [reading]))
        return true
      }
      guard client == nil || askers[asker].readings.count < longest else { return false }
      askers[asker].readings.append(reading)
      return true
    }

    /// Takes the next reading. The next turn is another asker's.
    mutating func next() -> Reading? {
      guard !askers.isEmpty else { return nil }
      var asker = askers.removeFirst()
      let reading = asker.readings.removeFirst()
      if !asker.readings.isEmpty { askers.append(asker) }
      return reading
    }
  }

  /// The number of readings that wait.
  var waitingCount: Int { turns.withLock(\.count) }

  /// The number of bytes up to which an owner's predicate without patterns is cheap.
  private static let cheapLength = 1000

  /// Returns whether a reading with a predicate waits for its turn: each of a client, since many
  /// short predicates are as costly as a long one, and the owner's if it has a pattern or is long.
  static func isFor(_ predicate: String?, of client: LibraryClient?) -> Bool {
    guard let predicate else { return false }
    return client != nil || predicate.utf8.count > cheapLength || hasPattern(predicate)
  }

  private static func hasPattern(_ predicate: String) -> Bool {
    // The parser of predicates also takes the letter ſ for S, and the kelvin sign for K. A pattern
    // written with them would not wait.
    predicate.uppercased().lowercased().contains(/\b(like|matches)\b/)
  }

  /// Runs work on a thread that may block. Work with a costly predicate waits for its turn.
  ///
  /// `client` is the client that asks; `nil` for the owner. Throws 429 if too many readings of the
  /// client wait.
  func run<Value: Sendable>(
    _ predicates: [String?], for client: LibraryClient?, _ work: @escaping @Sendable () throws -> Value
  ) async throws -> Value {
    guard predicates.contains(where: { Self.isFor($0, of: client) }) else { return try await Blocking.run(work) }
    return try await withCheckedThrowingContinuation { continuation in
      let isAdded = turns.withLock {
        $0.add({ continuation.resume(with: Result { try work() }) }, for: client)
      }
      guard isAdded else {
        continuation.resume(
          throwing: Failure(
            .tooManyRequests,
            "too many requests with costly predicates are waiting; try again in \(Int(Self.limit)) seconds",
            [.retryAfter: String(Int(Self.limit))]))
        return
      }
      queue.async { [self] in turns.withLock { $0.next() }?() }
    }
  }
}

import Synchronization

/// Limits the number of pictures that are made for single requests, since each is in memory until
/// its client has received it.
///
/// Two pictures are decoded and encoded at once. Others wait.
final class PictureWork: Sendable {
  /// The number of pictures that wait, are made or are sent.
  static let limit = 32
  /// The part of `limit` that one person, client or picker may use.
  static let limitOfAsker = 8
  static let runningLimit = 2

  private struct State {
    var counts: [String: Int] = [:]
    var running = 0
    var waiting: [CheckedContinuation<Void, Never>] = []
  }

  private let state = Mutex(State())

  /// A reservation for one picture. It ends with the object.
  final class Place: Sendable {
    private let work: PictureWork
    private let asker: String

    fileprivate init(in work: PictureWork, for asker: String) {
      self.work = work
      self.asker = asker
    }

    deinit { work.end(asker) }
  }

  /// Takes a place for a picture. Throws 429 if there are too many.
  func begin(for asker: String) throws -> Place {
    try state.withLock { state in
      let count = state.counts[asker] ?? 0
      guard count < Self.limitOfAsker, state.counts.values.reduce(0, +) < Self.limit else {
        throw Failure(
          .tooManyRequests, "too many pictures are made at once; try again in a moment", [.retryAfter: "1"])
      }
      state.counts[asker] = count + 1
    }
    return Place(in: self, for: asker)
  }

  private func end(_ asker: String) {
    state.withLock { state in
      let count = state.counts[asker] ?? 0
      state.counts[asker] = count > 1 ? count - 1 : nil
    }
  }

  /// Runs work as soon as fewer than `runningLimit` pieces run. A canceled task does not start it.
  func run<Value: Sendable>(_ body: () async throws -> Value) async throws -> Value {
    await withCheckedContinuation { continuation in
      let isFree = state.withLock { state in
        guard state.running < Self.runningLimit else {
          state.waiting.append(continuation)
          return false
        }
        state.running += 1
        return true
      }
      if isFree { continuation.resume() }
    }
    defer {
      // Work that ends passes its turn on.
      let next = state.withLock { state -> CheckedContinuation<Void, Never>? in
        guard state.waiting.isEmpty else { return state.waiting.removeFirst() }
        state.running -= 1
        return nil
      }
      next?.resume()
    }
    try Task.checkCancellation()
    return try await body()
  }
}

import Foundation
import Synchronization

/// Limits the number of pictures that are made for single requests, since each is in memory until
/// its client has received it.
///
/// Two pictures are decoded and encoded at once. Others wait. Edits are limited in the same way.
final class PictureWork: Sendable {
  /// The number of pictures that wait, are made or are sent.
  static let limit = 32
  /// The part of `limit` that one person, client or picker may use.
  static let limitOfAsker = 8
  static let runningLimit = 2

  private struct State {
    var counts: [String: Int] = [:]
    var running = 0
    /// The tasks that wait. Each gets true when its turn comes, or false if it is canceled.
    var waiting: [(id: UUID, continuation: CheckedContinuation<Bool, Never>)] = []
  }

  private let state = Mutex(State())
  private let name: String

  /// `name` is the word for the results in the answer to a refused request.
  init(of name: String = "pictures") { self.name = name }

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
          .tooManyRequests, "too many \(name) are made at once; try again in a moment", [.retryAfter: "1"])
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
    guard await hasTurn() else { throw CancellationError() }
    defer {
      // Work that ends passes its turn on.
      let next = state.withLock { state -> CheckedContinuation<Bool, Never>? in
        guard state.waiting.isEmpty else { return state.waiting.removeFirst().continuation }
        state.running -= 1
        return nil
      }
      next?.resume(returning: true)
    }
    try Task.checkCancellation()
    return try await body()
  }

  /// Waits for a turn. Returns false as soon as the task is canceled, because the work before it
  /// can take minutes.
  private func hasTurn() async -> Bool {
    let id = UUID()
    return await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let answer = state.withLock { state -> Bool? in
          // The handler below may have run already.
          guard !Task.isCancelled else { return false }
          guard state.running < Self.runningLimit else {
            state.waiting.append((id, continuation))
            return nil
          }
          state.running += 1
          return true
        }
        if let answer { continuation.resume(returning: answer) }
      }
    } onCancel: {
      let canceled = state.withLock { state -> CheckedContinuation<Bool, Never>? in
        guard let index = state.waiting.firstIndex(where: { $0.id == id }) else { return nil }
        return state.waiting.remove(at: index).continuation
      }
      canceled?.resume(returning: false)
    }
  }
}

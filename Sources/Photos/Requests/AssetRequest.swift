import Foundation
internal import LibraryStore
import Synchronization

/// A request of a program, from its start to its last answer.
///
///     let request = AssetRequest<Data>(in: requests, of: asset.library) { id, result in … }
///     request.run(on: queue) { try Data(contentsOf: url) }
///
/// - The handler gets answers that are not the last (`send`), and then the last one or an error,
///   once.
/// - If the request was canceled before, the last call is the error `userCancelled`.
final class AssetRequest<Answer: Sendable>: Sendable {
  let id: Int32
  let cancellation: Cancellation
  /// The work that is under way for the request. It is canceled with the last answer.
  let work = Cancellation()
  let originalFetch: OriginalFetch
  private let requests: RunningRequests
  private let handler: ResultHandler<Int32, Result<Answer, PHPhotosError>>
  private let isFinished = Mutex(false)

  /// Begins a request. `originalFetch` returns the way in which a request with this id fetches
  /// originals.
  init(
    in requests: RunningRequests, of library: PHPhotoLibrary?,
    originalFetch: (Int32) -> OriginalFetch = { _ in OriginalFetch() },
    handler: @escaping (Int32, Result<Answer, PHPhotosError>) -> Void
  ) {
    (id, cancellation) = requests.begin()
    self.requests = requests
    self.originalFetch = originalFetch(id)
    self.handler = ResultHandler(in: library, handler)
  }

  // MARK: Originals

  /// Waits until the original is local.
  func wait(for resource: ResourceRecord, in library: PHPhotoLibrary) throws {
    try originalFetch.wait(for: resource, in: library, cancellation: cancellation)
  }

  /// Calls `next` at once if the original is local. Otherwise fetches it first, on another queue:
  /// that may take long, and reports progress.
  func whenLocal(
    _ resource: @autoclosure @escaping @Sendable () throws -> ResourceRecord, of pictures: AssetPictures,
    _ next: @escaping @Sendable (Result<Void, any Error>) -> Void
  ) {
    guard pictures.isElsewhere(resource) else { return next(.success(())) }
    WorkQueue.requests.add(.seen) { [self] in next(Result { try wait(for: resource(), in: pictures.library) }) }
  }

  // MARK: Work

  /// Makes the answer on a queue, and finishes on the main queue. If the request is canceled before
  /// the work begins, drops it.
  func run(on queue: WorkQueue, _ make: @escaping @Sendable () throws -> Answer) {
    run(on: queue, make) { [self] in finishOnMainQueue($0) }
  }

  /// Like `run`, once the budget has room. `byteCount` returns the size of an answer, for which
  /// `bytes` is a guess.
  func run(
    on queue: WorkQueue, reserving bytes: Int, in budget: MemoryBudget,
    byteCount: @escaping @Sendable (Answer) -> Int, _ make: @escaping @Sendable () throws -> Answer
  ) {
    let waiting = budget.reserve(bytes) { [self] reservation in
      run(on: queue, make) { [self] result in
        budget.adjust(reservation, to: (try? result.get()).map(byteCount) ?? 0)
        DispatchQueue.main.async { [self] in
          finish(result)
          budget.release(reservation)
        }
      }
    }
    cancellation.whenCancelled { [self] in
      if budget.withdraw(waiting) { finishOnMainQueue(.failure(CancellationError())) }
    }
  }

  private func run(
    on queue: WorkQueue, _ make: @escaping @Sendable () throws -> Answer,
    then end: @escaping @Sendable (Result<Answer, any Error>) -> Void
  ) {
    let job = queue.add(.seen) { [cancellation] in end(Result { try cancellation.decoding(make) }) }
    cancellation.whenCancelled { if queue.drop(job) { end(.failure(CancellationError())) } }
  }

  // MARK: Answers

  /// Calls the handler with an answer that is not the last one.
  func send(_ answer: Answer) {
    guard !cancellation.isCancelled, !isFinished.withLock(\.self) else { return }
    handler.call(id, .success(answer))
  }

  /// Finishes on the main queue as soon as the request is canceled, without waiting for the work.
  func finishWhenCancelled() {
    cancellation.whenCancelled { [self] in
      work.cancel()
      finishOnMainQueue(.failure(CancellationError()))
    }
  }

  func finishOnMainQueue(_ result: Result<Answer, any Error>) { DispatchQueue.main.async { self.finish(result) } }

  /// Calls the handler for the last time. Later calls do nothing.
  func finish(_ result: Result<Answer, any Error>) {
    let isFirst = isFinished.withLock { isFinished in
      defer { isFinished = true }
      return !isFinished
    }
    guard isFirst else { return }
    // An answer that was under way when the request was canceled is not delivered.
    let isCancelled = cancellation.close()
    work.cancel()
    requests.end(id)
    handler.call(id, (isCancelled ? .failure(CancellationError()) : result).mapError { PHPhotosError($0) })
  }

  /// Finishes on the caller's thread with the answer that `make` returns. The request can't be
  /// canceled any more.
  func finishSynchronously(_ make: () throws -> Answer) {
    cancellation.close()
    finish(Result { try make() })
  }
}

extension Result {
  /// The error; `nil` if there is none.
  var failure: Failure? { if case .failure(let error) = self { error } else { nil } }
}

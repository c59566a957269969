import Foundation
import Photos
import Synchronization

/// The deletions of clients that wait for the owner's answer.
final class Confirmations: Sendable {
  /// The deletion that one request of a client asks for.
  struct Question: Sendable {
    var id: String
    var client: LibraryClient
    var deletions: [AuthorizationRequest.Deletion]
    var date: Date
    /// Throws if the client's token has ended.
    var checkAsker: @Sendable () async throws -> Void

    /// Whether assets are to be deleted with their files.
    var isPermanent: Bool { deletions.contains { $0.kind == .recentlyDeletedAssets } }
  }

  private struct State {
    var waiting: [String: (question: Question, handler: @Sendable (AuthorizationAnswer) -> Void)] = [:]
    /// The numbers of requests that may ask, by their clients' identifiers.
    var running: [String: Int] = [:]
    /// The latest questions that were answered or withdrawn.
    var finished: [String] = []
  }

  private let state = Mutex(State())
  private let feed: ChangeFeed
  private let access: AccessEvents
  private let clock: @Sendable () -> Date
  private let lifetime: Duration

  /// The largest number of questions of one client. An owner who is away finds few of them.
  private static let limitOfClient = 10
  private static let finishedLimit = 100

  init(
    feed: ChangeFeed, access: AccessEvents, clock: @escaping @Sendable () -> Date, lifetime: Duration = .seconds(600)
  ) {
    self.feed = feed
    self.access = access
    self.clock = clock
    self.lifetime = lifetime
  }

  /// The questions that wait, the oldest one first.
  var waiting: [Question] { state.withLock { $0.waiting.values.map(\.question) }.sorted { $0.date < $1.date } }

  /// Runs the work of one request of a client, with a library that asks the owner's pages about
  /// deletions. Canceling the task withdraws the question. So does the end of the client's token:
  /// `checkAsker` throws then.
  func asking<Value: Sendable>(
    for client: LibraryClient, of library: PHPhotoLibrary, _ checkAsker: @escaping @Sendable () async throws -> Void,
    _ work: @Sendable (PHPhotoLibrary) async throws -> Value
  ) async throws -> Value {
    // Counted before the question is asked, so that simultaneous requests count too.
    let isAdmitted = state.withLock { state -> Bool in
      let count = state.running[client.identifier] ?? 0
      guard count < Self.limitOfClient else { return false }
      state.running[client.identifier] = count + 1
      return true
    }
    guard isAdmitted else {
      throw Failure(
        .tooManyRequests, "\(Self.limitOfClient) deletions of “\(client.name)” wait for the owner", [.retryAfter: "60"])
    }
    defer {
      state.withLock { state in
        let count = (state.running[client.identifier] ?? 1) - 1
        state.running[client.identifier] = count > 0 ? count : nil
      }
    }
    let id = UUID().uuidString
    // Its own queue waits for the answer, and no other request does.
    let asking = library.photoLibrary(for: client)
    asking.authorizationAnswerer = Answerer(confirmations: self, id: id, checkAsker: checkAsker)
    return try await withTaskCancellationHandler {
      try Task.checkCancellation()
      let expiry = Task { [lifetime] in
        try await Task.sleep(for: lifetime)
        finish(id, .unanswered(reason: "the owner has not confirmed the deletion in time"))
      }
      defer { expiry.cancel() }
      let watch = Task { [access] in
        let news = access.stream()
        // The token may have ended before.
        await withdrawIfEnded(id, checkAsker)
        for await event in news {
          switch event {
          // A client may have been forgotten, with its tokens.
          case .ending, .client: await withdrawIfEnded(id, checkAsker)
          case .hiddenLock, .requests: break
          }
        }
      }
      defer { watch.cancel() }
      return try await work(asking)
    } onCancel: {
      finish(id, .unanswered(reason: "the client has left before the owner confirmed the deletion"))
    }
  }

  static func unknown(_ id: String) -> Failure { Failure(.notFound, "there is no confirmation \(id.prefix(100))") }

  /// Answers a question. Throws 404 for an unknown one, and 409 for one that is not open any more.
  func answer(_ id: String, isConfirmed: Bool) async throws {
    // Another process may have ended the token.
    if let question = state.withLock({ $0.waiting[id]?.question }) { await withdrawIfEnded(id, question.checkAsker) }
    let (isWaiting, isFinished) = state.withLock { ($0.waiting[id] != nil, $0.finished.contains(id)) }
    guard isWaiting || isFinished else { throw Self.unknown(id) }
    guard finish(id, isConfirmed ? .confirmed : .refused) else {
      throw Failure(.conflict, "the confirmation \(id) has been answered or withdrawn already")
    }
  }

  fileprivate func ask(_ question: Question, _ handler: @escaping @Sendable (AuthorizationAnswer) -> Void) {
    let isWithdrawn = state.withLock { state in
      guard !state.finished.contains(question.id) else { return true }
      state.waiting[question.id] = (question, handler)
      return false
    }
    if isWithdrawn { handler(.refused) } else { feed.put(.confirmations) }
  }

  /// Withdraws a question if its client's token has ended.
  private func withdrawIfEnded(_ id: String, _ checkAsker: () async throws -> Void) async {
    do { try await checkAsker() } catch let failure as Failure where failure.status == .unauthorized {
      finish(id, .unanswered(reason: "the client's token has ended"))
    } catch {
      // The token could not be checked. The question waits on.
    }
  }

  fileprivate func date() -> Date { clock() }

  /// Ends a question. Returns false if it isn't open.
  @discardableResult
  private func finish(_ id: String, _ answer: AuthorizationAnswer) -> Bool {
    let handler = state.withLock { state in
      if !state.finished.contains(id) { state.finished.append(id) }
      state.finished.removeFirst(max(0, state.finished.count - Self.finishedLimit))
      return state.waiting.removeValue(forKey: id)?.handler
    }
    guard let handler else { return false }
    handler(answer)
    feed.put(.confirmations)
    return true
  }

  /// Passes the deletion of one request on to the owner's pages.
  private struct Answerer: AuthorizationAnswerer {
    let confirmations: Confirmations
    let id: String
    let checkAsker: @Sendable () async throws -> Void

    func answer(
      _ request: AuthorizationRequest, completionHandler: @escaping @Sendable (AuthorizationAnswer) -> Void
    ) {
      guard case .deletion(let deletions) = request.question else {
        return completionHandler(.unanswered(reason: "“\(request.client.name)” has to ask for access first"))
      }
      confirmations.ask(
        Question(
          id: id, client: request.client, deletions: deletions, date: confirmations.date(), checkAsker: checkAsker),
        completionHandler)
    }
  }
}

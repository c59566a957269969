import Foundation
import Synchronization

/// The requests for access that are being answered.
///
/// A client's requests for the same level share one question, however many callers wait for the
/// answer.
final class AuthorizationQuestions: Sendable {
  struct Key: Hashable {
    var client: String
    var level: PHAccessLevel
  }

  struct Outcome: Sendable {
    var status: PHAuthorizationStatus
    /// The reason that there was no answer.
    var problem: String?
  }

  private let waiting = Mutex<[Key: [@Sendable (Outcome) -> Void]]>([:])

  /// Adds a handler for the outcome. Returns whether the caller is the first one and has to ask.
  func join(_ key: Key, _ handler: @escaping @Sendable (Outcome) -> Void) -> Bool {
    waiting.withLock { waiting in
      waiting[key, default: []].append(handler)
      return waiting[key]?.count == 1
    }
  }

  func finish(_ key: Key, _ outcome: Outcome) {
    for handler in waiting.withLock({ $0.removeValue(forKey: key) }) ?? [] { handler(outcome) }
  }
}

/// Passes on the first answer to one request. If the answerer releases its handler without calling
/// it, the answer is `unanswered`.
final class AuthorizationReply: Sendable {
  private let handler: Mutex<(@Sendable (AuthorizationAnswer) -> Void)?>

  init(_ handler: @escaping @Sendable (AuthorizationAnswer) -> Void) { self.handler = Mutex(handler) }

  deinit { give(.unanswered(reason: "the request was released without an answer")) }

  func give(_ answer: AuthorizationAnswer) {
    let handler = handler.withLock { handler in
      defer { handler = nil }
      return handler
    }
    handler?(answer)
  }

  static func ask(
    _ request: AuthorizationRequest, of answerer: any AuthorizationAnswerer,
    _ handler: @escaping @Sendable (AuthorizationAnswer) -> Void
  ) {
    let reply = AuthorizationReply(handler)
    answerer.answer(request) { reply.give($0) }
  }

  /// Asks, and blocks the thread until the answer arrives. Not for threads of Swift's own pool,
  /// which must not block.
  static func wait(
    for request: AuthorizationRequest, from answerer: any AuthorizationAnswerer
  ) -> AuthorizationAnswer {
    let answer = Mutex(AuthorizationAnswer.refused)
    let answered = DispatchSemaphore(value: 0)
    ask(request, of: answerer) { given in
      answer.withLock { $0 = given }
      answered.signal()
    }
    answered.wait()
    return answer.withLock { $0 }
  }
}

/// One `PHPhotoLibrary`'s answerer, and the reason that its latest request was not answered.
final class LibraryAuthorization: Sendable {
  let state: Mutex<State>

  struct State {
    var answerer: any AuthorizationAnswerer
    var problem: String?
  }

  init(answerer: any AuthorizationAnswerer = StandardAnswerer.current) {
    state = Mutex(State(answerer: answerer))
  }
}

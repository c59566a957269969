import Foundation
internal import LibraryStore

/// The announcement of a library's server. It ends with the object.
package final class ServerPresence: Sendable {
  private let lock: ServerLock

  init(_ lock: ServerLock) { self.lock = lock }
}

/// The answer that a program gets from the owner in the web app.
extension PHPhotoLibrary {
  /// Announces a server, in whose pages the owner sees what programs ask for.
  package func announceServer() throws -> ServerPresence {
    try withPhotosErrors { ServerPresence(try engine.available().announceServer()) }
  }

  /// The time in seconds for which a request waits for the owner.
  private static let answerTimeout = 120.0
  /// The time in seconds between two looks for an answer.
  private static let interval = 0.2

  /// Calls the handler with the client's status: at once, or as soon as the owner has answered its
  /// recorded request while a server runs.
  func whenOwnerHasAnswered(
    _ level: PHAccessLevel, _ status: PHAuthorizationStatus,
    handler: @escaping @Sendable (PHAuthorizationStatus) -> Void
  ) { look(level, status, until: .now() + Self.answerTimeout, handler) }

  private func look(
    _ level: PHAccessLevel, _ status: PHAuthorizationStatus, until end: DispatchTime,
    _ handler: @escaping @Sendable (PHAuthorizationStatus) -> Void
  ) {
    guard status == .notDetermined, end > .now(), isOwnerAsked(for: level) else {
      if status != .notDetermined { authorization.state.withLock { $0.problem = nil } }
      return handler(status)
    }
    DispatchQueue.global().asyncAfter(deadline: .now() + Self.interval) { [self] in
      look(level, authorizationStatus(for: level), until: end, handler)
    }
  }

  /// Returns whether the client's request waits for the owner, and a server shows it.
  private func isOwnerAsked(for level: PHAccessLevel) -> Bool {
    guard let client, let store = try? engine.available(), (try? store.isServed()) == true else { return false }
    return (try? store.client(identifier: client.identifier))?.askedLevel == level.rawValue
  }
}

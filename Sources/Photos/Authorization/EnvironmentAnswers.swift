internal import LibraryStore
import Synchronization

/// What this process's environment has answered to requests for access.
///
/// A program can set its own environment, so that is no decision of the library's owner: it holds for this process, and where the owner has
/// decided nothing. Assets that the environment has chosen are written down, since fetches look for them in the library; without the
/// answer that row lets nobody see anything.
final class EnvironmentAnswers: Sendable {
  private let grants = Mutex<[String: ClientGrant]>([:])

  func grant(of client: PHClient?) -> ClientGrant {
    guard let client else { return ClientGrant() }
    return grants.withLock { $0[client.identifier] ?? ClientGrant() }
  }

  /// Takes over an answer about a level; returns why if it decides nothing.
  func take(_ answer: PHAuthorizationAnswer, of client: PHClient, _ level: PHAccessLevel) -> String? {
    grants.withLock { grants in
      var grant = grants[client.identifier] ?? ClientGrant()
      defer { grants[client.identifier] = grant }
      return grant.take(answer, level)
    }
  }

  private static let prefix = "environment:"

  /// The name of the row with the assets that the environment has chosen for a client.
  static func identifier(of client: PHClient) -> String { prefix + client.identifier }

  static func isTheirs(_ record: ClientRecord) -> Bool { record.identifier.hasPrefix(prefix) }
}

internal import LibraryStore
import Synchronization

/// The answers of this process's environment to requests for access.
///
/// A program can set its own environment, so its answer is not a decision of the library's owner.
/// The answer holds for this process only, and only if the owner has not decided. The assets that
/// the environment has chosen are stored in a row of the library, since fetches join with it.
/// Without the answer the row grants nothing.
final class EnvironmentAnswers: Sendable {
  private let grants = Mutex<[String: ClientGrant]>([:])

  func grant(of client: LibraryClient?) -> ClientGrant {
    guard let client else { return ClientGrant() }
    return grants.withLock { $0[client.identifier] ?? ClientGrant() }
  }

  /// Applies an answer about a level. Returns the reason if it decides nothing.
  func take(_ answer: AuthorizationAnswer, of client: LibraryClient, _ level: PHAccessLevel) -> String? {
    grants.withLock { grants in
      var grant = grants[client.identifier] ?? ClientGrant()
      defer { grants[client.identifier] = grant }
      return grant.take(answer, level)
    }
  }

  private static let prefix = "environment:"

  /// The name of the row with the assets that the environment has chosen for a client.
  static func identifier(of client: LibraryClient) -> String { prefix + client.identifier }

  static func isFromEnvironment(_ record: ClientRecord) -> Bool { record.identifier.hasPrefix(prefix) }
}

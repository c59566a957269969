import Foundation
internal import LibraryStore

extension PHPhotoLibrary {
  /// Throws unless the client may do what its change block demands.
  ///
  /// Asks for access that is not decided yet, and asks one question about everything that is to be
  /// deleted. Called on the change queue, which waits for the answers.
  func ensureAllowed(_ demands: [ChangeDemand]) throws {
    guard let client else { return }
    if case .ask(let level) = try decision(demands) { try ask(for: level, client) }
    try check(decision(demands))
    try confirmDeletions(demands, client)
  }

  /// Checks the demands again inside the transaction, during which access can't be withdrawn, and
  /// returns the access.
  func access(in transaction: StoreTransaction, allowing demands: [ChangeDemand]) throws -> LibraryAccess {
    if let client {
      try check(AccessDecision(demands, grant(transaction.client(identifier: client.identifier))))
    }
    return try access(in: transaction)
  }

  private func decision(_ demands: [ChangeDemand]) throws -> AccessDecision { AccessDecision(demands, try grant()) }

  private func check(_ decision: AccessDecision) throws {
    switch decision {
    case .allowed: break
    case .ask: throw PHPhotosError(.accessUserDenied, authorizationProblem ?? "\(clientName) has not been given access")
    case .refused(let code, let reason): throw PHPhotosError(code, "\(clientName) \(reason)")
    }
  }

  /// Asks for access to a level. A program whose only usage description is the one for `readWrite`
  /// asks for that level.
  private func ask(for level: PHAccessLevel, _ client: LibraryClient) throws {
    let only = level == .addOnly && usageDescription(for: .addOnly) == nil && usageDescription(for: .readWrite) != nil
    let level = only ? .readWrite : level
    if let problem = missingUsageDescription(for: level) { throw PHPhotosError(.accessUserDenied, problem) }
    _ = waitForAuthorization(for: level)
  }

  private func confirmDeletions(_ demands: [ChangeDemand], _ client: LibraryClient) throws {
    let deletions = AuthorizationRequest.Deletion.merged(demands)
    guard !deletions.isEmpty else { return }
    let request = AuthorizationRequest(client: client, libraryURL: url, question: .deletion(deletions))
    switch AuthorizationReply.wait(for: request, from: authorizationAnswerer) {
    case .confirmed: break
    case .unanswered(let reason): throw PHPhotosError(.userCancelled, reason, identifiers: deletions.identifiers)
    default:
      throw PHPhotosError(
        .userCancelled, "the deletion that \(clientName) asked for was not confirmed",
        identifiers: deletions.identifiers)
    }
  }
}

extension AuthorizationRequest.Deletion {
  /// Returns one deletion of each kind, in the order in which the block first demands them.
  static func merged(_ demands: [ChangeDemand]) -> [Self] {
    var merged: [Self] = []
    for case .delete(let deletion) in demands where !deletion.localIdentifiers.isEmpty {
      if let index = merged.firstIndex(where: { $0.kind == deletion.kind }) {
        merged[index].localIdentifiers += deletion.localIdentifiers
      } else {
        merged.append(deletion)
      }
    }
    for index in merged.indices {
      var seen: Set<String> = []
      merged[index].localIdentifiers.removeAll { !seen.insert($0).inserted }
    }
    return merged
  }
}

extension [AuthorizationRequest.Deletion] {
  fileprivate var identifiers: [String] { flatMap(\.localIdentifiers) }
}

import Foundation
internal import LibraryStore

extension PHPhotoLibrary {
  /// Throws unless the client may do what its change block asks for; asks for access that nobody has decided about yet, and once about all
  /// that is to be deleted. Called on the change queue, which waits for the answers.
  func ensureAllowed(_ demands: [ChangeDemand]) throws {
    guard let client else { return }
    if case .ask(let level) = try decision(demands) { try ask(for: level, client) }
    try check(decision(demands))
    try confirmDeletions(demands, client)
  }

  /// The same inside the transaction, where nobody can take the access away any more.
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

  /// A program that only says why it wants to see the photos asks for that.
  private func ask(for level: PHAccessLevel, _ client: PHClient) throws {
    let only = level == .addOnly && usageDescription(for: .addOnly) == nil && usageDescription(for: .readWrite) != nil
    let level = only ? .readWrite : level
    if let problem = missingUsageDescription(for: level) { throw PHPhotosError(.accessUserDenied, problem) }
    _ = waitForAuthorization(for: level)
  }

  private func confirmDeletions(_ demands: [ChangeDemand], _ client: PHClient) throws {
    let deletions = PHAuthorizationRequest.Deletion.merged(demands)
    guard !deletions.isEmpty else { return }
    let request = PHAuthorizationRequest(client: client, libraryURL: url, question: .deletion(deletions))
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

extension PHAuthorizationRequest.Deletion {
  /// One of each kind, in the order in which the block first names it.
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

extension [PHAuthorizationRequest.Deletion] {
  fileprivate var identifiers: [String] { flatMap(\.localIdentifiers) }
}

import Foundation
internal import GRDB

/// The ids of a fetch after a change, and the difference.
public struct FetchUpdate: Hashable, Sendable {
  public var after: [Int64]
  /// `nil` if so much changed that a list is better reloaded.
  public var difference: ListDifference?
}

extension StoreChange {
  /// Returns the effect of the change on a fetch whose ids were `before` after `transaction`; `nil`
  /// if there is none.
  ///
  /// The work grows with the number of changes. The fetch is run again only if it has a limit, a
  /// search, or a stored order that changed. `isIncremental` requests a difference.
  public func update(
    of before: [Int64], _ query: FetchQuery, after transaction: Int64, isIncremental: Bool
  ) throws -> FetchUpdate? {
    guard transaction < until else { return nil }
    // Once the view is released, the state after the changes can't be read any more.
    guard let view, let changes = try changes(after: transaction, in: view) else {
      let after = try ids(query)
      return after == before ? nil : FetchUpdate(after: after)
    }
    if let client = query.limitedToClient, changes.clients.contains(client) {
      let after = try ids(query)
      return FetchUpdate(after: after)
    }
    let concerned =
      query.isOfCollections ? changes.collections : try assets(changes, limitedToClient: query.limitedToClient)
    if mustRunAgain(query, changes) {
      let updated = Set(concerned.filter { $0.value.kind != .inserted }.keys)
      return try runAgain(before, query, in: view, updated: updated, isIncremental: isIncremental)
    }
    guard !concerned.isEmpty else { return nil }
    return try view.read { db in
      let merge = try FetchMerge(before: before, query: query, changed: Set(concerned.keys), db: db)
      guard let merge else { return nil }
      return FetchUpdate(
        after: merge.after,
        difference: isIncremental
          ? merge.difference ?? ListDifference(from: before, to: merge.after, changed: Set(concerned.keys)) : nil)
    }
  }

  /// Returns the ids that a query found after the transactions.
  public func ids(_ query: FetchQuery) throws -> [Int64] { try read { try LibraryStore.ids(query, $0) } }

  private func mustRunAgain(_ query: FetchQuery, _ changes: Changes) -> Bool {
    let isAffected = query.isOfCollections ? !changes.collections.isEmpty : !changes.assets.isEmpty
    switch query.source {
    case .nothing: return false
    case .assetsInAlbum(let album):
      if let change = changes.collections[album], change.isContent || change.kind == .deleted { return true }
    // The counts and dates of collections depend on their assets.
    case _ where query.isOfCollections:
      return isAffected || (!changes.assets.isEmpty && query.dependsOnAssets)
    case .assetsListed: return isAffected
    default: break
    }
    if query.searchText != nil { return isAffected || !changes.collections.isEmpty }
    return isAffected && query.limit > 0
  }

  private func runAgain(
    _ before: [Int64], _ query: FetchQuery, in view: DatabaseSnapshot, updated: Set<Int64>, isIncremental: Bool
  ) throws -> FetchUpdate? {
    let after = try view.read { try LibraryStore.ids(query, $0) }
    if after == before, !before.contains(where: updated.contains) { return nil }
    guard isIncremental else { return FetchUpdate(after: after) }
    return FetchUpdate(after: after, difference: ListDifference(from: before, to: after, changed: updated))
  }
}

extension FetchQuery {
  var dependsOnAssets: Bool {
    !keys.isDisjoint(with: [.startDate, .endDate, .assetCount])
  }
}

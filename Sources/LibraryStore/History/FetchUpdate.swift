import Foundation

/// The ids of a fetch after a change, and the difference.
public struct FetchUpdate: Hashable, Sendable {
  public var after: [Int64]
  /// The latest transaction that `after` saw. A change up to it has no further effect on the fetch.
  public var transaction: Int64
  /// `nil` if so much changed that a list is better reloaded.
  public var difference: ListDifference?
}

extension StoreChange {
  /// Returns the effect of this change and of all later commits on a fetch; `nil` if there is none.
  /// The fetch had the ids `before` after `transaction`. If commits had no effect, `remember`
  /// receives the latest one: the next call then reads only what follows it.
  ///
  /// The work grows with the number of changes. The fetch is run again only if it has a limit, a
  /// search, or a stored order that changed. `isIncremental` requests a difference.
  public func update(
    of before: [Int64], _ query: FetchQuery, after transaction: Int64, isIncremental: Bool,
    remember: (Int64) -> Void = { _ in }
  ) throws -> FetchUpdate? {
    guard transaction < until else {
      guard try isOfLostHistory(transaction) else { return nil }
      let found = try fetch(query)
      return FetchUpdate(after: found.ids, transaction: found.transaction)
    }
    return try read { db in
      let latest = try LibraryStore.latestTransaction(db)
      let changes = try changes(after: transaction, upTo: latest, db)
      // If details are missing, any object may have changed.
      guard let changes, query.limitedToClient.map({ !changes.clients.contains($0) }) ?? true else {
        return FetchUpdate(after: try LibraryStore.ids(query, db), transaction: latest)
      }
      guard let (after, difference) = try effect(of: changes, on: before, query, isIncremental: isIncremental, db)
      else {
        remember(latest)
        return nil
      }
      return FetchUpdate(after: after, transaction: latest, difference: difference)
    }
  }

  /// Returns the ids that a query finds after the transactions.
  public func fetch(_ query: FetchQuery) throws -> FetchedIDs {
    try read { db in
      FetchedIDs(ids: try LibraryStore.ids(query, db), transaction: try LibraryStore.latestTransaction(db))
    }
  }

  private func effect(
    of changes: Changes, on before: [Int64], _ query: FetchQuery, isIncremental: Bool, _ db: any Session
  ) throws -> (after: [Int64], difference: ListDifference?)? {
    let concerned =
      query.isOfCollections ? changes.collections : try assets(changes, limitedToClient: query.limitedToClient, db)
    if mustRunAgain(query, changes) {
      let updated = Set(concerned.filter { $0.value.kind != .inserted }.keys)
      let after = try LibraryStore.ids(query, db)
      if after == before, !before.contains(where: updated.contains) { return nil }
      return (after, isIncremental ? ListDifference(from: before, to: after, changed: updated) : nil)
    }
    guard !concerned.isEmpty else { return nil }
    let changed = Set(concerned.keys)
    guard let merge = try FetchMerge(before: before, query: query, changed: changed, db: db) else { return nil }
    guard isIncremental else { return (merge.after, nil) }
    return (merge.after, merge.difference ?? ListDifference(from: before, to: merge.after, changed: changed))
  }

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
    case .assetsInFolder: return isAffected || !changes.collections.isEmpty
    default: break
    }
    if query.isSearch { return isAffected || !changes.collections.isEmpty }
    return isAffected && query.limit > 0
  }
}

extension FetchQuery {
  var dependsOnAssets: Bool {
    !keys.isDisjoint(with: [.startDate, .endDate, .assetCount])
  }
}

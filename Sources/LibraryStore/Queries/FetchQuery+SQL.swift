extension FetchQuery {
  /// Returns the statement that lists the ids of the objects.
  ///
  /// `fromFavorites` selects an album's favorites among all favorites: see `isOfFavoritesInAlbum`.
  func select(fromFavorites: Bool = false) throws -> BoundSQL {
    try FetchStatements(self, fromFavorites: fromFavorites).ids()
  }

  /// Returns the statement that counts the assets of each day, newest first.
  func countByDay() throws -> BoundSQL { try FetchStatements(self, readsAssets: true).countsByDay() }

  /// The album if the query asks for its favorites. In a large album they are found faster among
  /// all favorites than among its assets.
  var isOfFavoritesInAlbum: Int64? {
    guard case .assetsInAlbum(let album) = source, let condition else { return nil }
    let wanted = Condition.comparison(.key(.isFavorite), .equal, .value(.integer(1)))
    if condition == wanted { return album }
    if case .all(let conditions) = condition, conditions.contains(wanted) { return album }
    return nil
  }

  /// The keys of the order and the condition.
  var keys: Set<FetchKey> {
    searchTerms.reduce(into: Set(sort.map(\.key)).union(condition?.keys ?? [])) { $0.formUnion($1.condition.keys) }
  }

  /// Whether the query reads an album's rows of `collection_asset` and no assets.
  var isAnsweredByMembership: Bool {
    guard case .assetsInAlbum = source else { return false }
    return sort.isEmpty && condition == nil && mediaType == nil && uuids == nil && burstIdentifier == nil
      && !isSearch && limitedToClient == nil
  }
}

import Foundation
internal import GRDB

/// A statement and the arguments that are bound to it.
struct BoundSQL {
  var sql: String
  var arguments = StatementArguments()

  mutating func append(_ sql: String, _ arguments: StatementArguments = []) {
    self.sql += sql
    self.arguments += arguments
  }
}

extension FetchQuery {
  /// Returns the statement that lists the ids of the objects. `refinement` is one more condition on
  /// them.
  ///
  /// `fromFavorites` selects an album's favorites among all favorites: see `isOfFavoritesInAlbum`.
  func select(
    _ columns: String? = nil, refinement: BoundSQL? = nil, fromFavorites: Bool = false
  ) throws -> BoundSQL {
    var statement = try filtered(columns ?? idColumn, refinement)
    if fromFavorites { statement.sql = statement.sql.replacing(Self.album, with: Self.albumFromFavorites) }
    let order = orderTerms.joined(separator: ", ")
    if !order.isEmpty { statement.append(" ORDER BY " + order) }
    if limit > 0 { statement.append(" LIMIT ?", [limit]) }
    return statement
  }

  /// Returns the statement that counts the assets of each day, newest first.
  func countByDay() throws -> BoundSQL {
    var statement = try filtered("local_day, COUNT(*)", nil)
    statement.append(" GROUP BY local_day ORDER BY local_day DESC")
    return statement
  }

  private func filtered(_ columns: String, _ refinement: BoundSQL?) throws -> BoundSQL {
    var statement = BoundSQL(sql: "SELECT \(columns) FROM \(tables)")
    let conditions = try (sourceConditions + filters + [refinement].compactMap(\.self)).filter { $0.sql != "1" }
    for (index, condition) in conditions.enumerated() {
      statement.append((index == 0 ? " WHERE " : " AND ") + condition.sql, condition.arguments)
    }
    return statement
  }

  /// The column of the ids. An album's own order needs no read of its assets.
  var idColumn: String { isAnsweredByMembership ? "member.asset_id" : "id" }

  /// The terms of the order in SQL. Together they determine an object's place uniquely.
  var orderTerms: [String] {
    let last = sort.last.map { !$0.ascending } ?? false ? "DESC" : "ASC"
    let keys = sort.map { "\(ownCounts($0.key.column)) \($0.ascending ? "ASC" : "DESC")" }
    guard sort.isEmpty else { return keys + ["id \(last)"] }
    return switch source {
    case .assetsInAlbum: ["member.rank ASC", "member.asset_id ASC"]
    case .assetsListed, .collectionsListed: ["listed.place ASC"]
    case .children, .collections(.smartAlbum, _): ["rank ASC", "id ASC"]
    default: ["id ASC"]
    }
  }

  private var isAnsweredByMembership: Bool {
    guard case .assetsInAlbum = source else { return false }
    return sort.isEmpty && condition == nil && mediaType == nil && uuids == nil && burstIdentifier == nil
      && searchText == nil && limitedToClient == nil
  }

  /// The album if the query asks for its favorites. In a large album they are found faster among
  /// all favorites than among its assets.
  var isOfFavoritesInAlbum: Int64? {
    guard case .assetsInAlbum(let album) = source, let condition else { return nil }
    let wanted = Condition.comparison(.key(.isFavorite), .equal, .value(.integer(1)))
    if condition == wanted { return album }
    if case .all(let conditions) = condition, conditions.contains(wanted) { return album }
    return nil
  }

  private var tables: String {
    var tables =
      switch source {
      case .assetsInAlbum:
        isAnsweredByMembership
          ? "collection_asset AS member" : Self.album
      case .assetsListed: "\(Self.list) JOIN asset ON id = listed.member"
      case .collectionsListed: "\(Self.list) JOIN collection ON id = listed.member"
      case _ where isOfCollections: "collection"
      default: "asset"
      }
    if keys.contains(where: \.isOfDetail) { tables += " JOIN asset_detail AS detail ON detail.asset_id = id" }
    return tables
  }

  /// The subquery uses other names than `id`, because json_each has an `id` too.
  private static let list = "(SELECT key AS place, value AS member FROM json_each(?)) AS listed"

  private static let album = "collection_asset AS member JOIN asset ON id = member.asset_id"
  /// SQLite reads the first table of a CROSS JOIN first.
  private static let albumFromFavorites =
    "asset INDEXED BY asset_by_favorite CROSS JOIN collection_asset AS member ON id = member.asset_id"

  private var keys: Set<FetchKey> { Set(sort.map(\.key)).union(condition?.keys ?? []) }

  private var sourceConditions: [BoundSQL] {
    get throws {
      switch source {
      case .assets: []
      case .collectionsOfKinds(let kinds):
        [BoundSQL(sql: "kind IN (\(kinds.map { String($0.rawValue) }.sorted().joined(separator: ", ")))")]
      case .assetsInAlbum(let album): [BoundSQL(sql: "member.collection_id = ?", arguments: [album])]
      case .assetsInSmartAlbum(let album): smartAlbumConditions(album)
      // The list itself is in `tables`, before every other argument.
      case .assetsListed(let ids), .collectionsListed(let ids):
        [BoundSQL(sql: "1 = 1", arguments: [ids.jsonArray])]
      case .collections(let kind, let subtype):
        [BoundSQL(sql: "kind = ?", arguments: [kind.rawValue])]
          + (subtype.map { [BoundSQL(sql: "subtype = ?", arguments: [$0])] }
            ?? [BoundSQL(sql: "subtype <> \(CollectionRecord.rootSubtype)")])
      case .children(let parent): [BoundSQL(sql: "parent_id = ?", arguments: [parent])]
      case .albumsContaining(let asset):
        [BoundSQL(sql: "id IN (SELECT collection_id FROM collection_asset WHERE asset_id = ?)", arguments: [asset])]
      case .parent(let child):
        [
          BoundSQL(
            sql: "id = (SELECT parent_id FROM collection WHERE id = ?) AND subtype <> \(CollectionRecord.rootSubtype)",
            arguments: [child])
        ]
      case .nothing: [BoundSQL(sql: "0")]
      }
    }
  }

  private func smartAlbumConditions(_ album: SmartAlbum) -> [BoundSQL] {
    var conditions: [BoundSQL] = []
    if let condition = album.condition(limitedToClient: limitedToClient) { conditions.append(BoundSQL(sql: condition)) }
    if album == .recentlyAdded {
      conditions.append(BoundSQL(sql: "added_date >= ?", arguments: [now - SmartAlbum.recentDays * 86_400]))
    }
    return conditions
  }

  private var filters: [BoundSQL] {
    get throws {
      var filters: [BoundSQL] = []
      if let mediaType { filters.append(BoundSQL(sql: "media_type = ?", arguments: [mediaType])) }
      if let uuids {
        filters.append(
          BoundSQL(
            sql: "uuid IN (SELECT value FROM json_each(?))",
            arguments: [String(decoding: try JSONEncoder().encode(uuids), as: UTF8.self)]))
      }
      if let burstIdentifier {
        filters.append(BoundSQL(sql: "burst_identifier = ?", arguments: [burstIdentifier]))
      }
      if !isOfCollections, source != .nothing { filters.append(BoundSQL(sql: visibilityFilter)) }
      // Assets that have been there for longer are permanently deleted by one of the next commits.
      if isOfTrash {
        filters.append(BoundSQL(sql: "trashed_date >= ?", arguments: [now - LibraryStore.trashDays * 86_400]))
      }
      if let limitedToClient, !isOfCollections {
        filters.append(
          BoundSQL(
            sql: "id IN (SELECT asset_id FROM client_asset WHERE client_id = ?)", arguments: [limitedToClient]))
      }
      // The filter also applies to collections that were listed while the client could see them.
      if limitedToClient != nil, isOfCollections {
        filters.append(BoundSQL(sql: "kind = \(CollectionKind.smartAlbum.rawValue)"))
      }
      if let condition {
        let condition = try condition.sql()
        filters.append(BoundSQL(sql: ownCounts(condition.sql), arguments: condition.arguments))
      }
      // The titles of albums would reveal assets that a client with a selection does not see.
      if let searchText { filters += SearchWords(searchText).conditions(includingAlbums: limitedToClient == nil) }
      return filters
    }
  }

  /// Replaces the counts and dates of collections by those that the client sees.
  private func ownCounts(_ sql: String) -> String {
    guard let limitedToClient, isOfCollections else { return sql }
    return sql.replacing(FetchKey.assetCount.column, with: FetchKey.assetCount(limitedToClient: limitedToClient))
      .replacing(
        FetchKey.startDate.column, with: FetchKey.dateOfContent("MIN", limitedToClient: limitedToClient)
      ).replacing(FetchKey.endDate.column, with: FetchKey.dateOfContent("MAX", limitedToClient: limitedToClient))
  }

  private var visibilityFilter: String {
    let column =
      if case .assetsInAlbum = source { "member.visibility" } else { "visibility" }
    if let limitedToClient, !isOfTrash, !includesAllBurstAssets {
      return "\(column) <= \(includesHidden ? 3 : 1) AND \(SelectedBursts(client: limitedToClient).isPicked)"
    }
    return switch (isOfTrash, includesHidden, includesAllBurstAssets) {
    case (true, _, _): "\(column) >= 4"
    case (_, false, false): "\(column) = 0"
    case (_, false, true): "\(column) <= 1"
    case (_, true, false): "\(column) IN (0, 2)"
    case (_, true, true): "\(column) <= 3"
    }
  }
}

extension Collection<Int64> {
  /// The ids as JSON for `json_each`: one argument, whatever their number.
  var jsonArray: String { "[" + map(String.init).joined(separator: ",") + "]" }
}

import Foundation

/// The statements of one query. All of them read the same tables by the same names.
struct FetchStatements {
  private let query: FetchQuery
  private let columns: KeyColumns
  private let tables: BoundSQL
  private let id: String
  private let visibility: String

  /// The terms of the order. Together they determine an object's place uniquely.
  let order: [OrderTerm]

  /// The time for the query's patterns begins here. If `readsAssets` is true, the statements may
  /// select any column of `asset`.
  init(_ query: FetchQuery, fromFavorites: Bool = false, readsAssets: Bool = false) {
    self.query = query
    columns = KeyColumns(
      client: query.isOfCollections ? query.limitedToClient : nil, concealsHidden: query.concealsHidden,
      deadline: query.patternSeconds.map { TextFolding.now + Int($0 * 1e9) })
    let isByMembership = query.isAnsweredByMembership && !readsAssets
    tables = Self.tables(of: query, isByMembership: isByMembership, fromFavorites: fromFavorites)
    id = isByMembership ? "member.asset_id" : "id"
    visibility =
      if case .assetsInAlbum = query.source { "member.visibility" } else { "visibility" }
    order = Self.order(of: query, columns)
  }

  /// Lists the ids of the objects in their order.
  func ids() throws -> BoundSQL {
    var statement = try selectFound([id])
    appendOrder(to: &statement)
    if query.limit > 0 { statement.append(" LIMIT ?", query.limit) }
    return statement
  }

  /// Counts the objects.
  func count() throws -> BoundSQL { try selectFound(["COUNT(*)"]) }

  /// Counts the assets of each day, newest first.
  func countsByDay() throws -> BoundSQL {
    var statement = try selectFound(["local_day", "COUNT(*)"])
    statement.append(" GROUP BY local_day ORDER BY local_day DESC")
    return statement
  }

  /// Lists the widths and heights of the assets in their order, each pair as one number.
  func sizes() throws -> BoundSQL {
    var statement = try selectFound(["(pixel_width << 32) | pixel_height"])
    appendOrder(to: &statement)
    return statement
  }

  /// Lists the ids of the assets that have a place, and their places, each as one number.
  func places() throws -> (ids: BoundSQL, places: BoundSQL) {
    let hasPlace = [BoundSQL("latitude IS NOT NULL")]
    var ids = try selectFound([id], where: hasPlace)
    var places = try selectFound(
      ["(CAST((latitude + 90) * 1e6 AS INTEGER) << 32) | CAST((longitude + 180) * 1e6 AS INTEGER)"], where: hasPlace)
    appendOrder(to: &ids)
    appendOrder(to: &places)
    return (ids, places)
  }

  /// Lists the objects of these that the query finds, in its order: the id of each, and its
  /// sort keys.
  func places(of ids: Set<Int64>) throws -> BoundSQL {
    let isOne = BoundSQL("\(id) IN \(BoundSQL.list)", ids.sorted().jsonArray)
    var statement = try selectFound([id] + order.map(\.column), where: [isOne])
    appendOrder(to: &statement)
    return statement
  }

  /// Returns the id of one object that the query is known to find, and its sort keys. The id is the
  /// last argument, which the caller adds.
  func place() -> BoundSQL {
    select([id] + order.map(\.column), where: sourceConditions + [BoundSQL("\(id) = ?")])
  }

  /// Selects from the objects that the query finds.
  private func selectFound(_ columns: [String], where more: [BoundSQL] = []) throws -> BoundSQL {
    var statement = try select(columns, where: sourceConditions + filters() + more)
    // There is no limit to the number of conditions, searches and clients.
    statement.isReused = query.condition == nil && !query.isSearch && query.limitedToClient == nil
    return statement
  }

  private func select(_ columns: [String], where conditions: [BoundSQL]) -> BoundSQL {
    var statement = BoundSQL("SELECT \(columns.joined(separator: ", ")) FROM ")
    statement.append(tables)
    for (index, condition) in conditions.enumerated() {
      statement.append(index == 0 ? " WHERE " : " AND ")
      statement.append(condition)
    }
    return statement
  }

  private func appendOrder(to statement: inout BoundSQL) {
    statement.append(" ORDER BY " + order.map(\.sql).joined(separator: ", "))
  }
}

// MARK: Tables and order

extension FetchStatements {
  private static func tables(of query: FetchQuery, isByMembership: Bool, fromFavorites: Bool) -> BoundSQL {
    var tables =
      switch query.source {
      case .assetsInAlbum where isByMembership: BoundSQL("collection_asset AS member")
      // SQLite reads the first table of a CROSS JOIN first.
      case .assetsInAlbum where fromFavorites:
        BoundSQL("asset INDEXED BY asset_by_favorite CROSS JOIN collection_asset AS member ON id = member.asset_id")
      case .assetsInAlbum: BoundSQL("collection_asset AS member JOIN asset ON id = member.asset_id")
      case .assetsListed(let ids): list(ids, joining: "asset")
      case .collectionsListed(let ids): list(ids, joining: "collection")
      case _ where query.isOfCollections: BoundSQL("collection")
      default: BoundSQL("asset")
      }
    if query.keys.contains(where: \.isOfDetail) {
      tables.append(" JOIN asset_detail AS detail ON detail.asset_id = id")
    }
    return tables
  }

  /// The subquery uses other names than `id`, because json_each has an `id` too.
  private static func list(_ ids: [Int64], joining table: String) -> BoundSQL {
    BoundSQL(
      "(SELECT key AS place, value AS member FROM json_each(?)) AS listed JOIN \(table) ON id = listed.member",
      ids.jsonArray)
  }

  private static func order(of query: FetchQuery, _ columns: KeyColumns) -> [OrderTerm] {
    if let last = query.sort.last {
      return query.sort.map { OrderTerm(column: columns[$0.key], ascending: $0.ascending) }
        + [OrderTerm(column: "id", ascending: last.ascending)]
    }
    if query.isOfTrash {
      return [OrderTerm(column: "trashed_date", ascending: false), OrderTerm(column: "id", ascending: false)]
    }
    let terms =
      switch query.source {
      case .assetsInAlbum: ["member.rank", "member.asset_id"]
      case .assetsListed, .collectionsListed: ["listed.place"]
      case .children, .topLevel, .collections(.smartAlbum, _): ["rank", "id"]
      default: ["id"]
      }
    return terms.map { OrderTerm(column: $0) }
  }
}

// MARK: Conditions

extension FetchStatements {
  private var sourceConditions: [BoundSQL] {
    switch query.source {
    case .assets, .assetsListed, .collectionsListed: []
    case .collectionsOfKinds(let kinds):
      [BoundSQL("kind IN (\(kinds.map { String($0.rawValue) }.sorted().joined(separator: ", ")))")]
    case .assetsInAlbum(let album): [BoundSQL("member.collection_id = ?", album)]
    case .assetsInSmartAlbum(let album): smartAlbumConditions(album)
    case .assetsInFolder(let folder):
      [
        BoundSQL(
          """
          id IN (SELECT asset_id FROM collection_asset WHERE collection_id IN (\
          WITH RECURSIVE below (child) AS (SELECT ? UNION SELECT collection.id FROM collection \
          JOIN below ON collection.parent_id = below.child) SELECT child FROM below))
          """, folder)
      ]
    case .collections(let kind, let subtype):
      [BoundSQL("kind = ?", kind.rawValue)]
        + (subtype.map { [BoundSQL("subtype = ?", $0)] }
          ?? [BoundSQL("subtype <> \(CollectionRecord.rootSubtype)")])
    case .children(let parent): [BoundSQL("parent_id = ?", parent)]
    case .topLevel:
      [BoundSQL("parent_id = (SELECT id FROM collection WHERE \(CollectionRecord.rootCondition))")]
    case .albumsContaining(let asset):
      [BoundSQL("id IN (SELECT collection_id FROM collection_asset WHERE asset_id = ?)", asset)]
    case .parent(let child):
      [
        BoundSQL(
          "id = (SELECT parent_id FROM collection WHERE id = ?) AND subtype <> \(CollectionRecord.rootSubtype)", child)
      ]
    case .nothing: [BoundSQL("0")]
    }
  }

  private func smartAlbumConditions(_ album: SmartAlbum) -> [BoundSQL] {
    var conditions: [BoundSQL] = []
    if let condition = album.condition(limitedToClient: query.limitedToClient) {
      conditions.append(BoundSQL(condition))
    }
    if album == .recentlyAdded {
      conditions.append(
        BoundSQL("added_date >= ?", query.now - SmartAlbum.recentDays * 86_400))
    }
    return conditions
  }

  private func filters() throws -> [BoundSQL] {
    var filters: [BoundSQL] = []
    if let mediaType = query.mediaType {
      // The type is written as a literal, so that SQLite can use the partial index of videos.
      filters.append(BoundSQL("media_type = \(mediaType)"))
    }
    if query.concealsTrash {
      if query.isOfTrash, query.uuids == nil { filters.append(BoundSQL("0")) }
      if query.isOfCollections { filters.append(BoundSQL("subtype <> \(SmartAlbum.recentlyDeleted.rawValue)")) }
    }
    if let uuids = query.uuids {
      filters.append(
        BoundSQL("uuid IN \(BoundSQL.list)", try JSONArgument.array(uuids)))
    }
    if let burst = query.burstIdentifier {
      filters.append(BoundSQL("burst_identifier = ?", burst))
    }
    if !query.isOfCollections, query.source != .nothing { filters.append(BoundSQL(visibilityFilter)) }
    // Assets that have been there for longer are permanently deleted by one of the next commits.
    if query.isOfTrash, query.expiresTrash {
      filters.append(
        BoundSQL("trashed_date >= ?", query.now - LibraryStore.trashDays * 86_400))
    }
    if let client = query.limitedToClient {
      // The filter also applies to collections that were listed while the client could see them.
      filters.append(
        query.isOfCollections
          ? BoundSQL("kind = \(CollectionKind.smartAlbum.rawValue)")
          : BoundSQL("id IN (SELECT asset_id FROM client_asset WHERE client_id = ?)", client))
    }
    if let condition = try query.condition?.sql(columns), condition.sql != "1" { filters.append(condition) }
    if let searchText = query.searchText {
      let search = SearchWords(searchText)
      filters.append(
        query.isOfCollections
          ? search.titleCondition : search.condition(limitedToClient: query.limitedToClient))
    }
    for term in query.searchTerms {
      let condition = try term.condition.sql(columns)
      let words = SearchWords(term.words).condition(limitedToClient: query.limitedToClient)
      filters.append(
        BoundSQL(sql: "(\(condition.sql) OR \(words.sql))", arguments: condition.arguments + words.arguments))
    }
    return filters
  }

  private var visibilityFilter: String {
    if query.isOfTrash {
      let allowed = query.concealsHidden ? Visibility.all.subtracting(.hidden) : .all
      return Visibility.condition(on: visibility, requiring: .trashed, allowing: allowed)
    }
    var allowed: Visibility = []
    if query.includesHidden, !query.concealsHidden { allowed.insert(.hidden) }
    if query.includesAllBurstAssets { allowed.insert(.unpickedFrame) }
    if let client = query.limitedToClient, !query.includesAllBurstAssets {
      // Among the frames of its selection, the condition picks.
      let condition = Visibility.condition(on: visibility, allowing: allowed.union(.unpickedFrame))
      return "\(condition) AND \(SelectedBursts(client: client).isPicked)"
    }
    return Visibility.condition(on: visibility, allowing: allowed)
  }
}

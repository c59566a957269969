extension FetchKey {
  /// Returns the key's column or expression in SQL. A collection's assets are those that a client
  /// with a selection sees, or all if `client` is `nil`.
  func column(limitedToClient client: Int64?) -> String {
    switch self {
    case .uuid: "uuid"
    case .modificationDate: "modification_date"
    case .creationDate: "creation_date"
    case .localDate: "local_date"
    case .localDay: "local_day"
    case .addedDate: "added_date"
    case .mediaType: "media_type"
    case .mediaSubtypes: "media_subtypes"
    case .duration: "duration"
    case .pixelWidth: "pixel_width"
    case .pixelHeight: "pixel_height"
    case .isFavorite: "is_favorite"
    case .isHidden: "is_hidden"
    case .burstIdentifier: "burst_identifier"
    case .hasAdjustments: "has_adjustments"
    case .originalFilename: "detail.original_filename"
    case .fileSize: "detail.file_size"
    case .uniformTypeIdentifier: "detail.uniform_type_identifier"
    case .cameraModel: "detail.camera_model"
    case .latitude: "latitude"
    case .longitude: "longitude"
    case .title: "title"
    case .startDate: Self.dateOfContent("MIN", limitedToClient: client)
    case .endDate: Self.dateOfContent("MAX", limitedToClient: client)
    case .assetCount: client.map(Self.assetCount) ?? Self.countOfContent
    }
  }

  var isOfDetail: Bool {
    [.originalFilename, .fileSize, .uniformTypeIdentifier, .cameraModel].contains(self)
  }

  /// Returns the expression for the first or last date in a collection. An album's dates are those
  /// of its assets. A folder's are those of the albums in it. For a smart album the expression
  /// searches the assets.
  private static func dateOfContent(_ function: String, limitedToClient client: Int64?) -> String {
    let selection = client.map { " AND asset.id IN (SELECT asset_id FROM client_asset WHERE client_id = \($0))" } ?? ""
    let smart = SmartAlbum.listed.filter { $0 != .recentlyAdded }.map {
      let condition = $0.countedCondition(limitedToClient: client) + selection
      return "WHEN \($0.rawValue) THEN (SELECT \(function)(creation_date) FROM asset WHERE \(condition))"
    }
    let albums = """
      (SELECT \(function)(asset.creation_date) FROM collection_asset JOIN asset ON asset.id = collection_asset.asset_id \
      WHERE \(Visibility.condition(on: "collection_asset.visibility"))\(selection) AND collection_asset.collection_id
      """
    return """
      (CASE kind WHEN \(CollectionKind.album.rawValue) THEN \(albums) = collection.id) \
      WHEN \(CollectionKind.folder.rawValue) THEN \(albums) IN \
      (SELECT id FROM collection AS child WHERE child.parent_id = collection.id AND child.kind = \(CollectionKind.album.rawValue))) \
      ELSE CASE subtype \(smart.joined(separator: " ")) END END)
      """
  }

  /// The expression that counts a collection's assets: a count for albums, the tally for smart
  /// albums. The recently added assets can't be counted without a fetch.
  private static let countOfContent: String = {
    let shown = Visibility.condition()
    let albums = "(SELECT COUNT(*) FROM collection_asset WHERE collection_id = collection.id AND \(shown))"
    return count(albums) { $0.tally }
  }()

  /// Returns the expression that counts the assets of a client's selection in a collection. The
  /// tally would count all assets.
  private static func assetCount(limitedToClient client: Int64) -> String {
    count("NULL") { $0.count(limitedToClient: client) }
  }

  private static func count(_ albums: String, _ smartAlbum: (SmartAlbum) -> String) -> String {
    let cases = SmartAlbum.listed.filter { $0 != .recentlyAdded }.map { album in
      "WHEN \(album.rawValue) THEN (\(smartAlbum(album)))"
    }
    return """
      (CASE subtype \(cases.joined(separator: " ")) \
      WHEN \(SmartAlbum.recentlyAdded.rawValue) THEN NULL \
      ELSE \(albums) END)
      """
  }
}

extension SmartAlbum {
  /// The statement that returns the number of assets. The hidden album counts hidden assets, and
  /// the trash those in the trash.
  var tally: String {
    "SELECT COALESCE(SUM(count), 0) FROM asset_tally WHERE " + countedCondition(limitedToClient: nil)
  }

  /// Returns the statement that counts the assets of a client's selection.
  func count(limitedToClient client: Int64) -> String {
    """
    SELECT COUNT(*) FROM client_asset JOIN asset ON asset.id = client_asset.asset_id \
    WHERE client_id = \(client) AND \(countedCondition(limitedToClient: client))
    """
  }

  fileprivate func countedCondition(limitedToClient client: Int64?) -> String {
    let visibility: String? =
      switch self {
      // The album's own condition already restricts the visibility.
      case .allHidden: nil
      case .recentlyDeleted: Visibility.condition(requiring: .trashed, allowing: .all)
      default:
        client.map {
          "\(Visibility.condition(allowing: .unpickedFrame)) AND \(SelectedBursts(client: $0).isPicked)"
        } ?? Visibility.condition()
      }
    let condition = condition(limitedToClient: client)
    return [visibility, condition].compactMap(\.self).joined(separator: " AND ")
  }
}

extension Condition {
  /// The keys that the condition uses.
  var keys: Set<FetchKey> {
    switch self {
    case .always, .never: []
    case .all(let conditions), .any(let conditions): conditions.reduce(into: []) { $0.formUnion($1.keys) }
    case .not(let condition): condition.keys
    case .comparison(let left, _, let right): left.keys.union(right.keys)
    case .between(let operand, let low, let high): operand.keys.union(low.keys).union(high.keys)
    case .isIn(let operand, _), .text(let operand, _, _, _): operand.keys
    }
  }
}

extension Operand {
  var keys: Set<FetchKey> {
    switch self {
    case .key(let key): [key]
    case .value: []
    case .arithmetic(let left, _, let right): left.keys.union(right.keys)
    }
  }
}

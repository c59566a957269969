import Foundation

/// A row of `collection`: an album, a smart album or a folder.
public struct CollectionRecord: Hashable, Sendable {
  public internal(set) var id: Int64 = 0
  public var uuid: String
  public var kind: CollectionKind
  /// The raw value of `PHAssetCollectionSubtype` or `PHCollectionListSubtype`.
  public var subtype: Int
  public var title: String
  /// `nil` for the root folder and the smart albums.
  public internal(set) var parentID: Int64?
  var rank = 0
  public var creationDate: Date
  public var modificationDate: Date
  public var keyAssetID: Int64?
  /// The number of assets in an album that are not hidden; `nil` if only a fetch can count them.
  public var assetCount: Int?

  init(uuid: String, kind: CollectionKind, subtype: Int, title: String, date: Double) {
    self.uuid = uuid
    self.kind = kind
    self.subtype = subtype
    self.title = title
    creationDate = Date(timeIntervalSince1970: date)
    modificationDate = creationDate
  }

  /// Calotype's own albums have the subtype of PhotoKit's regular ones.
  public static let albumSubtype = 2
  public static let folderSubtype = 100
  public static let rootSubtype = 101

  public var smartAlbum: SmartAlbum? { kind == .smartAlbum ? SmartAlbum(rawValue: subtype) : nil }
  /// The condition of the root folder's row.
  static let rootCondition = "kind = \(CollectionKind.folder.rawValue) AND subtype = \(rootSubtype)"
  public var isRoot: Bool { kind == .folder && subtype == Self.rootSubtype }

  /// Returns a record in place of a collection that was deleted after its fetch.
  public static func deleted(uuid: String = "", kind: CollectionKind = .album) -> CollectionRecord {
    CollectionRecord(
      uuid: uuid, kind: kind, subtype: kind == .folder ? folderSubtype : albumSubtype, title: "", date: 0)
  }
}

extension CollectionRecord {
  static let table = "collection"

  /// Selects every column, and the number of assets that a client with a selection finds in the
  /// collection, or of all if `client` is `nil`.
  static func selection(limitedToClient client: Int64? = nil) -> String {
    "SELECT collection.*, \(FetchKey.assetCount.column(limitedToClient: client)) AS asset_count FROM collection"
  }

  init(row: StoreRow) throws {
    self.init(
      uuid: try row.value("uuid"), kind: CollectionKind(rawValue: try row.value("kind")) ?? .album,
      subtype: try row.value("subtype"), title: try row.value("title"), date: try row.finite("creation_date"))
    id = try row.value("id")
    parentID = try row.value("parent_id")
    rank = try row.number("rank", in: 0...Int(Int32.max))
    modificationDate = try row.date("modification_date")
    keyAssetID = try row.value("key_asset_id")
    assetCount = try row.value("asset_count")
  }

  var columns: Columns {
    [
      ("uuid", uuid.value), ("kind", kind.rawValue.value), ("subtype", subtype.value), ("title", title.value),
      ("parent_id", parentID.value),
      ("rank", rank.value), ("creation_date", creationDate.timeIntervalSince1970.value),
      ("modification_date", modificationDate.timeIntervalSince1970.value), ("key_asset_id", keyAssetID.value),
    ]
  }
}

import Foundation

/// The effect of a transaction as values before and after it. An undo restores the values before,
/// if the present ones are still those after.
///
/// Dates of modification and computed columns are not in it.
struct Inverse: Codable, Hashable {
  var assets: [AssetsChange] = []
  var files: [FilesChange] = []
  var collections: [CollectionChange] = []
  var members: [MembersChange] = []

  var isEmpty: Bool { assets.isEmpty && files.isEmpty && collections.isEmpty && members.isEmpty }

  /// The assets of the changes, except frames that only begin or cease to represent their burst.
  var assetsToSee: Set<Int64> {
    let changes = assets.filter { !$0.isOfRepresentative }
    return Set(changes.flatMap(\.ids)).union(files.map(\.asset)).union(members.flatMap(\.assets))
  }

  /// Decodes the steps of a transaction; `nil` if there are none or they are damaged.
  init?(steps: String?) {
    guard let steps, let inverse = try? JSONDecoder().decode(Self.self, from: Data(steps.utf8)) else { return nil }
    self = inverse
  }

  init() {}

  /// Returns whether a client sees what an undo changes. The owner, `nil`, sees all.
  func isSeen(by client: ClientRecord?, _ db: any Session) throws -> Bool {
    guard let client else { return true }
    let assets = assetsToSee
    return try LibraryStore.selected(among: assets, for: client, db).count == assets.count
  }

  /// The same change of several assets, by the names of columns.
  struct AssetsChange: Codable, Hashable {
    var values: [String: ValueChange]
    var ids: [Int64]

    /// Whether the assets are frames that only began or ceased to represent their burst. A frame
    /// that was picked has changed more.
    var isOfRepresentative: Bool {
      guard values["represents_burst"] != nil else { return false }
      return values.allSatisfy { column, change in
        switch column {
        case "represents_burst": true
        case "burst_selection_types": change.isOfAutoPick
        default: false
        }
      }
    }
  }

  /// The files of an asset.
  struct FilesChange: Codable, Hashable {
    var asset: Int64
    var before: [FileState]
    var after: [FileState]
  }

  /// An album or a folder; `nil` where there is none.
  struct CollectionChange: Codable, Hashable {
    var id: Int64
    var before: CollectionState?
    var after: CollectionState?
  }

  /// Assets of an album with their ranks; a rank is `nil` if the asset is not in the album. A list
  /// is `nil` if none of the assets is.
  struct MembersChange: Codable, Hashable {
    var album: Int64
    var assets: [Int64]
    var before: [Int64?]?
    var after: [Int64?]?
  }
}

extension Inverse {
  /// The columns of `asset` that an undo restores. It restores only the traits that a person can
  /// change.
  static let assetColumns: Set = [
    "creation_date", "time_zone_offset", "is_favorite", "is_hidden", "is_unreadable", "represents_burst",
    "burst_selection_types", "rating", "traits", trashedDate, "latitude", "longitude", "altitude",
  ]

  /// The columns of `asset_detail` that an undo restores.
  static let detailColumns: Set = [
    "date_source", "time_zone_source", "unreadable_reason", "original_filename", "file_size",
    "uniform_type_identifier", "title", "caption", "keywords",
  ]

  /// A column of which only the presence counts: the trash's clock moves the dates.
  static let trashedDate = "trashed_date"

  /// Returns the part of a column's value that an undo restores.
  static func part(_ value: Value, of column: String) -> Value {
    guard column == "traits", case .integer(let traits) = value else { return value }
    return .integer(traits & AssetTraits.ofPerson.rawValue)
  }

  /// Returns a column's value with the restored part in it.
  static func merge(_ part: Value, of column: String, into value: Value) -> Value {
    guard column == "traits", case .integer(let part) = part, case .integer(let traits) = value else { return part }
    let mask = AssetTraits.ofPerson.rawValue
    return .integer(traits & ~mask | part & mask)
  }
}

/// A value before and after a transaction. It is encoded as a list of two, in which a real number
/// is a list of one: an integer and a real number of the same size differ.
struct ValueChange: Hashable {
  var before: Value
  var after: Value

  /// Whether burst selection types differ in `autoPick` alone.
  fileprivate var isOfAutoPick: Bool {
    guard case .integer(let before) = before, case .integer(let after) = after else { return false }
    return before ^ after == Int(AssetRecord.autoPick)
  }
}

extension ValueChange: Codable {
  init(from decoder: any Decoder) throws {
    var list = try decoder.unkeyedContainer()
    before = try Value(from: &list)
    after = try Value(from: &list)
  }

  func encode(to encoder: any Encoder) throws {
    var list = encoder.unkeyedContainer()
    try before.encode(to: &list)
    try after.encode(to: &list)
  }
}

extension Value {
  fileprivate init(from list: inout any UnkeyedDecodingContainer) throws {
    if try list.decodeNil() {
      self = .null
    } else if let integer = try? list.decode(Int.self) {
      self = .integer(integer)
    } else if let text = try? list.decode(String.self) {
      self = .text(text)
    } else {
      var real = try list.nestedUnkeyedContainer()
      self = .real(try real.decode(Double.self))
    }
  }

  fileprivate func encode(to list: inout any UnkeyedEncodingContainer) throws {
    switch self {
    case .integer(let value): try list.encode(value)
    case .text(let value): try list.encode(value)
    case .real(let value):
      var real = list.nestedUnkeyedContainer()
      try real.encode(value)
    case .null: try list.encodeNil()
    // No column that an undo restores has bytes.
    case .blob(let data): try list.encode(data)
    }
  }
}

/// A row of `resource` without its keys.
struct FileState: Codable, Hashable {
  var type: Int
  var original: Int64
  var filename: String
  var uniformType: String
  var width: Int
  var height: Int
  var duration: Double
  var motionVideo: Range<Int>?

  init(_ record: ResourceRecord) {
    type = record.type
    original = record.originalID
    filename = record.originalFilename
    uniformType = record.uniformTypeIdentifier
    width = record.pixelWidth
    height = record.pixelHeight
    duration = record.duration
    motionVideo = record.motionVideo
  }

  func record(of asset: Int64) -> ResourceRecord {
    var record = ResourceRecord(
      type: type, originalFilename: filename, uniformTypeIdentifier: uniformType, pixelWidth: width,
      pixelHeight: height, duration: duration, motionVideo: motionVideo)
    record.assetID = asset
    record.originalID = original
    return record
  }
}

/// A row of `collection` without the dates that an undo does not restore.
struct CollectionState: Codable, Hashable {
  var uuid: String
  var kind: Int
  var subtype: Int
  var title: String
  var parent: Int64?
  var rank: Int
  var creationDate: Double
  var keyAsset: Int64?

  init(_ record: CollectionRecord) {
    uuid = record.uuid
    kind = record.kind.rawValue
    subtype = record.subtype
    title = record.title
    parent = record.parentID
    rank = record.rank
    creationDate = record.creationDate.timeIntervalSince1970
    keyAsset = record.keyAssetID
  }

  func record(id: Int64) -> CollectionRecord {
    var record = CollectionRecord(
      uuid: uuid, kind: CollectionKind(rawValue: kind) ?? .album, subtype: subtype, title: title, date: creationDate)
    record.id = id
    record.parentID = parent
    record.rank = rank
    record.keyAssetID = keyAsset
    return record
  }
}

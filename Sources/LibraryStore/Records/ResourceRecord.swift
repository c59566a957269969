import Foundation

/// A row of `resource` with its `original`: one file of an asset.
public struct ResourceRecord: Hashable, Sendable {
  public internal(set) var id: Int64 = 0
  public internal(set) var assetID: Int64 = 0
  /// The raw value of `PHAssetResourceType`.
  public var type: Int
  public internal(set) var originalID: Int64 = 0
  public var originalFilename: String
  public var uniformTypeIdentifier: String
  public var pixelWidth: Int
  public var pixelHeight: Int
  /// The duration in seconds; 0 for stills.
  public var duration: Double
  /// The byte range of the movie in a motion photo.
  public var motionVideo: Range<Int>?
  public internal(set) var byteCount = 0
  /// Whether the last verification found the file damaged.
  public internal(set) var isDamaged = false
  public internal(set) var sha256 = Data()
  /// The path relative to the library's folder.
  public internal(set) var path = ""

  public init(
    type: Int, originalFilename: String, uniformTypeIdentifier: String, pixelWidth: Int, pixelHeight: Int,
    duration: Double = 0, motionVideo: Range<Int>? = nil
  ) {
    self.type = type
    self.originalFilename = originalFilename
    self.uniformTypeIdentifier = uniformTypeIdentifier
    self.pixelWidth = pixelWidth
    self.pixelHeight = pixelHeight
    self.duration = duration
    self.motionVideo = motionVideo
  }
}

extension ResourceRecord {
  static let table = "resource"

  /// Selects every resource with its original. A `WHERE` and an `ORDER BY` may follow.
  static let selection = """
    SELECT resource.*, original.sha256, original.path, original.byte_count, original.is_damaged
    FROM resource JOIN original ON original.id = resource.original_id
    """

  init(row: StoreRow) throws {
    self.init(
      type: try row.value("type"), originalFilename: try row.value("original_filename"),
      uniformTypeIdentifier: try row.value("uniform_type_identifier"), pixelWidth: try row.pixels("pixel_width"),
      pixelHeight: try row.pixels("pixel_height"), duration: try row.finite("duration"))
    id = try row.value("id")
    assetID = try row.value("asset_id")
    originalID = try row.value("original_id")
    if try row.value("motion_offset") as Int? != nil, try row.value("motion_byte_count") as Int? != nil {
      let offset = try row.byteCount("motion_offset")
      motionVideo = offset..<offset + (try row.byteCount("motion_byte_count"))
    }
    byteCount = try row.byteCount("byte_count")
    isDamaged = try row.value("is_damaged")
    sha256 = try row.value("sha256")
    path = try row.value("path")
  }

  var columns: Columns {
    [
      ("asset_id", assetID.value), ("type", type.value), ("original_id", originalID.value),
      ("original_filename", originalFilename.value),
      ("uniform_type_identifier", uniformTypeIdentifier.value), ("pixel_width", pixelWidth.value),
      ("pixel_height", pixelHeight.value),
      ("duration", duration.value),
      ("motion_offset", (motionVideo?.lowerBound).value), ("motion_byte_count", (motionVideo?.count).value),
    ]
  }
}

import Foundation

/// A row of `asset`: the properties that predicates and sort descriptors use.
public struct AssetRecord: Hashable, Sendable {
  public internal(set) var id: Int64 = 0
  public var uuid: String
  public var mediaType: Int
  public var mediaSubtypes: UInt
  public var creationDate: Date
  /// The offset of the place where the photo was taken, in seconds east of UTC.
  public var timeZoneOffset: Int
  public var modificationDate: Date
  public var addedDate: Date
  public var pixelWidth: Int
  public var pixelHeight: Int
  public var duration: Double
  public var isFavorite = false
  public var isHidden = false
  public var isUnreadable = false
  public var burstIdentifier: String?
  public var representsBurst = false
  /// The raw value of `PHAssetBurstSelectionType`.
  public var burstSelectionTypes: UInt = 0
  /// `PHAssetBurstSelectionType.autoPick`.
  static let autoPick: UInt = 1
  public var hasAdjustments = false
  /// 0 for none, or 1 to 5 stars.
  public var rating = 0
  public var traits: AssetTraits = []
  /// The deletion date, moved forward by the time that does not count (`ClockInterval`). The files
  /// stay until the asset is expunged.
  public var trashedDate: Date?
  public var latitude: Double?
  public var longitude: Double?
  public var altitude: Double?
  /// A version that changes whenever the asset's renditions do. It is part of their address.
  public var renditionVersion: String

  public init(
    uuid: String, mediaType: Int, mediaSubtypes: UInt, creationDate: Date, timeZoneOffset: Int, addedDate: Date,
    pixelWidth: Int, pixelHeight: Int, duration: Double, renditionVersion: String
  ) {
    self.uuid = uuid
    self.mediaType = mediaType
    self.mediaSubtypes = mediaSubtypes
    self.creationDate = creationDate
    self.timeZoneOffset = timeZoneOffset
    self.modificationDate = addedDate
    self.addedDate = addedDate
    self.pixelWidth = pixelWidth
    self.pixelHeight = pixelHeight
    self.duration = duration
    self.renditionVersion = renditionVersion
  }

  mutating func setRepresentsBurst(_ isRepresentative: Bool) {
    representsBurst = isRepresentative
    if isRepresentative { burstSelectionTypes |= Self.autoPick } else { burstSelectionTypes &= ~Self.autoPick }
  }

  /// The clock time of the place, in seconds since 1970 as if it were UTC.
  var localDate: Double { creationDate.timeIntervalSince1970 + Double(timeZoneOffset) }
  var visibility: Visibility {
    var visibility: Visibility = []
    if burstIdentifier != nil, !representsBurst, burstSelectionTypes == 0 { visibility.insert(.unpickedFrame) }
    if isHidden { visibility.insert(.hidden) }
    if trashedDate != nil { visibility.insert(.trashed) }
    return visibility
  }
  /// Days since 1970 by the clock of the place.
  var localDay: Int { Int(exactly: (localDate / 86_400).rounded(.down)) ?? 0 }
}

extension AssetRecord {
  static let table = "asset"

  init(row: StoreRow) throws {
    self.init(
      uuid: try row.value("uuid"), mediaType: try row.value("media_type"),
      mediaSubtypes: UInt(bitPattern: try row.value("media_subtypes") as Int),
      creationDate: try row.date("creation_date"),
      timeZoneOffset: try row.number("time_zone_offset", in: -64_800...64_800), addedDate: try row.date("added_date"),
      pixelWidth: try row.pixels("pixel_width"), pixelHeight: try row.pixels("pixel_height"),
      duration: try row.finite("duration"), renditionVersion: try row.value("rendition_version"))
    id = try row.value("id")
    modificationDate = try row.date("modification_date")
    isFavorite = try row.value("is_favorite")
    isHidden = try row.value("is_hidden")
    isUnreadable = try row.value("is_unreadable")
    burstIdentifier = try row.value("burst_identifier")
    representsBurst = try row.value("represents_burst")
    burstSelectionTypes = UInt(bitPattern: try row.value("burst_selection_types") as Int)
    hasAdjustments = try row.value("has_adjustments")
    rating = try row.number("rating", in: 0...5)
    traits = AssetTraits(rawValue: try row.value("traits"))
    trashedDate = try row.finiteIfPresent("trashed_date").map(Date.init(timeIntervalSince1970:))
    latitude = try row.finiteIfPresent("latitude", in: -90...90)
    longitude = try row.finiteIfPresent("longitude", in: -180...180)
    altitude = try row.finiteIfPresent("altitude")
  }

  var columns: Columns {
    [
      ("uuid", uuid.value), ("media_type", mediaType.value), ("media_subtypes", Int(bitPattern: mediaSubtypes).value),
      ("creation_date", creationDate.timeIntervalSince1970.value), ("time_zone_offset", timeZoneOffset.value),
      ("local_date", localDate.value), ("local_day", localDay.value),
      ("modification_date", modificationDate.timeIntervalSince1970.value),
      ("added_date", addedDate.timeIntervalSince1970.value),
      ("pixel_width", pixelWidth.value), ("pixel_height", pixelHeight.value), ("duration", duration.value),
      ("is_favorite", isFavorite.value), ("is_hidden", isHidden.value), ("is_unreadable", isUnreadable.value),
      ("burst_identifier", burstIdentifier.value), ("represents_burst", representsBurst.value),
      ("burst_selection_types", Int(bitPattern: burstSelectionTypes).value), ("has_adjustments", hasAdjustments.value),
      ("rating", rating.value), ("traits", traits.rawValue.value),
      ("trashed_date", (trashedDate?.timeIntervalSince1970).value),
      ("visibility", visibility.rawValue.value),
      ("latitude", latitude.value), ("longitude", longitude.value), ("altitude", altitude.value),
      ("rendition_version", renditionVersion.value),
    ]
  }
}

extension AssetRecord {
  /// Returns a record in place of an asset that was deleted after its fetch.
  public static func deleted(uuid: String = "") -> AssetRecord {
    AssetRecord(
      uuid: uuid, mediaType: 0, mediaSubtypes: 0, creationDate: .distantPast, timeZoneOffset: 0,
      addedDate: .distantPast,
      pixelWidth: 0, pixelHeight: 0, duration: 0, renditionVersion: "")
  }
}

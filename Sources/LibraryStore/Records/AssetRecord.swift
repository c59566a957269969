import Foundation
internal import GRDB

/// A row of `asset`: what predicates and sort descriptors name.
public struct AssetRecord: Hashable, Sendable {
  public internal(set) var id: Int64 = 0
  public var uuid: String
  public var mediaType: Int
  public var mediaSubtypes: UInt
  public var creationDate: Date
  /// Seconds east of UTC, where the photo was taken.
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
  /// `PHAssetBurstSelectionType`'s raw value.
  public var burstSelectionTypes: UInt = 0
  public var hasAdjustments = false
  /// 0: none; 1 to 5 stars.
  public var rating = 0
  public var traits: AssetTraits = []
  /// When it was deleted; its files stay until it is expunged.
  public var trashedDate: Date?
  public var latitude: Double?
  public var longitude: Double?
  public var altitude: Double?
  /// Changes whenever the asset's renditions do; part of their address.
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

  /// The clock of the place, as if it stood in UTC.
  var localDate: Double { creationDate.timeIntervalSince1970 + Double(timeZoneOffset) }
  /// Who sees it, as the table of assets says it.
  private var visibility: Int {
    (burstIdentifier != nil && !representsBurst && burstSelectionTypes == 0 ? 1 : 0) + (isHidden ? 2 : 0)
      + (trashedDate != nil ? 4 : 0)
  }
  /// Days since 1970 on that clock.
  var localDay: Int { Int(exactly: (localDate / 86_400).rounded(.down)) ?? 0 }
}

extension AssetRecord {
  static let table = "asset"

  init(row: Row) {
    self.init(
      uuid: row["uuid"], mediaType: row["media_type"], mediaSubtypes: UInt(bitPattern: row["media_subtypes"] as Int),
      creationDate: Date(timeIntervalSince1970: row["creation_date"]), timeZoneOffset: row["time_zone_offset"],
      addedDate: Date(timeIntervalSince1970: row["added_date"]), pixelWidth: row["pixel_width"],
      pixelHeight: row["pixel_height"], duration: row["duration"], renditionVersion: row["rendition_version"])
    id = row["id"]
    modificationDate = Date(timeIntervalSince1970: row["modification_date"])
    isFavorite = row["is_favorite"]
    isHidden = row["is_hidden"]
    isUnreadable = row["is_unreadable"]
    burstIdentifier = row["burst_identifier"]
    representsBurst = row["represents_burst"]
    burstSelectionTypes = UInt(bitPattern: row["burst_selection_types"] as Int)
    hasAdjustments = row["has_adjustments"]
    rating = row["rating"]
    traits = AssetTraits(rawValue: row["traits"])
    trashedDate = (row["trashed_date"] as Double?).map(Date.init(timeIntervalSince1970:))
    latitude = row["latitude"]
    longitude = row["longitude"]
    altitude = row["altitude"]
  }

  var columns: Columns {
    [
      ("uuid", uuid), ("media_type", mediaType), ("media_subtypes", Int(bitPattern: mediaSubtypes)),
      ("creation_date", creationDate.timeIntervalSince1970), ("time_zone_offset", timeZoneOffset),
      ("local_date", localDate), ("local_day", localDay),
      ("modification_date", modificationDate.timeIntervalSince1970), ("added_date", addedDate.timeIntervalSince1970),
      ("pixel_width", pixelWidth), ("pixel_height", pixelHeight), ("duration", duration),
      ("is_favorite", isFavorite), ("is_hidden", isHidden), ("is_unreadable", isUnreadable),
      ("burst_identifier", burstIdentifier), ("represents_burst", representsBurst),
      ("burst_selection_types", Int(bitPattern: burstSelectionTypes)), ("has_adjustments", hasAdjustments),
      ("rating", rating), ("traits", traits.rawValue), ("trashed_date", trashedDate?.timeIntervalSince1970),
      ("visibility", visibility),
      ("latitude", latitude), ("longitude", longitude), ("altitude", altitude),
      ("rendition_version", renditionVersion),
    ]
  }
}

extension AssetRecord {
  /// What stands where an asset was that has been deleted since its fetch.
  public static func deleted(uuid: String = "") -> AssetRecord {
    AssetRecord(
      uuid: uuid, mediaType: 0, mediaSubtypes: 0, creationDate: .distantPast, timeZoneOffset: 0,
      addedDate: .distantPast,
      pixelWidth: 0, pixelHeight: 0, duration: 0, renditionVersion: "")
  }
}

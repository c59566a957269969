import Foundation
internal import GRDB

/// A row of `asset_detail`: what is shown of an asset, and what pairs files to assets.
public struct AssetDetailRecord: Hashable, Sendable {
  public internal(set) var assetID: Int64 = 0
  /// Where the creation date and its zone come from, as `Imaging` names them.
  public var dateSource: String
  public var timeZoneSource: String
  /// What a Live Photo's still and movie share.
  public var contentIdentifier: String?
  /// What a RAW file and the JPEG of the same shot share.
  public var shotKey: String?
  /// JSON of the camera and its settings.
  public var camera: String
  /// Sentences for a person: what was odd about the files.
  public var notes: [String]
  /// Why the picture or the movie can't be shown.
  public var unreadableReason: String?

  public init(dateSource: String, timeZoneSource: String, camera: String, notes: [String]) {
    self.dateSource = dateSource
    self.timeZoneSource = timeZoneSource
    self.camera = camera
    self.notes = notes
  }
}

extension AssetDetailRecord {
  static let table = "asset_detail"

  init(row: Row) throws {
    let notes: String = row["notes"]
    self.init(
      dateSource: row["date_source"], timeZoneSource: row["time_zone_source"], camera: row["camera"],
      notes: try JSONDecoder().decode([String].self, from: Data(notes.utf8)))
    assetID = row["asset_id"]
    contentIdentifier = row["content_identifier"]
    shotKey = row["shot_key"]
    unreadableReason = row["unreadable_reason"]
  }

  func columns() throws -> Columns {
    [
      ("asset_id", assetID), ("date_source", dateSource), ("time_zone_source", timeZoneSource),
      ("content_identifier", contentIdentifier), ("shot_key", shotKey), ("camera", camera),
      ("notes", String(decoding: try JSONEncoder().encode(notes), as: UTF8.self)),
      ("unreadable_reason", unreadableReason),
    ]
  }
}

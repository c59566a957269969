import Foundation

/// A row of `asset_detail`: properties that are shown, and keys that match files to assets.
public struct AssetDetailRecord: Hashable, Sendable {
  public internal(set) var assetID: Int64 = 0
  /// The sources of the creation date and its time zone, as `Imaging` names them.
  public var dateSource: String
  public var timeZoneSource: String
  /// The identifier that a Live Photo's still and movie share.
  public var contentIdentifier: String?
  /// The key that a RAW file and the JPEG of the same shot share.
  public var shotKey: String?
  /// The camera and its settings as JSON.
  public var camera: String
  /// Sentences for a person about anything unusual in the files.
  public var notes: [String]
  /// The reason that the picture or the movie can't be shown.
  public var unreadableReason: String?
  /// The name, size and type of the primary file.
  public var originalFilename = ""
  public var fileSize = 0
  public var uniformTypeIdentifier = ""
  /// Texts that a person wrote about the asset.
  public var title: String?
  public var caption: String?
  public var keywords: [String] = []
  /// From the most precise place to the largest.
  public var placeNames: [String] = []

  public init(dateSource: String, timeZoneSource: String, camera: String, notes: [String]) {
    self.dateSource = dateSource
    self.timeZoneSource = timeZoneSource
    self.camera = camera
    self.notes = notes
  }
}

extension AssetDetailRecord {
  static let table = "asset_detail"

  init(row: StoreRow) throws {
    self.init(
      dateSource: try row.value("date_source"), timeZoneSource: try row.value("time_zone_source"),
      camera: try row.value("camera"), notes: try Self.list("notes", of: row))
    assetID = try row.value("asset_id")
    contentIdentifier = try row.value("content_identifier")
    shotKey = try row.value("shot_key")
    unreadableReason = try row.value("unreadable_reason")
    originalFilename = try row.value("original_filename")
    fileSize = try row.byteCount("file_size")
    uniformTypeIdentifier = try row.value("uniform_type_identifier")
    title = try row.value("title")
    caption = try row.value("caption")
    keywords = try Self.list("keywords", of: row)
    placeNames = try Self.list("place_names", of: row)
  }

  private static func list(_ column: String, of row: StoreRow) throws -> [String] {
    let json: String = try row.value(column)
    // Decoding takes many times as long as the comparison, and most lists are empty.
    if json == "[]" { return [] }
    do { return try JSONDecoder().decode([String].self, from: Data(json.utf8)) } catch {
      throw StoreError.damagedValue(of: column)
    }
  }

  static func json(_ list: [String]) throws -> String {
    list.isEmpty ? "[]" : String(decoding: try JSONEncoder().encode(list), as: UTF8.self)
  }

  func columns() throws -> Columns {
    [
      ("asset_id", assetID.value), ("date_source", dateSource.value), ("time_zone_source", timeZoneSource.value),
      ("content_identifier", contentIdentifier.value), ("shot_key", shotKey.value), ("camera", camera.value),
      ("notes", try Self.json(notes).value), ("unreadable_reason", unreadableReason.value),
      ("original_filename", originalFilename.value),
      ("file_size", fileSize.value), ("uniform_type_identifier", uniformTypeIdentifier.value), ("title", title.value),
      ("caption", caption.value), ("keywords", try Self.json(keywords).value),
      ("place_names", try Self.json(placeNames).value),
    ]
  }

  /// Returns the texts by which a search finds the asset before a change and after it.
  func searchColumns(changingTo after: AssetDetailRecord) -> (before: Columns, after: Columns) {
    guard camera == after.camera else { return (searchColumns, after.searchColumns) }
    // Decoding the camera of each asset would take most of the time of a large change.
    let same = SearchedCamera()
    return (searchColumns(same), after.searchColumns(same))
  }

  /// The texts by which a search finds the asset.
  var searchColumns: Columns {
    searchColumns((try? JSONDecoder().decode(SearchedCamera.self, from: Data(camera.utf8))) ?? SearchedCamera())
  }

  private func searchColumns(_ camera: SearchedCamera) -> Columns {
    [
      ("rowid", assetID.value), ("filename", originalFilename.value), ("title", title.value),
      ("caption", caption.value),
      ("keywords", keywords.joined(separator: "\n").value),
      ("camera", [camera.make, camera.model].compactMap(\.self).joined(separator: " ").value),
      ("place", placeNames.joined(separator: "\n").value),
    ]
  }

  private struct SearchedCamera: Decodable {
    var make: String?
    var model: String?
  }
}

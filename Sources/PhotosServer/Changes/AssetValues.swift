import CoreLocation
import Foundation
import Photos
import PhotosJSON

/// The new values of assets. Those that are `nil` stay as they are.
struct AssetValues: Sendable {
  var isFavorite: Bool?
  var isHidden: Bool?
  var isBurstPick: Bool?
  var creationDate: Date?
  /// The time in seconds by which the date of each asset moves.
  var dateMove: TimeInterval?
  /// In seconds east of UTC.
  var timeZoneOffset: Int?
  var coordinate: CLLocationCoordinate2D??
  var title: String??
  var caption: String??
  var keywords: [String]?
  var addedKeywords: [String] = []
  var removedKeywords: [String] = []

  static let keys: Set<String> = [
    "isFavorite", "isHidden", "isBurstPick", "creationDate", "moveCreationDate", "timeZone", "location", "title",
    "caption", "keywords", "addKeywords", "removeKeywords",
  ]

  private static let textLimit = 10_000
  private static let keywordLimit = 1000

  init(_ fields: JSONFields, _ place: JSONPlace) throws {
    guard fields.keys.contains(where: Self.keys.contains) else {
      throw place.failure("no value is given; the keys are \(Self.keys.sorted().joined(separator: ", "))")
    }
    isFavorite = try fields["isFavorite"]?.bool()
    isHidden = try fields["isHidden"]?.bool()
    isBurstPick = try fields["isBurstPick"]?.bool()
    if let field = fields["creationDate"] {
      guard let (date, offset) = try ISODate.date(field.string()) else {
        throw field.failure("a date has to be like 2019-03-04T17:20:11.250-06:00")
      }
      (creationDate, timeZoneOffset) = (date, offset)
    }
    if let field = fields["moveCreationDate"] {
      guard creationDate == nil else { throw field.failure("a date is either set or moved") }
      dateMove = try field.number()
    }
    if let field = fields["timeZone"] {
      guard let offset = try ISODate.offset(field.string()) else {
        throw field.failure("a time zone has to be like -06:00")
      }
      timeZoneOffset = offset
    }
    if let field = fields["location"] { coordinate = field.isNull ? .some(nil) : try Self.coordinate(field) }
    title = try Self.text(fields["title"])
    caption = try Self.text(fields["caption"])
    keywords = try Self.keywords(fields["keywords"])
    addedKeywords = try Self.keywords(fields["addKeywords"]) ?? []
    removedKeywords = try Self.keywords(fields["removeKeywords"]) ?? []
  }

  private static func text(_ field: JSONPlace?) throws -> String?? {
    guard let field else { return nil }
    guard !field.isNull else { return .some(nil) }
    let text = try field.text(limit: textLimit)
    return .some(text.isEmpty ? nil : text)
  }

  private static func keywords(_ field: JSONPlace?) throws -> [String]? {
    try field?.array().map { place in
      let keyword = try place.text(limit: keywordLimit)
      guard keyword.contains(where: { !$0.isWhitespace }) else { throw place.failure("the keyword is empty") }
      return keyword
    }
  }

  private static func coordinate(_ field: JSONPlace) throws -> CLLocationCoordinate2D {
    let fields = try field.fields(["latitude", "longitude"])
    func degrees(_ key: String, _ limit: Double) throws -> Double {
      let place = try fields.require(key)
      let number = try place.number()
      guard abs(number) <= limit else { throw place.failure("this has to be a number from \(-limit) to \(limit)") }
      return number
    }
    return CLLocationCoordinate2D(latitude: try degrees("latitude", 90), longitude: try degrees("longitude", 180))
  }

  /// Requests the change of one asset. Called inside a change block.
  func request(for asset: PHAsset) {
    let request = PHAssetChangeRequest(for: asset)
    if let isFavorite { request.isFavorite = isFavorite }
    if let isHidden { request.isHidden = isHidden }
    if let isBurstPick { request.isBurstPick = isBurstPick }
    if let creationDate { request.creationDate = creationDate }
    if let dateMove { request.moveCreationDate(by: dateMove) }
    if let timeZoneOffset { request.timeZoneOffset = timeZoneOffset }
    if let coordinate {
      request.location = coordinate.map { CLLocation(latitude: $0.latitude, longitude: $0.longitude) }
    }
    if let title { request.title = title }
    if let caption { request.caption = caption }
    if let keywords { request.keywords = keywords }
    for keyword in removedKeywords { request.removeKeyword(keyword) }
    for keyword in addedKeywords { request.addKeyword(keyword) }
  }
}

import Foundation

extension SearchQuery {
  /// Reads a season: `summer 2019`, `last summer`. A season belongs to the year in which it begins.
  ///
  /// The seasons are those of the server's time zone, since people name the seasons of their home.
  /// The place of a photo does not matter: many photos have none.
  static func season(_ first: String, _ second: String, today: DateComponents, _ zone: TimeZone) -> Reading? {
    if let month = month(ofSeason: first, zone), second.count == 4, let year = Int(second) {
      return season(first, year: year, month: month)
    }
    guard first == "last", let month = month(ofSeason: second, zone), let year = today.year, let thisMonth = today.month
    else { return nil }
    // The latest one that is over.
    return season(second, year: (12 * year + thisMonth - month - monthCount) / 12, month: month)
  }

  private static let monthCount = 3

  private static func season(_ name: String, year: Int, month: Int) -> Reading? {
    let years = month + monthCount > 13 ? "\(year)–\(year + 1)" : String(year)
    return reading(2, year: year, month: month, months: monthCount, name: "\(name.capitalized) \(years)")
  }

  /// Returns the month in which a season begins.
  private static func month(ofSeason name: String, _ zone: TimeZone) -> Int? {
    let northern = ["spring": 3, "summer": 6, "autumn": 9, "fall": 9, "winter": 12]
    guard let month = northern[name] else { return nil }
    return isSouthern(zone) ? (month + 5) % 12 + 1 : month
  }

  /// Returns whether the main city of a time zone lies south of the equator. A zone without a city,
  /// like UTC, counts as northern.
  private static func isSouthern(_ zone: TimeZone) -> Bool {
    // Each line has countries, coordinates like -3352+15113, and the zone.
    let table = try? String(contentsOfFile: "/usr/share/zoneinfo/zone.tab", encoding: .utf8)
    let lines = (table ?? "").split(separator: "\n").map { $0.split(separator: "\t") }
    return lines.contains { $0.count > 2 && $0[2] == zone.identifier && $0[1].hasPrefix("-") }
  }
}

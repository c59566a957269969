import Foundation

extension DateReader {
  /// Reads a season: `summer 2019`, `winter 2019-2020`, `this summer`, `last summer`. A season
  /// belongs to the year in which it begins.
  ///
  /// The seasons are those of the server's time zone, since people name the seasons of their home.
  /// The place of a photo does not matter: many photos have none.
  func season(_ words: ArraySlice<String>) -> NamedDays? {
    guard let first = words.first, let second = words.dropFirst().first else { return nil }
    if let month = Self.month(ofSeason: first, zone),
      let match = second.wholeMatch(of: /([0-9]{4})(?:[-–\/]([0-9]{4}))?/),
      let year = Int(match.1)
    {
      // The page writes such a season with both years.
      let lastYear = match.2.flatMap { Int($0) } ?? year
      guard lastYear == year || month > 10 && lastYear == year + 1 else { return nil }
      return Self.named(first, self.days(2, year, month, months: Self.monthCount))
    }
    guard first == "last" || first == "this", let month = Self.month(ofSeason: second, zone) else { return nil }
    // The latest one that is over, or has begun.
    let now = Self.calendar.dateComponents([.year, .month], from: today)
    guard let year = now.year, let thisMonth = now.month else { return nil }
    let latest = (12 * year + thisMonth - month - (first == "last" ? Self.monthCount : 0)) / 12
    return Self.named(second, self.days(2, latest, month, months: Self.monthCount))
  }

  private static let monthCount = 3

  private static func named(_ season: String, _ days: NamedDays?) -> NamedDays? {
    guard var days else { return nil }
    let parts = calendar.dateComponents([.year, .month], from: days.start)
    guard let year = parts.year, let month = parts.month else { return nil }
    days.name = "\(season.capitalized) \(month + monthCount > 13 ? "\(year)–\(year + 1)" : String(year))"
    return days
  }

  /// Returns the month in which a season begins.
  private static func month(ofSeason name: String, _ zone: TimeZone) -> Int? {
    let northern = ["spring": 3, "summer": 6, "autumn": 9, "fall": 9, "winter": 12]
    guard let month = northern[name] else { return nil }
    return isSouthern(zone) ? (month + 5) % 12 + 1 : month
  }

  /// Returns whether the main city of a time zone lies south of the equator. A zone without a city,
  /// like UTC, counts as northern.
  private static func isSouthern(_ zone: TimeZone) -> Bool { southernZones.contains(zone.identifier) }

  private static let southernZones: Set<String> = {
    // Each line has countries, coordinates like -3352+15113, and the zone.
    let table = try? String(contentsOfFile: "/usr/share/zoneinfo/zone.tab", encoding: .utf8)
    let lines = (table ?? "").split(separator: "\n").map { $0.split(separator: "\t") }
    return Set(lines.filter { $0.count > 2 && $0[1].hasPrefix("-") }.map { String($0[2]) })
  }()
}

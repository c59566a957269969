import Foundation
import Photos
import Testing

@testable import PhotosServer

@Suite struct SearchQueryTests {
  @Test(arguments: [
    ("fjord", ["text: fjord"]), ("june 2019", ["date: June 2019"]),
    ("Jun 2019 fjord", ["date: June 2019", "text: fjord"]),
    ("2019", ["date: 2019"]), ("2019-06", ["date: June 2019"]), ("2019-06-14", ["date: 14 June 2019"]),
    ("14 june 2019", ["date: 14 June 2019"]), ("june 14 2019", ["date: 14 June 2019"]),
    ("summer 2019 fjord", ["date: Summer 2019", "text: fjord"]),
    ("winter 2019", ["date: Winter 2019–2020"]), ("Fall 2019", ["date: Fall 2019"]), ("summer", ["text: summer"]),
    ("summer 19", ["text: summer 19"]), ("summer 0000", ["text: summer 0000"]), ("last dance", ["text: last dance"]),
    ("2019-02-30", ["text: 2019-02-30"]), ("june", ["text: june"]), ("0000", ["text: 0000"]),
    ("live photos norway", ["kind: Live Photos", "text: norway"]), ("live", ["kind: Live Photos"]),
    ("video > 1 min", ["kind: Videos", "duration: longer than 1 min"]),
    ("video >1min oslo", ["kind: Videos", "duration: longer than 1 min", "text: oslo"]),
    ("shorter than 90 s", ["duration: shorter than 90 s"]), (">", []), ("", []), (" , ", []), ("!!", []),
    ("fjord\0oslo", ["text: fjord oslo"]),
  ])
  func `a search is understood`(text: String, terms: [String]) throws {
    let query = SearchQuery(text)
    #expect(query.understood.map { "\($0.kind): \($0.text)" } == terms)
    try query.options.validate(for: PHAsset.self)
  }

  @Test(arguments: [
    ("last summer", "2026-11-23", "Summer 2026", "2026-06-01", "2026-09-01"),
    ("last summer", "2026-09-01", "Summer 2026", "2026-06-01", "2026-09-01"),
    ("last summer", "2026-08-31", "Summer 2025", "2025-06-01", "2025-09-01"),
    ("last winter", "2026-02-28", "Winter 2024–2025", "2024-12-01", "2025-03-01"),
    ("last winter", "2026-03-01", "Winter 2025–2026", "2025-12-01", "2026-03-01"),
    ("last spring", "2026-01-01", "Spring 2025", "2025-03-01", "2025-06-01"),
    ("autumn 2019", "2026-01-01", "Autumn 2019", "2019-09-01", "2019-12-01"),
    ("last year", "2026-01-01", "2025", "2025-01-01", "2026-01-01"),
    ("yesterday", "2026-01-01", "31 December 2025", "2025-12-31", "2026-01-01"),
  ])
  func `a season or a day before today has exact dates`(
    text: String, today: String, understood: String, start: String, end: String
  ) throws {
    try expect(text, today, .gmt, understood, start, end)
  }

  @Test(
    .enabled(if: FileManager.default.fileExists(atPath: "/usr/share/zoneinfo/zone.tab")),
    arguments: [
      ("last summer", "2026-11-23", "Summer 2025–2026", "2025-12-01", "2026-03-01"),
      ("last winter", "2026-11-23", "Winter 2026", "2026-06-01", "2026-09-01"),
      ("spring 2019", "2026-11-23", "Spring 2019", "2019-09-01", "2019-12-01"),
      ("fall 2019", "2026-11-23", "Fall 2019", "2019-03-01", "2019-06-01"),
    ])
  func `a server south of the equator has the seasons of its half of the earth`(
    text: String, today: String, understood: String, start: String, end: String
  ) throws {
    for city in ["Australia/Sydney", "Africa/Johannesburg", "America/Sao_Paulo"] {
      try expect(text, today, #require(TimeZone(identifier: city)), understood, start, end)
    }
  }

  @Test func `yesterday is the day before, also at the end of a day of 25 hours`() throws {
    let berlin = try #require(TimeZone(identifier: "Europe/Berlin"))
    let lateOnSunday = try Date("2026-10-25T22:30:00Z", strategy: .iso8601)
    #expect(SearchQuery.date(["yesterday"], now: lateOnSunday, zone: berlin)?.term.text == "24 October 2026")
  }

  /// Expects what a date is understood as at noon of a day, and its first day and the day after it.
  private func expect(
    _ text: String, _ today: String, _ zone: TimeZone, _ understood: String, _ start: String, _ end: String
  ) throws {
    func midnight(_ day: String) throws -> Date { try Date("\(day)T00:00:00Z", strategy: .iso8601) }
    let noon = try midnight(today).addingTimeInterval(43_200)
    let words = text.split(separator: " ").map(String.init)
    let reading = try #require(SearchQuery.date(words[...], now: noon, zone: zone))
    #expect(reading.term.text == understood)
    #expect(reading.wordCount == words.count)
    #expect(try reading.condition.dates == [midnight(start), midnight(end)])
  }
}

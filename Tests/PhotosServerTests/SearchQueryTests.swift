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
    ("2019-02-30", ["text: 2019-02-30"]), ("june", ["date: June"]), ("jun", ["text: jun"]),
    ("14 june", ["date: 14 June"]), ("june 14th fjord", ["date: 14 June", "text: fjord"]),
    ("30 february", ["date: February", "text: 30"]), ("0000", ["text: 0000"]),
    ("live photos norway", ["kind: Live Photos", "text: norway"]), ("live", ["kind: Live Photos"]),
    ("video > 1 min", ["kind: Videos", "duration: longer than 1 min"]),
    ("video >1min oslo", ["kind: Videos", "duration: longer than 1 min", "text: oslo"]),
    ("shorter than 90 s", ["duration: shorter than 90 s"]), (">", []), ("", []), (" , ", []), ("!!", []),
    ("fjord\0oslo", ["text: fjord oslo"]),
    ("2019 june", ["date: June 2019"]), ("6/2019", ["date: June 2019"]), ("14.6.2019", ["date: 14 June 2019"]),
    ("6/14/2019", ["date: 14 June 2019"]), ("14/6/2019", ["date: 14 June 2019"]), ("1990s", ["date: 1990s"]),
    ("2017-2019", ["date: 2017 – 2019"]), ("june-august 2019", ["date: June 2019 – August 2019"]),
    ("june to august 2019", ["date: June 2019 – August 2019"]),
    ("from 2017 to may 2019 fjord", ["date: 2017 – May 2019", "text: fjord"]),
    ("between 2017 and 2019", ["date: 2017 – 2019"]), ("2019 to 2017", ["date: 2017 – 2019"]),
    ("june to august fjord", ["date: June – August", "text: fjord"]), ("nov-feb", ["date: November – February"]),
    ("between june and august", ["date: June – August"]), ("winter 2019-2020", ["date: Winter 2019–2020"]),
    ("summer 2019-2020", ["date: 2019 – 2020", "text: summer"]), ("february 30", ["date: February", "text: 30"]),
    ("june 45", ["date: June", "text: 45"]), ("14-20 june 2019", ["date: 14 June 2019 – 20 June 2019"]),
    ("2019 2019 fjord 2019", ["date: 2019", "text: fjord"]), ("٢٠١٩", ["text: ٢٠١٩"]),
    ("\"june 2019\"", ["date: June 2019"]), ("slo-mo", ["kind: Slo-mo"]),
    ("before 2019", ["date: before 2019"]), ("since june 2019", ["date: since June 2019"]),
    ("after party", ["text: after party"]), ("in june 2019", ["date: June 2019"]),
    ("photos of fjord in 2019", ["kind: Photos", "date: 2019", "text: fjord"]), ("way to oslo", ["text: way to oslo"]),
    ("photos from", ["kind: Photos", "text: from"]),
    ("videos over 1:30", ["kind: Videos", "duration: longer than 1:30"]),
    ("over 1 minute oslo", ["duration: longer than 1 min", "text: oslo"]),
    ("at least 2 hours", ["duration: at least 2 h"]),
    ("over the hills", ["text: over the hills"]), ("< 1:30:00", ["duration: shorter than 1:30:00"]),
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
    ("this week", "2026-11-29", "This week", "2026-11-23", "2026-11-30"),
    ("last week", "2026-11-23", "Last week", "2026-11-16", "2026-11-23"),
    ("this month", "2026-02-28", "February 2026", "2026-02-01", "2026-03-01"),
    ("last month", "2026-03-31", "February 2026", "2026-02-01", "2026-03-01"),
    ("last 7 days", "2026-01-03", "Last 7 days", "2025-12-28", "2026-01-04"),
    ("last 1 days", "2026-01-03", "Last 1 day", "2026-01-03", "2026-01-04"),
    ("last 5 day", "2026-01-06", "Last 5 days", "2026-01-02", "2026-01-07"),
    ("past week", "2026-11-23", "Last week", "2026-11-16", "2026-11-23"),
    ("last june", "2026-06-30", "June 2025", "2025-06-01", "2025-07-01"),
    ("last june", "2026-07-01", "June 2026", "2026-06-01", "2026-07-01"),
    ("this june", "2026-06-01", "June 2026", "2026-06-01", "2026-07-01"),
    ("this summer", "2026-06-01", "Summer 2026", "2026-06-01", "2026-09-01"),
    ("this winter", "2026-02-01", "Winter 2025–2026", "2025-12-01", "2026-03-01"),
    ("december to february 2019", "2026-01-01", "December 2018 – February 2019", "2018-12-01", "2019-03-01"),
    ("nov-feb 2020", "2026-01-01", "November 2019 – February 2020", "2019-11-01", "2020-03-01"),
    ("december 2019 to may 2019", "2026-01-01", "May 2019 – December 2019", "2019-05-01", "2020-01-01"),
    ("past 2 months", "2026-03-31", "Last 2 months", "2026-02-01", "2026-04-01"),
    ("1990s", "2026-01-01", "1990s", "1990-01-01", "2000-01-01"),
    ("june to august 2019", "2026-01-01", "June 2019 – August 2019", "2019-06-01", "2019-09-01"),
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
    #expect(DateReader(now: lateOnSunday, zone: berlin).read(["yesterday"])?.term.text == "24 October 2026")
  }

  @Test(arguments: [
    ("before june 2019", "localCreationDate < %@", "2019-06-01"),
    ("until june 2019", "localCreationDate < %@", "2019-07-01"),
    ("since june 2019", "localCreationDate >= %@", "2019-06-01"),
    ("after june 2019", "localCreationDate >= %@", "2019-07-01"),
  ])
  func `an open range has one exact date`(text: String, format: String, date: String) throws {
    let words = text.split(separator: " ").map(String.init)
    let reading = try #require(DateReader(now: Date(), zone: .gmt).read(words[...]))
    #expect(reading.condition.format == format)
    #expect(try reading.condition.dates == [Date("\(date)T00:00:00Z", strategy: .iso8601)])
  }

  @Test(arguments: [
    ("since june", "2025-06-01"), ("after 14 june", "2025-06-15"), ("before 29 february", "2024-02-29"),
  ])
  func `an open range without a year is of the latest month or day`(text: String, date: String) throws {
    let now = try Date("2026-05-23T12:00:00Z", strategy: .iso8601)
    let words = text.split(separator: " ").map(String.init)
    let reading = try #require(DateReader(now: now, zone: .gmt).read(words[...]))
    #expect(try reading.condition.dates == [Date("\(date)T00:00:00Z", strategy: .iso8601)])
  }

  @Test func `the day of a leap year is searched for in leap years alone`() throws {
    let now = try Date("2026-11-23T12:00:00Z", strategy: .iso8601)
    let days = try #require(DateReader(now: now, zone: .gmt).read(["29", "february"])?.condition.days)
    #expect(days.count == 49)
    #expect(try days.last == Int(Date("2024-02-29T00:00:00Z", strategy: .iso8601).timeIntervalSince1970) / 86_400)
  }

  @Test(arguments: [
    ("live concert", 1, false), ("live 2019", 0, true), ("2019 video > 1 min fjord", 1, true), ("june", 1, false),
    ("14 june", 0, true),
  ])
  func `a kind or a date beside words may be meant as words`(text: String, terms: Int, hasPredicate: Bool) {
    let options = SearchQuery(text).options
    #expect(options.searchTerms.count == terms)
    #expect((options.predicate != nil) == hasPredicate)
  }

  /// Expects what a date is understood as at noon of a day, and its first day and the day after it.
  private func expect(
    _ text: String, _ today: String, _ zone: TimeZone, _ understood: String, _ start: String, _ end: String
  ) throws {
    func midnight(_ day: String) throws -> Date { try Date("\(day)T00:00:00Z", strategy: .iso8601) }
    let noon = try midnight(today).addingTimeInterval(43_200)
    let words = text.split(separator: " ").map(String.init)
    let reading = try #require(DateReader(now: noon, zone: zone).read(words[...]))
    #expect(reading.term.text == understood)
    #expect(reading.wordCount == words.count)
    #expect(try reading.condition.dates == [midnight(start), midnight(end)])
  }
}

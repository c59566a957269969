import Foundation

/// Days that a search names, like `june 2019` or `last week`.
struct NamedDays: Equatable {
  var wordCount: Int
  var name: String
  /// The first day, and the day after the last one, as midnights of UTC.
  var start: Date
  var end: Date
}

/// Reads the dates of a search.
///
///     DateReader(now: now, zone: .current).read(["june", "2019", "fjord"])    // June 2019, 2 words
struct DateReader {
  /// Today in the zone, as midnight of UTC.
  let today: Date
  let zone: TimeZone

  /// - Parameter zone: the zone of today's date and of the seasons.
  init(now: Date, zone: TimeZone) {
    self.zone = zone
    var calendar = Calendar(identifier: .gregorian)
    calendar.timeZone = zone
    today = Self.calendar.date(from: calendar.dateComponents([.year, .month, .day], from: now)) ?? now
  }

  /// The calendar of all days. Weeks begin on Monday.
  static let calendar: Calendar = {
    var calendar = Calendar(identifier: .iso8601)
    calendar.timeZone = .gmt
    return calendar
  }()

  private static let mostWords = 8

  /// Reads a date or a range of dates at the beginning of words.
  func read(_ words: ArraySlice<String>) -> SearchQuery.Reading? {
    let words = words.prefix(Self.mostWords).map { $0.lowercased() }[...]
    if let range = range(words) ?? openRange(words) { return range }
    if let days = days(words) {
      return reading(
        days.wordCount, days.name, "localCreationDate >= %@ AND localCreationDate < %@", [days.start, days.end])
    }
    return everyYear(words)
  }

  func reading(_ wordCount: Int, _ name: String, _ format: String, _ dates: [Date]) -> SearchQuery.Reading {
    SearchQuery.Reading(
      wordCount: wordCount, term: SearchQuery.Term(kind: .date, text: name),
      condition: SearchQuery.Condition(format: format, dates: dates))
  }

  /// Reads one date at the beginning of words.
  func days(_ words: ArraySlice<String>) -> NamedDays? {
    relative(words) ?? named(words) ?? numeric(words) ?? season(words)
  }

  // MARK: Today and around it

  private static let units: [String: Calendar.Component] = [
    "day": .day, "week": .weekOfYear, "month": .month, "year": .year,
  ]

  /// Reads `today`, `yesterday`, `this week`, `last month`, `last june`, `last 30 days`.
  private func relative(_ words: ArraySlice<String>) -> NamedDays? {
    let words = Array(words)
    if let first = words.first, ["today", "yesterday"].contains(first) {
      let distance = first == "today" ? 0 : -1
      guard let day = Self.calendar.date(byAdding: .day, value: distance, to: today) else { return nil }
      let parts = Self.calendar.dateComponents([.year, .month, .day], from: day)
      return days(1, parts.year, parts.month, parts.day)
    }
    guard words.count > 1, ["this", "last", "past"].contains(words[0]) else { return nil }
    if words[0] != "past", let month = month(words[1]) {
      return latest(month, isOver: words[0] == "last", wordCount: 2)
    }
    if let unit = Self.units[words[1]], unit != .day {
      guard let moment = Self.calendar.date(byAdding: unit, value: words[0] == "this" ? 0 : -1, to: today),
        let interval = Self.calendar.dateInterval(of: unit, for: moment)
      else { return nil }
      let parts = Self.calendar.dateComponents([.year, .month], from: moment)
      let name = Self.name(parts.year, unit == .month ? parts.month : nil)
      return NamedDays(
        wordCount: 2, name: unit == .weekOfYear ? words[0] == "this" ? "This week" : "Last week" : name,
        start: interval.start,
        end: interval.end)
    }
    guard words.count > 2, words[0] != "this", let count = Int(words[1]), (1...1000).contains(count),
      let unit = Self.units[words[2].hasSuffix("s") ? String(words[2].dropLast()) : words[2]],
      let end = Self.calendar.date(byAdding: .day, value: 1, to: today),
      let start = Self.calendar.date(byAdding: unit, value: -count, to: end)
    else { return nil }
    let name = count == 1 ? words[2].prefix { $0 != "s" } : words[2].hasSuffix("s") ? words[2][...] : words[2] + "s"
    return NamedDays(wordCount: 3, name: "Last \(count) \(name)", start: start, end: end)
  }

  /// Returns the latest month or day of a name that has begun. If `isOver`, it has also ended.
  func latest(_ month: Int, _ day: Int? = nil, isOver: Bool, wordCount: Int) -> NamedDays? {
    let year = Self.calendar.component(.year, from: today)
    // A 29th of February may be eight years ago.
    return (0...8).lazy.compactMap { days(wordCount, year - $0, month, day) }.first {
      isOver ? $0.end <= today : $0.start <= today
    }
  }

  // MARK: Numbers

  /// Reads `2019`, `2019-06`, `2019-06-14`, `6/2019`, `14.6.2019`, `6/14/2019`, `1990s`.
  private func numeric(_ words: ArraySlice<String>) -> NamedDays? {
    guard let first = words.first else { return nil }
    if let match = first.wholeMatch(of: /([0-9]{4})(?:[-\/.]([0-9][0-9]?)(?:[-\/.]([0-9][0-9]?))?)?/) {
      return days(1, Int(match.1), match.2.flatMap { Int($0) }, match.3.flatMap { Int($0) })
    }
    if let match = first.wholeMatch(of: /([0-9][0-9]?)[-\/.]([0-9]{4})/) { return days(1, Int(match.2), Int(match.1)) }
    if let match = first.wholeMatch(of: /([0-9][0-9]?)([.\/])([0-9][0-9]?)[.\/]([0-9]{4})/) {
      // With slashes the month is usually first, and with dots the day.
      let (one, two, year) = (Int(match.1), Int(match.3), Int(match.4))
      let (first, second) = match.2 == "/" ? (two, one) : (one, two)
      return days(1, year, second, first) ?? days(1, year, first, second)
    }
    if let match = first.wholeMatch(of: /([0-9]{3})0s/), let decade = Int(match.1),
      let start = days(1, decade * 10)?.start, let end = days(1, decade * 10 + 9)?.end
    {
      return NamedDays(wordCount: 1, name: first, start: start, end: end)
    }
    return nil
  }

  // MARK: Names of months

  private static let monthNames = [
    "January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November",
    "December",
  ]

  /// Returns the number of a month that is named in full or by at least three letters.
  func month(_ name: String?) -> Int? {
    guard let name, name.count >= 3 else { return nil }
    return Self.monthNames.firstIndex { $0.lowercased().hasPrefix(name) }.map { $0 + 1 }
  }

  private func year(_ text: String?) -> Int? { text?.count == 4 ? text.flatMap { Int($0) } : nil }

  /// Reads `14` or `14th`.
  private func dayNumber(_ text: String?) -> Int? {
    text?.wholeMatch(of: /([0-9][0-9]?)(?:\.|st|nd|rd|th)?/).flatMap { Int($0.1) }
  }

  /// Reads `june 2019`, `2019 june`, `14 june 2019`, `june 14th 2019`.
  private func named(_ words: ArraySlice<String>) -> NamedDays? {
    let word = { (place: Int) in words.dropFirst(place).first }
    if let year = year(word(2)) {
      if let month = month(word(0)), let day = dayNumber(word(1)) { return days(3, year, month, day) }
      if let day = dayNumber(word(0)), let month = month(word(1)) { return days(3, year, month, day) }
    }
    if let month = month(word(0)), let year = year(word(1)) { return days(2, year, month) }
    if let year = year(word(0)), let month = month(word(1)) { return days(2, year, month) }
    return nil
  }

  /// The years that `june` stands for: from the first photograph on.
  private var years: ClosedRange<Int> { 1826...max(1826, Self.calendar.component(.year, from: today) + 1) }

  /// Reads a month or a day of any year: `june`, `14 june`, `june 14th`.
  private func everyYear(_ words: ArraySlice<String>) -> SearchQuery.Reading? {
    guard let found = monthDay(words) else { return nil }
    return everyYear(
      found.wordCount, Self.name(nil, found.month, found.day), words: found.wordCount == 1 ? .always : .besideText
    ) { days(1, $0, found.month, found.day) }
  }

  /// Returns the days that `days` has in each year; `nil` if there are none.
  func everyYear(
    _ wordCount: Int, _ name: String, words: SearchQuery.Words = .besideText, _ days: (Int) -> NamedDays?
  ) -> SearchQuery.Reading? {
    let numbers = years.compactMap(days).flatMap { days in
      Int(days.start.timeIntervalSince1970 / 86_400)..<Int(days.end.timeIntervalSince1970 / 86_400)
    }
    guard !numbers.isEmpty else { return nil }
    return SearchQuery.Reading(
      wordCount: wordCount, term: SearchQuery.Term(kind: .date, text: name),
      condition: SearchQuery.Condition(format: "localCreationDay IN %@", days: numbers), words: words)
  }

  /// Reads a month in full, or a month and a day: `june`, `14 june`, `june 14th`.
  func monthDay(_ words: ArraySlice<String>) -> (wordCount: Int, month: Int, day: Int?)? {
    let (first, second) = (words.first, words.dropFirst().first)
    if let month = month(first) {
      if let day = dayNumber(second), Self.exists(month, day) { return (2, month, day) }
      // “Jun” and “Jan” are also names, so a month alone must be written in full.
      return first == Self.monthNames[month - 1].lowercased() || first == "sept" ? (1, month, nil) : nil
    }
    guard let day = dayNumber(first), let month = month(second), Self.exists(month, day) else { return nil }
    return (2, month, day)
  }

  private static func exists(_ month: Int, _ day: Int) -> Bool {
    (1...31).contains(day) && !(month == 2 && day > 29) && !([4, 6, 9, 11].contains(month) && day > 30)
  }

  // MARK: Days

  static func name(_ year: Int?, _ month: Int? = nil, _ day: Int? = nil) -> String {
    let parts = [day.map(String.init), month.map { monthNames[$0 - 1] }, year.map(String.init)]
    return parts.compactMap(\.self).joined(separator: " ")
  }

  /// Returns the days of a year, a month or a day; `nil` if there is no such day.
  /// - Parameters:
  ///   - months: the number of months, if there is no day.
  ///   - name: the text that people see; by default the date.
  func days(
    _ wordCount: Int, _ year: Int?, _ month: Int? = nil, _ day: Int? = nil, months: Int = 1, name: String? = nil
  ) -> NamedDays? {
    let components = DateComponents(year: year, month: month ?? 1, day: day ?? 1)
    let unit: Calendar.Component = day != nil ? .day : month != nil ? .month : .year
    guard let year, (1800..<2200).contains(year), let start = Self.calendar.date(from: components),
      // The calendar would move a thirtieth of February to March.
      Self.calendar.component(.month, from: start) == components.month,
      Self.calendar.component(.day, from: start) == components.day,
      let end = Self.calendar.date(byAdding: unit, value: months, to: start)
    else { return nil }
    return NamedDays(wordCount: wordCount, name: name ?? Self.name(year, month, day), start: start, end: end)
  }
}

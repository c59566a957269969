import Foundation

extension SearchQuery {
  /// Reads a date at the beginning of words: `2019`, `2019-06`, `2019-06-14`, `june 2019`,
  /// `14 june 2019`, `june 14 2019`, `summer 2019`, `last summer`, `last year`, `today`,
  /// `yesterday`.
  /// - Parameter zone: the time zone of the server, which decides what day and which season it is.
  static func date(_ words: ArraySlice<String>, now: Date = Date(), zone: TimeZone = .current) -> Reading? {
    let words = words.prefix(3).map { $0.lowercased() }
    guard let first = words.first else { return nil }
    var calendar = Calendar(identifier: .gregorian)
    calendar.timeZone = zone
    if ["today", "yesterday"].contains(first) {
      let date = first == "today" ? now : calendar.date(byAdding: .day, value: -1, to: now) ?? now
      let day = calendar.dateComponents([.year, .month, .day], from: date)
      return reading(1, year: day.year ?? 0, month: day.month, day: day.day)
    }
    if let match = first.wholeMatch(of: /(\d{4})(?:-(\d\d?)(?:-(\d\d?))?)?/) {
      return reading(1, year: Int(match.1) ?? 0, month: match.2.flatMap { Int($0) }, day: match.3.flatMap { Int($0) })
    }
    if words.count >= 2 {
      let today = calendar.dateComponents([.year, .month], from: now)
      if words[..<2] == ["last", "year"] { return reading(2, year: (today.year ?? 0) - 1, month: nil) }
      if let read = season(first, words[1], today: today, zone) { return read }
    }
    let numbers = words.map { Int($0) }
    let months = words.map { month(named: $0) }
    if words.count == 3, let year = numbers[2], words[2].count == 4 {
      if let month = months[0], let day = numbers[1] { return reading(3, year: year, month: month, day: day) }
      if let day = numbers[0], let month = months[1] { return reading(3, year: year, month: month, day: day) }
    }
    if words.count >= 2, let month = months[0], let year = numbers[1], words[1].count == 4 {
      return reading(2, year: year, month: month)
    }
    return nil
  }

  private static let monthNames = [
    "January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November",
    "December",
  ]

  /// Returns the number of a month that is named in full or by at least three letters.
  private static func month(named name: String) -> Int? {
    guard name.count >= 3 else { return nil }
    return monthNames.firstIndex { $0.lowercased().hasPrefix(name) }.map { $0 + 1 }
  }

  /// Returns `nil` if there is no such day.
  /// - Parameters:
  ///   - months: the number of months, if there is no day.
  ///   - name: what is said to be understood; by default the date.
  static func reading(
    _ wordCount: Int, year: Int, month: Int?, day: Int? = nil, months: Int = 1, name: String? = nil
  ) -> Reading? {
    var calendar = Calendar(identifier: .gregorian)
    calendar.timeZone = .gmt
    let components = DateComponents(year: year, month: month ?? 1, day: day ?? 1)
    guard (1800..<2200).contains(year), let start = calendar.date(from: components),
      // The calendar would move a thirtieth of February to March.
      calendar.component(.month, from: start) == components.month,
      calendar.component(.day, from: start) == components.day,
      let end = calendar.date(byAdding: day != nil ? .day : month != nil ? .month : .year, value: months, to: start)
    else { return nil }
    let parts = [day.map(String.init), month.map { monthNames[$0 - 1] }, String(year)]
    return Reading(
      wordCount: wordCount, term: Term(kind: .date, text: name ?? parts.compactMap(\.self).joined(separator: " ")),
      condition: Condition(format: "localCreationDate >= %@ AND localCreationDate < %@", dates: [start, end]))
  }
}

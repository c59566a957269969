import Foundation

extension DateReader {
  /// Reads `2017-2019`, `june-august 2019`, `june to august 2019`, `from 2017 to may 2019`,
  /// `between 2017 and 2019`, `june to august`, `14-20 june 2019`.
  func range(_ words: ArraySlice<String>) -> SearchQuery.Reading? {
    guard let first = words.first else { return nil }
    if let match = first.wholeMatch(of: /([0-9]{4})[-–]([0-9]{4})/) {
      return range(days([String(match.1)]), days([String(match.2)]), wordCount: 1)
    }
    if let match = first.wholeMatch(of: /([0-9][0-9]?)[-–]([0-9][0-9]?)/) {
      // `14-20 june 2019`
      let rest = words.dropFirst().prefix(2)
      return range(days([String(match.1)][...] + rest), days([String(match.2)][...] + rest), wordCount: 3)
    }
    if let match = first.wholeMatch(of: /([a-z]+)[-–]([a-z]+)/), let (start, end) = months(match.1, match.2) {
      guard let year = words.dropFirst().first, let last = days([String(match.2), year]), last.wordCount == 2 else {
        return everyYear(1, start, end)
      }
      return range(days([String(match.1), year]), last, wordCount: 2, isYearGuessed: true)
    }
    let isBetween = first == "between"
    let begun = isBetween || first == "from" ? words.dropFirst() : words
    let joints: Set<String> = isBetween ? ["and"] : ["to", "-", "–", "until", "till", "through"]
    guard let joint = begun.firstIndex(where: joints.contains), joint > begun.startIndex else { return nil }
    let (beginning, ending) = (begun[..<joint], begun[(joint + 1)...])
    guard let end = days(ending) else {
      guard beginning.count == 1, let months = months(beginning.first, ending.first) else { return nil }
      return everyYear(joint + 2 - words.startIndex, months.start, months.end)
    }
    let year = String(Self.calendar.component(.year, from: end.start))
    // If not, the words before the joint are no date alone, as in “way to 2019”.
    let dated = days(beginning)
    guard let start = dated ?? days(beginning + [year]), start.wordCount >= beginning.count else { return nil }
    return range(
      start, end, wordCount: joint + 1 - words.startIndex + end.wordCount, isYearGuessed: dated == nil)
  }

  private func months(_ start: (some StringProtocol)?, _ end: (some StringProtocol)?) -> (start: Int, end: Int)? {
    guard let start = month(start.map { String($0) }), let end = month(end.map { String($0) }) else { return nil }
    return (start, end)
  }

  /// Returns the months from one to another of any year.
  private func everyYear(_ wordCount: Int, _ start: Int, _ end: Int) -> SearchQuery.Reading? {
    let count = (end - start + 12) % 12 + 1
    return everyYear(wordCount, "\(Self.name(nil, start)) – \(Self.name(nil, end))") {
      days(1, $0, start, months: count)
    }
  }

  /// - Parameter isYearGuessed: whether the start was named without a year, and has the end's.
  private func range(
    _ start: NamedDays?, _ end: NamedDays?, wordCount: Int, isYearGuessed: Bool = false
  ) -> SearchQuery.Reading? {
    guard var start, var end else { return nil }
    if start.start >= end.end {
      if isYearGuessed {
        // `december to february 2019` begins in the year before.
        let parts = Self.calendar.dateComponents([.year, .month, .day], from: start.start)
        let isMonth = start.end.timeIntervalSince(start.start) > 86_400
        guard let earlier = days(start.wordCount, parts.year.map { $0 - 1 }, parts.month, isMonth ? nil : parts.day)
        else {
          return nil
        }
        start = earlier
      } else {
        swap(&start, &end)
      }
    }
    return reading(
      wordCount, "\(start.name) – \(end.name)", "localCreationDate >= %@ AND localCreationDate < %@",
      [start.start, end.end])
  }

  /// Reads `before 2019`, `until june 2019`, `since last summer`, `after 2019`. Without a year, a
  /// month is the latest one.
  func openRange(_ words: ArraySlice<String>) -> SearchQuery.Reading? {
    guard let first = words.first, ["before", "until", "till", "since", "after"].contains(first),
      let days = days(words.dropFirst()) ?? latest(words.dropFirst())
    else { return nil }
    let isEnd = first != "since" && first != "after"
    let date = first == "before" || first == "since" ? days.start : days.end
    return reading(
      1 + days.wordCount, "\(first == "till" ? "until" : first) \(days.name)",
      "localCreationDate \(isEnd ? "<" : ">=") %@", [date])
  }

  private func latest(_ words: ArraySlice<String>) -> NamedDays? {
    monthDay(words).flatMap { latest($0.month, $0.day, isOver: false, wordCount: $0.wordCount) }
  }
}

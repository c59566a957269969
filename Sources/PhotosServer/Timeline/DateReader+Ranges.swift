import Foundation

extension DateReader {
  /// Reads `2017-2019`, `june-august 2019`, `june to august 2019`, `from 2017 to may 2019`,
  /// `between 2017 and 2019`.
  func range(_ words: ArraySlice<String>) -> SearchQuery.Reading? {
    guard let first = words.first else { return nil }
    if let match = first.wholeMatch(of: /(\d{4})[-–](\d{4})/) {
      return range(days([String(match.1)]), days([String(match.2)]), wordCount: 1)
    }
    if let match = first.wholeMatch(of: /([a-z]+)[-–]([a-z]+)/), let year = words.dropFirst().first {
      return range(named(String(match.1), year), named(String(match.2), year), wordCount: 2)
    }
    let isBetween = first == "between"
    let begun = isBetween || first == "from" ? words.dropFirst() : words
    let joints: Set<String> = isBetween ? ["and"] : ["to", "-", "–", "until", "till", "through"]
    guard let joint = begun.firstIndex(where: joints.contains), joint > begun.startIndex,
      let end = days(begun[(joint + 1)...])
    else { return nil }
    let year = String(Self.calendar.component(.year, from: end.start))
    let beginning = begun[..<joint]
    let start = days(beginning) ?? days(beginning + [year])
    // All words before the joint have to belong to the date.
    guard let start, start.wordCount >= beginning.count else { return nil }
    return range(start, end, wordCount: joint + 1 - words.startIndex + end.wordCount)
  }

  private func named(_ month: String, _ year: String) -> NamedDays? {
    self.month(month) == nil ? nil : days([month, year])
  }

  private func range(_ start: NamedDays?, _ end: NamedDays?, wordCount: Int) -> SearchQuery.Reading? {
    guard let start, let end, start.start < end.end else { return nil }
    return reading(
      wordCount, "\(start.name) – \(end.name)", "localCreationDate >= %@ AND localCreationDate < %@",
      [start.start, end.end])
  }

  /// Reads `before 2019`, `until june 2019`, `since last summer`, `after 2019`.
  func openRange(_ words: ArraySlice<String>) -> SearchQuery.Reading? {
    guard let first = words.first, ["before", "until", "till", "since", "after"].contains(first),
      let days = days(words.dropFirst())
    else { return nil }
    let isEnd = first != "since" && first != "after"
    let date = first == "before" || first == "since" ? days.start : days.end
    return reading(
      1 + days.wordCount, "\(first == "till" ? "until" : first) \(days.name)",
      "localCreationDate \(isEnd ? "<" : ">=") %@", [date])
  }
}

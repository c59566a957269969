import Foundation

extension SearchQuery {
  /// Reads the length of a video: `> 1 min`, `longer than 90 s`, `over 1:30`.
  static func duration(_ words: ArraySlice<String>) -> Reading? {
    let text = words.prefix(4).joined(separator: " ").lowercased()
    guard let match = text.prefixMatch(of: /(>=|<=|≥|≤|>|<|[a-z]+ than|at least|at most|over|under|up to) ?/),
      let comparison = comparisons[String(match.1)],
      let length = length(text[match.range.upperBound...])
    else { return nil }
    // Leaves out photos, whose duration is 0.
    let format = "duration \(comparison.sign) \(length.seconds) AND duration > 0"
    return Reading(
      wordCount: wordCount(of: match.1 + length.text, in: words),
      term: Term(kind: .duration, text: "\(comparison.name) \(length.title)"), condition: Condition(format: format),
      // As words, “> 1 min” would match every text with a word that begins with 1.
      words: .never)
  }

  private static let comparisons: [String: (sign: String, name: String)] = {
    let comparisons: [(names: [String], sign: String, name: String)] = [
      ([">", "longer than", "more than", "over"], ">", "longer than"), ([">=", "≥", "at least"], ">=", "at least"),
      (["<", "shorter than", "less than", "under"], "<", "shorter than"),
      (["<=", "≤", "at most", "up to"], "<=", "at most"),
    ]
    return Dictionary(uniqueKeysWithValues: comparisons.flatMap { one in one.names.map { ($0, (one.sign, one.name)) } })
  }()

  /// Reads `90 s`, `1.5 minutes` or `1:30` at the beginning of a text.
  private static func length(_ text: Substring) -> (text: Substring, seconds: Double, title: String)? {
    if let match = text.prefixMatch(of: /(?:([0-9]{1,3}):)?([0-9]{1,3}):([0-9][0-9])(?=\s|$)/) {
      let parts = [match.1, match.2, match.3].compactMap { $0.flatMap { Double($0) } }
      return (match.0, parts.reduce(0) { 60 * $0 + $1 }, String(match.0))
    }
    let pattern = /([0-9]{1,6}(?:\.[0-9]{1,3})?) ?(seconds?|secs?|s|minutes?|mins?|m|hours?|hrs?|h)(?=\s|$)/
    guard let match = text.prefixMatch(of: pattern), let number = Double(match.1), let unit = match.2.first else {
      return nil
    }
    let (factor, name) = unit == "h" ? (3600.0, "h") : unit == "m" ? (60, "min") : (1, "s")
    return (match.0, number * factor, "\(match.1) \(name)")
  }

  /// Returns how many words make up a text, however spaces divide it.
  private static func wordCount(of text: Substring, in words: ArraySlice<String>) -> Int {
    let letters = text.filter { $0 != " " }.count
    var seen = 0
    return words.prefix { word in
      defer { seen += word.count }
      return seen < letters
    }.count
  }
}

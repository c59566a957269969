import Foundation
import Photos

/// A search that a person has typed: kinds, dates and lengths of assets, and words.
///
///     SearchQuery("fjord june 2019").understood    // the text “fjord”, and a date
///
/// Words that name no kind, date or length are searched for as the beginnings of words.
struct SearchQuery: Sendable {
  /// A part of the search.
  struct Term: Hashable, Sendable {
    enum Kind: String {
      case kind, date, duration, text
    }

    var kind: Kind
    var text: String
  }

  private(set) var understood: [Term] = []
  /// The words that are searched for.
  private(set) var text = ""
  private var conditions: [Condition] = []

  /// A part of the predicate.
  struct Condition {
    var format: String
    var dates: [Date] = []
  }

  var isEmpty: Bool { understood.isEmpty }

  /// Options of a fetch of what is searched for.
  var options: PHFetchOptions {
    let options = PHFetchOptions()
    if !text.isEmpty { options.searchText = text }
    if !conditions.isEmpty {
      options.predicate = NSCompoundPredicate(
        andPredicateWithSubpredicates: conditions.map { NSPredicate(format: $0.format, argumentArray: $0.dates) })
    }
    return options
  }

  init(_ text: String) {
    // A fetch by a text with a NUL would end the program.
    var rest = text.prefix(Self.longestText).split { $0.isWhitespace || ",\0".contains($0) }.map(String.init)[...]
    var words: [String] = []
    while !rest.isEmpty {
      if let read = Self.duration(rest) ?? Self.date(rest) ?? Self.kind(rest) {
        understood.append(read.term)
        conditions.append(read.condition)
        rest = rest.dropFirst(read.wordCount)
      } else {
        words.append(rest.removeFirst())
      }
    }
    let searched = words.joined(separator: " ")
    if searched.contains(where: { $0.isLetter || $0.isNumber }) {
      self.text = searched
      understood.append(Term(kind: .text, text: searched))
    }
  }

  /// The largest number of characters that are read.
  private static let longestText = 500

  struct Reading {
    var wordCount: Int
    var term: Term
    var condition: Condition
  }

  // MARK: Kinds

  private static func kind(_ words: ArraySlice<String>) -> Reading? {
    for wordCount in [2, 1] where words.count >= wordCount {
      let name = words.prefix(wordCount).joined(separator: " ").lowercased()
      guard let kind = kinds[name] else { continue }
      return Reading(
        wordCount: wordCount, term: Term(kind: .kind, text: kind.title), condition: Condition(format: kind.format))
    }
    return nil
  }

  private static let kinds: [String: (title: String, format: String)] = {
    let kinds: [(names: [String], title: String, format: String)] = [
      (["photo", "photos", "image", "images", "picture", "pictures"], "Photos", "mediaType == 1"),
      (["video", "videos", "movie", "movies"], "Videos", "mediaType == 2"),
      (["live", "live photo", "live photos"], "Live Photos", "(mediaSubtypes & 8) != 0"),
      (["panorama", "panoramas"], "Panoramas", "(mediaSubtypes & 1) != 0"),
      (["screenshot", "screenshots"], "Screenshots", "(mediaSubtypes & 4) != 0"),
      (["portrait", "portraits"], "Portrait", "(mediaSubtypes & 16) != 0"),
      (["animated", "animation", "animations", "gif", "gifs"], "Animated", "(mediaSubtypes & 64) != 0"),
      (["spatial"], "Spatial", "(mediaSubtypes & 1024) != 0"),
      (["slomo", "slo-mo", "slow motion"], "Slo-mo", "(mediaSubtypes & 131072) != 0"),
      (["timelapse", "time-lapse", "timelapses"], "Time-lapse", "(mediaSubtypes & 262144) != 0"),
      (["screen recording", "screen recordings"], "Screen Recordings", "(mediaSubtypes & 524288) != 0"),
      (["cinematic"], "Cinematic", "(mediaSubtypes & 2097152) != 0"),
      (["burst", "bursts"], "Bursts", "burstIdentifier != nil"),
      (["favorite", "favorites", "favourite", "favourites"], "Favorites", "favorite == YES"),
      (["edited"], "Edited", "hasAdjustments == YES"),
    ]
    return Dictionary(
      uniqueKeysWithValues: kinds.flatMap { kind in kind.names.map { ($0, (kind.title, kind.format)) } })
  }()

  // MARK: Durations

  /// Reads `> 1 min`, `longer than 90 s`.
  private static func duration(_ words: ArraySlice<String>) -> Reading? {
    let text = words.prefix(4).joined(separator: " ").lowercased()
    let pattern =
      /(>=|<=|>|<|longer than|shorter than) ?(\d{1,6}(?:\.\d{1,3})?) ?(seconds?|secs?|s|minutes?|mins?|m|hours?|h)(?: .*)?/
    guard let match = text.wholeMatch(of: pattern), let number = Double(match.2), let unit = match.3.first else {
      return nil
    }
    let sign = ["longer than": ">", "shorter than": "<"][String(match.1)] ?? String(match.1)
    let seconds = number * (unit == "h" ? 3600 : unit == "m" ? 60 : 1)
    let wordCount = Self.wordCount(of: "\(match.1) \(match.2) \(match.3)", in: words)
    let title =
      "\(sign.hasPrefix(">") ? "longer" : "shorter") than \(match.2) \(unit == "h" ? "h" : unit == "m" ? "min" : "s")"
    // Photos have the duration 0, and are not meant.
    return Reading(
      wordCount: wordCount, term: Term(kind: .duration, text: title),
      condition: Condition(format: "duration \(sign) \(seconds) AND duration > 0"))
  }

  /// Returns how many words make up a text, however spaces divide it.
  private static func wordCount(of text: String, in words: ArraySlice<String>) -> Int {
    let letters = text.filter { $0 != " " }.count
    var seen = 0
    return words.prefix { word in
      defer { seen += word.count }
      return seen < letters
    }.count
  }
}

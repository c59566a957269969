import Foundation
import Photos

/// A search that a person has typed: kinds, dates and lengths of assets, and words.
///
///     SearchQuery("fjord june 2019").understood    // the text “fjord”, and a date
///
/// Words that name no kind, date or length are searched for as the beginnings of words. If there
/// are such words, a kind or a date also matches as words: “live concert” also finds what an album
/// “Live Concert” contains. A month alone always does, since “June” and “April” are names, too.
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
  /// All words that were typed.
  let typed: [String]
  /// The words that are searched for.
  private(set) var text = ""
  private var parts: [Part] = []

  /// The condition that a part of the search makes.
  struct Condition: Hashable {
    var format: String
    var dates: [Date] = []
    /// Days since 1970, for a format that compares with a list.
    var days: [Int]?

    var predicate: NSPredicate { NSPredicate(format: format, argumentArray: days.map { [$0] } ?? dates) }
  }

  private struct Part {
    var condition: Condition
    /// The typed words; `nil` if the part can't be meant as words.
    var words: String?
    var isAlsoName: Bool
  }

  var isEmpty: Bool { understood.isEmpty }

  /// Options of a fetch of what is searched for.
  var options: PHFetchOptions {
    let options = PHFetchOptions()
    if !text.isEmpty { options.searchText = text }
    var predicates: [NSPredicate] = []
    for part in parts {
      if part.isAlsoName || !text.isEmpty, options.searchTerms.count < Self.mostTerms, let words = part.words {
        options.searchTerms.append(PHFetchOptions.SearchTerm(part.condition.predicate, words: words))
      } else {
        predicates.append(part.condition.predicate)
      }
    }
    if !predicates.isEmpty {
      options.predicate = NSCompoundPredicate(andPredicateWithSubpredicates: predicates)
    }
    return options
  }

  /// The largest number of kinds and dates that also match as words. Each costs a lookup.
  private static let mostTerms = 20

  /// - Parameter zone: the zone of today's date and of the seasons: the server's.
  init(_ text: String, now: Date = Date(), zone: TimeZone = .current) {
    // A fetch by a text with a NUL would end the program.
    typed = text.prefix(Self.longestText).split { $0.isWhitespace || ",\0\"“”".contains($0) }.map(String.init)
    let dates = DateReader(now: now, zone: zone)
    var rest = typed[...]
    var words: [String] = []
    var isAfterKind = false
    while !rest.isEmpty {
      let (joint, following) = Self.joint(rest)
      if let read = Self.duration(rest) ?? dates.read(rest) ?? Self.kind(rest) {
        take(read, &rest)
        isAfterKind = read.term.kind == .kind
      } else if joint, let read = dates.read(following) {
        rest = following
        take(read, &rest)
        isAfterKind = false
      } else if joint, isAfterKind, !following.isEmpty {
        rest = following
      } else {
        words.append(rest.removeFirst())
        isAfterKind = false
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

  /// Words that join a kind or a date to the rest: “photos of Oslo in june 2019”.
  private static let joints: Set<String> = ["of", "in", "from", "on", "during", "with", "at"]

  private static func joint(_ words: ArraySlice<String>) -> (Bool, ArraySlice<String>) {
    (words.first.map { joints.contains($0.lowercased()) } ?? false, words.dropFirst())
  }

  private mutating func take(_ read: Reading, _ rest: inout ArraySlice<String>) {
    let words = rest.prefix(read.wordCount).joined(separator: " ")
    rest = rest.dropFirst(read.wordCount)
    // A repetition would cost as much again, and find the same.
    if parts.contains(where: { $0.condition == read.condition }) { return }
    understood.append(read.term)
    let isName = read.words != .never && words.contains { $0.isLetter || $0.isNumber }
    parts.append(Part(condition: read.condition, words: isName ? words : nil, isAlsoName: read.words == .always))
  }

  struct Reading {
    var wordCount: Int
    var term: Term
    var condition: Condition
    /// When the words are also searched for as words.
    var words = Words.besideText
  }

  enum Words {
    case never, besideText, always
  }

  // MARK: Kinds

  private static func kind(_ words: ArraySlice<String>) -> Reading? {
    for wordCount in [2, 1] where words.count >= wordCount {
      let name = words.prefix(wordCount).joined(separator: " ").lowercased()
      guard let kind = kinds[name] else { continue }
      return Reading(
        wordCount: wordCount, term: Term(kind: .kind, text: kind.title), condition: Condition(format: kind.format),
        // As words, they would match most names of files, like “video 1.mov”.
        words: kind.format.hasPrefix("mediaType") ? .never : .besideText)
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
}

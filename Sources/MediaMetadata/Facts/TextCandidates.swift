/// The texts that people wrote about a photo, from all parts of its file. Several parts may contain
/// the same text.
struct TextCandidates {
  /// The priority of sources, best first. XMP limits neither length nor alphabet. IPTC limits most
  /// fields to 32 or 64 bytes. Cameras write their own texts into EXIF.
  enum Source: CaseIterable {
    case xmp, iptc, exif, container
  }

  enum Field: CaseIterable {
    case title, caption, keyword, rating
    /// Places, from the most exact to the widest.
    case location, city, state, country
  }

  /// A limit that is enough for the longest caption in any alphabet.
  static let byteLimit = 16 << 10
  static let titleLimit = 1000
  static let captionLimit = 4000
  static let keywordLimit = 100
  static let keywordCountLimit = 200
  static let placeNameLimit = 200
  private static let entryLimit = 2000

  private struct Entry {
    var field: Field
    var source: Source
    var text: String
  }

  private var entries: [Entry] = []
  /// True if there are no texts, as on most photos.
  var isEmpty: Bool { entries.isEmpty }

  mutating func add(_ field: Field, _ text: String?, from source: Source) {
    guard let text, entries.count < Self.entryLimit else { return }
    entries.append(Entry(field: field, source: source, text: text))
  }

  /// Adds the keywords of one text with separators, as Windows and QuickTime write it.
  mutating func addKeywords(_ list: String?, separator: Character, from source: Source) {
    for keyword in list?.split(separator: separator) ?? [] { add(.keyword, String(keyword), from: source) }
  }

  mutating func add(_ other: TextCandidates) { entries += other.entries.prefix(Self.entryLimit - entries.count) }

  /// Returns the best title or caption that a person wrote. A camera's default texts are ignored.
  func words(_ field: Field, limit: Int, camera: Camera) -> String? {
    texts(field, limit: limit).first { !CameraPhrase.matches($0, camera: camera) }
  }

  /// The keywords of all sources, each once.
  var keywords: [String] {
    var seen: Set<String> = []
    let texts = texts(.keyword, limit: Self.keywordLimit)
    return Array(texts.filter { seen.insert($0).inserted }.prefix(Self.keywordCountLimit))
  }

  /// One name of each width, from the best source that contains it.
  var placeNames: [String] {
    var seen: Set<String> = []
    return [Field.location, .city, .state, .country].compactMap { texts($0, limit: Self.placeNameLimit).first }
      .filter { seen.insert($0).inserted }
  }

  /// The rating, 0–5. A rejected photo (-1) or an unreadable rating is 0.
  var rating: Int {
    guard let value = texts(.rating, limit: 16).first.flatMap(Double.init), value >= 0, value <= 5 else { return 0 }
    return Int(value.rounded())
  }

  /// Returns cleaned texts by the priority of their sources. Texts of one source are in the order
  /// of the file.
  private func texts(_ field: Field, limit: Int) -> [String] {
    var found = entries.filter { $0.field == field }
    if found.count > 1 { found = Source.allCases.flatMap { source in found.filter { $0.source == source } } }
    return found.compactMap { $0.text.cleaned(limit: limit) }
  }
}

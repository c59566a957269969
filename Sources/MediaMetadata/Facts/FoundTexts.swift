/// What people wrote about a photo, as each part of its file retells it, before it is decided what is shown.
struct FoundTexts {
  /// The order in which they are believed, best first: XMP bounds neither length nor alphabet, IPTC cuts most fields at 32
  /// or 64 bytes, and cameras write into EXIF themselves.
  enum Source: CaseIterable {
    case xmp, iptc, exif, container
  }

  enum Field: CaseIterable {
    case title, caption, keyword, rating
    /// Places, from the most exact to the widest.
    case location, city, state, country
  }

  /// Enough for the longest caption in any alphabet.
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
  /// Nobody wrote anything, as on most photos.
  var isEmpty: Bool { entries.isEmpty }

  mutating func add(_ field: Field, _ text: String?, from source: Source) {
    guard let text, entries.count < Self.entryLimit else { return }
    entries.append(Entry(field: field, source: source, text: text))
  }

  /// Keywords in one text, as Windows and QuickTime write them.
  mutating func addKeywords(_ list: String?, separator: Character, from source: Source) {
    for keyword in list?.split(separator: separator) ?? [] { add(.keyword, String(keyword), from: source) }
  }

  mutating func add(_ other: FoundTexts) { entries += other.entries.prefix(Self.entryLimit - entries.count) }

  /// What `camera` or the person behind it wrote into the title or the caption: only the person's is taken.
  func words(_ field: Field, limit: Int, camera: Camera) -> String? {
    texts(field, limit: limit).first { !CameraPhrase.matches($0, camera: camera) }
  }

  /// Of all sources, each once.
  var keywords: [String] {
    var seen: Set<String> = []
    let texts = texts(.keyword, limit: Self.keywordLimit)
    return Array(texts.filter { seen.insert($0).inserted }.prefix(Self.keywordCountLimit))
  }

  /// Of each width one, as the best source that knows it says.
  var placeNames: [String] {
    var seen: Set<String> = []
    return [Field.location, .city, .state, .country].compactMap { texts($0, limit: Self.placeNameLimit).first }
      .filter { seen.insert($0).inserted }
  }

  /// 0–5; rejected ones (-1) and nonsense are 0.
  var rating: Int {
    guard let value = texts(.rating, limit: 16).first.flatMap(Double.init), value >= 0, value <= 5 else { return 0 }
    return Int(value.rounded())
  }

  /// Clean, the best source's first, and of one source in the order of the file.
  private func texts(_ field: Field, limit: Int) -> [String] {
    var found = entries.filter { $0.field == field }
    if found.count > 1 { found = Source.allCases.flatMap { source in found.filter { $0.source == source } } }
    return found.compactMap { $0.text.cleaned(limit: limit) }
  }
}

/// A field (data set) of IPTC's Information Interchange Model (IIM 4.2, chapter 1).
struct IPTCField {
  var record: Int
  var number: Int
  var value: ByteReader
}

/// A sequence of the consecutive fields in a window; it ends before the first incomplete one.
struct IPTCFields: Sequence, IteratorProtocol {
  private static let limit = 1000
  /// The byte that marks the start of each field.
  private static let marker = 0x1C

  private var bytes: ByteReader
  /// The offset after the latest field.
  private(set) var position = 0
  private var count = 0

  init(_ bytes: ByteReader) {
    self.bytes = bytes
    self.bytes.order = .big
  }

  mutating func next() -> IPTCField? {
    guard count < Self.limit, bytes.u8(position) == Self.marker, let record = bytes.u8(position + 1),
      let number = bytes.u8(position + 2), var length = bytes.u16(position + 3)
    else { return nil }
    var start = position + 5
    // An extended field has here the number of bytes of its length.
    if length & 0x8000 != 0 {
      let lengthByteCount = length & 0x7FFF
      guard let extended = bytes.number(start, lengthByteCount) else { return nil }
      start += lengthByteCount
      length = extended
    }
    guard let value = bytes.slice(start, length), value.count == length else { return nil }
    count += 1
    position = start + length
    return IPTCField(record: record, number: number, value: value)
  }
}

extension ParsedValues {
  /// Reads the image resources that Photoshop writes. They begin at an offset. Resource 0x0404
  /// contains the IPTC fields.
  mutating func readPhotoshop(_ content: ByteReader, from start: Int) {
    var content = content
    content.order = .big
    var position = start
    for _ in 0..<200 {
      guard content.starts(with: "8BIM", at: position), let id = content.u16(position + 4),
        let nameLength = content.u8(position + 6)
      else { return }
      let sizeAt = position + 7 + nameLength + (nameLength + 1) % 2
      guard let size = content.u32(sizeAt) else { return }
      if id == 0x0404, let iptc = content.slice(sizeAt + 4, size) { readIPTC(iptc) }
      position = sizeAt + 4 + size + size % 2
    }
  }

  mutating func readIPTC(_ content: ByteReader) {
    var (date, time, digitalDate, digitalTime): (String?, String?, String?, String?)
    var isUTF8 = false
    for field in IPTCFields(content) {
      switch (field.record, field.number) {
      // ISO 2022's escape sequence for UTF-8. Declarations of other encodings are too rarely
      // correct.
      case (1, 90): isUTF8 = field.value.starts(with: "\u{1B}%G")
      case (2, 55): date = field.value.text()
      case (2, 60): time = field.value.text()
      case (2, 62): digitalDate = field.value.text()
      case (2, 63): digitalTime = field.value.text()
      case (2, let number):
        if let meaning = Self.iptcTexts[number] {
          texts.add(meaning, Self.iptcText(field.value, isUTF8: isUTF8), from: .iptc)
        }
      default: break
      }
    }
    // The predecessors of XMP's photoshop:DateCreated and xmp:CreateDate, with the same ranks.
    readIPTCDate(.created, date, time)
    readIPTCDate(.xmp, digitalDate, digitalTime)
  }

  /// Object Name, Keywords, City, Sub-location, Province/State, Country Name and Caption/Abstract.
  private static let iptcTexts: [Int: TextCandidates.Field] = [
    5: .title, 25: .keyword, 90: .city, 92: .location, 95: .state, 101: .country, 120: .caption,
  ]

  private static func iptcText(_ value: ByteReader, isUTF8: Bool) -> String? {
    guard let bytes = value.bytes(0, min(value.count, TextCandidates.byteLimit)) else { return nil }
    return isUTF8 ? String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self) : String.decodedWithUnknownEncoding(bytes)
  }

  /// Reads a date and a time like 20231231 and 143000+0100. A time without a day is ignored: it
  /// would be taken for the rest of a partial date.
  private mutating func readIPTCDate(_ rank: DateCandidate.Rank, _ date: String?, _ time: String?) {
    guard let date else { return }
    // The digits of an unknown time are blanks.
    guard let time, time.first != "+", time.first != "-", case .date(let parts) = DateText(date),
      parts.precision == .day
    else { return addDate(rank, date) }
    addDate(rank, "\(date) \(time)")
  }
}

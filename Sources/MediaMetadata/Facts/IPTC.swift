/// One field of IPTC's Information Interchange Model, which calls it a data set (IIM 4.2, chapter 1).
struct IPTCField {
  var record: Int
  var number: Int
  var value: ByteReader
}

/// The fields that follow each other in a window, as far as they are whole.
struct IPTCFields: Sequence, IteratorProtocol {
  private static let limit = 1000
  /// Marks the start of each field.
  private static let marker = 0x1C

  private var bytes: ByteReader
  /// Behind the latest field.
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
    // An extended field has the length of its length here.
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

extension Findings {
  /// Reads the image resources that Photoshop keeps in a JPEG; one of them, 0x0404, is IPTC's.
  mutating func readPhotoshop(_ content: ByteReader) {
    var position = 14
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
    var (date, time): (String?, String?)
    var isUTF8 = false
    for field in IPTCFields(content) {
      switch (field.record, field.number) {
      // ISO 2022's escape to UTF-8; what other alphabets are announced is too rarely true.
      case (1, 90): isUTF8 = field.value.starts(with: "\u{1B}%G")
      case (2, 55): date = field.value.text()
      case (2, 60): time = field.value.text()
      case (2, let number):
        if let meaning = Self.iptcTexts[number] {
          texts.add(meaning, Self.iptcText(field.value, isUTF8: isUTF8), from: .iptc)
        }
      default: break
      }
    }
    readIPTCDate(date, time)
  }

  /// Object Name, Keywords, City, Sub-location, Province/State, Country Name and Caption/Abstract.
  private static let iptcTexts: [Int: FoundTexts.Field] = [
    5: .title, 25: .keyword, 90: .city, 92: .location, 95: .state, 101: .country, 120: .caption,
  ]

  private static func iptcText(_ value: ByteReader, isUTF8: Bool) -> String? {
    guard let bytes = value.bytes(0, min(value.count, FoundTexts.byteLimit)) else { return nil }
    return isUTF8 ? String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self) : String.guessed(bytes)
  }

  /// IPTC's date and time created, the elder brothers of XMP's photoshop:DateCreated and of the same rank.
  private mutating func readIPTCDate(_ date: String?, _ time: String?) {
    // 20231231 and 143000+0100. A time without its day is no date.
    guard let date, date.utf8.count == 8, let number = Int(date) else { return }
    let day = "\(number / 10_000)-\(number / 100 % 100)-\(number % 100)"
    guard let time, time.utf8.count >= 6, let clock = Int(time.prefix(6)) else { return addDate(.xmp, day) }
    addDate(.xmp, "\(day) \(clock / 10_000):\(clock / 100 % 100):\(clock % 100)\(time.dropFirst(6))")
  }
}

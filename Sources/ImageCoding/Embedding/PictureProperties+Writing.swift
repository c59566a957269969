import MediaMetadata

extension PictureProperties {
  /// An EXIF block with the groups of TIFF, EXIF, GPS and Apple's maker note, from the TIFF header
  /// on. `nil` if there are none, or if they are too large for a JPEG.
  package var exifBlock: [UInt8]? {
    func values(_ group: Group) -> [(Int, EXIFWriting.Value)] {
      entries.filter { $0.group == group }.compactMap { entry in
        Self.field(of: entry).map { (entry.number, $0) }
      }
    }
    var capture = values(.exif)
    let note = values(.apple)
    if !note.isEmpty {
      let bytes = Array("Apple iOS\0".utf8) + [0, 1] + Array("MM".utf8) + EXIFWriting.directory(note, at: 14)
      capture.append((0x927C, .kept(type: 7, count: bytes.count, field: bytes)))
    }
    let block = EXIFWriting(main: values(.tiff), capture: capture, gps: values(.gps))?.bytes
    return block.flatMap { $0.count <= CarriedMetadata.exifByteLimit ? $0 : nil }
  }

  /// The IIM fields in UTF-8; `nil` if there are none.
  package var iptcFields: [UInt8]? {
    let fields = entries.filter { $0.group == .iptc && (1...255).contains($0.number) }.sorted { $0.number < $1.number }
    guard !fields.isEmpty else { return nil }
    return fields.reduce(into: [0x1C, 1, 90, 0, 3, 0x1B, 0x25, 0x47]) { result, entry in
      guard case .text(let text) = entry.value else { return }
      let bytes = Array(text.utf8.prefix(Self.longestValue))
      result += [0x1C, 2, UInt8(entry.number)] + UInt16(bytes.count).bigEndianBytes + bytes
    }
  }

  /// Returns a value as the type that EXIF requires; `nil` if it fits none.
  private static func field(of entry: Entry) -> EXIFWriting.Value? {
    switch entry.value {
    case .text(let text): return .text(text)
    case .data(let bytes): return .kept(type: 7, count: bytes.count, field: bytes)
    case .integers(let values):
      if isFraction(entry) { return fractions(values.map(Double.init), entry) }
      return integers(values, entry)
    case .numbers(let values):
      let whole = values.compactMap { Int(exactly: $0) }
      if !isFraction(entry), whole.count == values.count { return integers(whole, entry) }
      return fractions(values, entry)
    }
  }

  private static func integers(_ values: [Int], _ entry: Entry) -> EXIFWriting.Value? {
    if entry.group == .gps, [0, 5].contains(entry.number) {
      let bytes = values.compactMap { UInt8(exactly: $0) }
      return bytes.count == values.count ? .kept(type: 1, count: bytes.count, field: bytes) : nil
    }
    let shorts = entry.group == .apple ? [] : values.compactMap { UInt16(exactly: $0) }
    if !shorts.isEmpty, shorts.count == values.count {
      return .kept(type: 3, count: values.count, field: shorts.flatMap(\.bigEndianBytes))
    }
    let signed = values.compactMap { Int32(exactly: $0) }
    if signed.count == values.count {
      return .kept(type: 9, count: values.count, field: signed.flatMap(\.bigEndianBytes))
    }
    let longs = values.compactMap { UInt32(exactly: $0) }
    guard longs.count == values.count else { return nil }
    return .kept(type: 4, count: values.count, field: longs.flatMap(\.bigEndianBytes))
  }

  private static func fractions(_ values: [Double], _ entry: Entry) -> EXIFWriting.Value? {
    guard values.allSatisfy(\.isFinite) else { return nil }
    let isSigned = values.contains { $0 < 0 } || entry.group == .exif && signedFractions.contains(entry.number)
    guard isSigned else { return .rationals(values.map(EXIFWriting.fraction)) }
    let bytes = values.flatMap { value in
      let (numerator, denominator) = EXIFWriting.fraction(min(abs(value), 2000))
      let signed = Int32(clamping: value < 0 ? -numerator : numerator)
      return signed.bigEndianBytes + Int32(clamping: denominator).bigEndianBytes
    }
    return .kept(type: 10, count: values.count, field: bytes)
  }

  /// Whether a number is stored as a fraction, even if it is whole.
  private static func isFraction(_ entry: Entry) -> Bool {
    switch entry.group {
    case .tiff: [0x011A, 0x011B, 0x013E, 0x013F].contains(entry.number)
    case .exif: exifFractions.contains(entry.number) || signedFractions.contains(entry.number)
    case .gps: [2, 4, 6, 7, 11, 13, 15, 17, 20, 22, 24, 26, 31].contains(entry.number)
    case .apple, .iptc, .jfif, .png: false
    }
  }

  private static let exifFractions: Set = [
    0x829A, 0x829D, 0x9102, 0x9202, 0x9205, 0x9206, 0x920A, 0xA20B, 0xA20E, 0xA20F, 0xA215, 0xA404, 0xA432, 0xA500,
  ]
  private static let signedFractions: Set = [0x9201, 0x9203, 0x9204]
}

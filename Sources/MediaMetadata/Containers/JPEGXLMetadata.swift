extension ParsedValues {
  /// The number of compressed boxes that are decompressed. A hostile file may have thousands.
  private static let compressedBoxLimit = 8

  /// Reads a JPEG XL, as a bare codestream or in a container. The codestream's orientation takes
  /// precedence over EXIF's.
  ///
  /// The duration of an animation stays 0. It would need the header of every frame, and these
  /// follow compressed data.
  mutating func readJPEGXL(_ bytes: ByteReader) {
    formatRotates = true
    if bytes.u16(0) == 0xFF0A {
      readCodestream(bytes)
    } else {
      var compressedBoxes = 0
      for box in bytes.boxes() {
        switch box.type {
        case "jxlc": readCodestream(box.content)
        case "jxlp":
          if box.content.u32(0).map({ $0 & 0x7FFF_FFFF }) == 0, let part = box.content.slice(4) { readCodestream(part) }
        case "brob":
          guard let type = box.content.fourCC(0), type == "Exif" || type == "xml " else { continue }
          compressedBoxes += 1
          if compressedBoxes <= Self.compressedBoxLimit { readCompressedBox(type, box.content) }
        default: readMetadataBox(box.type, box.content)
        }
      }
    }
    if storedWidth == 0 { note("The JPEG XL has no picture size.") }
  }

  private mutating func readMetadataBox(_ type: FourCC, _ content: ByteReader) {
    switch type {
    case "Exif": if let skip = content.u32(0), let exif = content.slice(4 + skip) { readEXIF(exif) }
    case "xml ":
      if content.count <= XMP.byteLimit, let packet = content.bytes(0, content.count) { readXMP(packet) }
    default: break
    }
  }

  /// Reads a compressed box: four bytes with the type of its content, then the content in Brotli.
  private mutating func readCompressedBox(_ type: FourCC, _ content: ByteReader) {
    guard content.count <= XMP.byteLimit, let bytes = content.bytes(4, content.count - 4),
      let decoded = Decompression.decodedBrotli(bytes, limit: 2 * XMP.byteLimit)
    else { return note("The compressed metadata can't be decompressed and was ignored.") }
    readMetadataBox(type, MediaBytes(decoded).all)
  }

  private mutating func readCodestream(_ bytes: ByteReader) {
    guard storedWidth == 0, bytes.u16(0) == 0xFF0A, let header = bytes.bytes(2, min(64, bytes.count - 2)) else {
      return
    }
    var bits = BitReader(bytes: header)
    guard var (width, height) = bits.size() else { return }
    if bits.read(1) == 0, bits.read(1) == 1, let orientation = bits.read(3) {
      if orientation >= 4 { (width, height) = (height, width) }
      if bits.read(1) == 1 { _ = bits.size() }
      if bits.read(1) == 1 { _ = bits.previewSize() }
      if bits.read(1) == 1 { subtypes.insert(.animated) }
    }
    (storedWidth, storedHeight) = (width, height)
  }
}

/// Reads bits from the least significant of each byte on, as JPEG XL packs them; nil past the end.
private struct BitReader {
  let bytes: [UInt8]
  private var position = 0

  init(bytes: [UInt8]) { self.bytes = bytes }

  mutating func read(_ count: Int) -> Int? {
    guard position + count <= bytes.count * 8 else {
      position = bytes.count * 8
      return nil
    }
    var value = 0
    for index in 0..<count {
      value |= Int(bytes[position >> 3] >> UInt8(position & 7) & 1) << index
      position += 1
    }
    return value
  }

  /// Reads a number that has one of four widths, each with an addend.
  private mutating func read(oneOf choices: [(bits: Int, plus: Int)]) -> Int? {
    guard let choice = read(2), choice < choices.count else { return nil }
    return read(choices[choice].bits).map { $0 + choices[choice].plus }
  }

  mutating func size() -> (Int, Int)? {
    guard let isSmall = read(1) else { return nil }
    return size { reader in
      isSmall == 1
        ? reader.read(5).map { ($0 + 1) * 8 } : reader.read(oneOf: [(9, 1), (13, 1), (18, 1), (30, 1)])
    }
  }

  mutating func previewSize() -> (Int, Int)? {
    guard let isSmall = read(1) else { return nil }
    return size { reader in
      isSmall == 1
        ? reader.read(oneOf: [(0, 16), (0, 32), (5, 1), (9, 33)]).map { $0 * 8 }
        : reader.read(oneOf: [(6, 1), (8, 65), (10, 321), (12, 1345)])
    }
  }

  /// Reads a height, and a width of its own or in proportion.
  private mutating func size(_ side: (inout BitReader) -> Int?) -> (Int, Int)? {
    guard let height = side(&self), let ratio = read(3) else { return nil }
    if ratio == 0 { return side(&self).map { ($0, height) } }
    let ratios = [(1, 1), (12, 10), (4, 3), (3, 2), (16, 9), (5, 4), (2, 1)]
    return (height * ratios[ratio - 1].0 / ratios[ratio - 1].1, height)
  }
}

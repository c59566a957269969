/// The directories of a TIFF, of EXIF, or of a RAW file with the structure of a TIFF.
///
///     let tiff = TIFFReader(bytes)
///     tiff?.directory(at: tiff.firstDirectory)?.text(0x010F)  // "Apple"
///
/// Offsets count from the start of `bytes`. A file's offsets may form a cycle, and therefore
/// callers that follow them limit the number of steps.
package struct TIFFReader {
  /// A limit that no program's directories exceed.
  private static let entryLimit = 1000

  package let bytes: ByteReader
  package let firstDirectory: Int
  /// The version: 42, 43 for BigTIFF, or a camera maker's own.
  package let version: Int
  private let isBig: Bool

  package init?(_ bytes: ByteReader) {
    var bytes = bytes
    switch bytes.u16(0) {
    case 0x4949: bytes.order = .little
    case 0x4D4D: bytes.order = .big
    default: return nil
    }
    guard let version = bytes.u16(2) else { return nil }
    self.version = version
    isBig = version == 43
    guard let first = isBig ? bytes.u64(8) : bytes.u32(4) else { return nil }
    firstDirectory = first
    self.bytes = bytes
  }

  /// Creates a reader for directories without a header, such as a maker note's.
  package init(_ bytes: ByteReader, firstDirectory: Int) {
    self.bytes = bytes
    self.firstDirectory = firstDirectory
    version = 42
    isBig = false
  }

  package func directory(at offset: Int) -> TIFFDirectory? {
    let countByteCount = isBig ? 8 : 2
    guard offset > 0 || offset == firstDirectory, offset < bytes.count,
      let count = isBig ? bytes.u64(offset) : bytes.u16(offset), count > 0,
      count <= Self.entryLimit
    else { return nil }
    let entryByteCount = isBig ? 20 : 12
    var entries: [TIFFDirectory.Entry] = []
    entries.reserveCapacity(count)
    for index in 0..<count {
      guard let entry = entry(at: offset + countByteCount + index * entryByteCount) else { break }
      entries.append(entry)
    }
    guard !entries.isEmpty else { return nil }
    let end = offset + countByteCount + count * entryByteCount
    return TIFFDirectory(bytes: bytes, entries: entries, next: (isBig ? bytes.u64(end) : bytes.u32(end)) ?? 0)
  }

  /// Returns the directory at an offset and its successors, up to `limit`. Stops at a cycle.
  package func directories(from offset: Int, limit: Int = 16) -> [TIFFDirectory] {
    var result: [TIFFDirectory] = []
    var offset = offset
    var seen: Set<Int> = []
    while result.count < limit, seen.insert(offset).inserted, let directory = directory(at: offset) {
      result.append(directory)
      offset = directory.next
    }
    return result
  }

  /// The first page that is neither a reduced copy nor a mask, and its number. If there is none,
  /// the first such subdirectory of the first page that has colors, or else the first page.
  package var mainPage: (number: Int, subdirectory: Int?, directory: TIFFDirectory)? {
    let pageLimit = 256
    var first: TIFFDirectory?
    var offset = firstDirectory
    var seen: Set<Int> = []
    while seen.count < pageLimit, seen.insert(offset).inserted, let page = directory(at: offset) {
      if !page.isReduced, !page.isMask { return (seen.count - 1, nil, page) }
      first = first ?? page
      offset = page.next
    }
    guard let first else { return nil }
    for (number, offset) in (first.ints(0x014A) ?? []).enumerated() {
      if let sub = directory(at: offset), !sub.isReduced, !sub.isMask, sub.hasColors { return (0, number, sub) }
    }
    return (0, nil, first)
  }

  private func entry(at offset: Int) -> TIFFDirectory.Entry? {
    guard let tag = bytes.u16(offset), let type = bytes.u16(offset + 2),
      let count = isBig ? bytes.u64(offset + 4) : bytes.u32(offset + 4)
    else { return nil }
    let inlineByteCount = isBig ? 8 : 4
    let valueOffset = offset + (isBig ? 12 : 8)
    let unit = TIFFDirectory.byteCount(ofType: type)
    guard unit > 0, count <= bytes.count, count * unit > inlineByteCount else {
      return TIFFDirectory.Entry(tag: tag, type: type, count: count, offset: valueOffset)
    }
    guard let far = isBig ? bytes.u64(valueOffset) : bytes.u32(valueOffset) else { return nil }
    return TIFFDirectory.Entry(tag: tag, type: type, count: count, offset: far)
  }
}

/// One directory of a TIFF: its entries, and their values on demand.
package struct TIFFDirectory {
  package struct Entry {
    package var tag: Int
    package var type: Int
    package var count: Int
    /// The offset of the value, in the entry or elsewhere.
    package var offset: Int
  }

  package let bytes: ByteReader
  package let entries: [Entry]
  package let next: Int

  package static func byteCount(ofType type: Int) -> Int {
    switch type {
    // The type 129 is EXIF 3.0's UTF-8.
    case 1, 2, 6, 7, 129: 1
    case 3, 8: 2
    case 4, 9, 11, 13: 4
    case 5, 10, 12, 16, 17, 18: 8
    default: 0
    }
  }

  /// Whether the picture is a smaller copy of another one in the file. Old programs use another
  /// tag.
  fileprivate var isReduced: Bool { (int(0x00FE) ?? 0) & 1 == 1 || self[0x00FE] == nil && int(0x00FF) == 2 }

  fileprivate var isMask: Bool { (int(0x00FE) ?? 0) & 4 == 4 }

  /// Whether the samples are colors, and not a sensor's data, which decoders of TIFF refuse.
  fileprivate var hasColors: Bool { (0...8).contains(int(0x0106) ?? -1) }

  package subscript(tag: Int) -> Entry? { entries.first { $0.tag == tag } }

  /// Returns an integer; the first one if there are several.
  package func int(_ tag: Int) -> Int? { ints(tag, limit: 1)?.first }

  package func ints(_ tag: Int, limit: Int = 16) -> [Int]? {
    guard let entry = self[tag], entry.count > 0, entry.count <= bytes.count else { return nil }
    var result: [Int] = []
    for index in 0..<min(entry.count, limit) {
      let offset = entry.offset &+ index * Self.byteCount(ofType: entry.type)
      let value: Int? =
        switch entry.type {
        case 1, 2, 7: bytes.u8(offset)
        case 6: bytes.u8(offset).map { Int(Int8(truncatingIfNeeded: $0)) }
        case 3: bytes.u16(offset)
        case 8: bytes.u16(offset).map { Int(Int16(truncatingIfNeeded: $0)) }
        case 4, 13: bytes.u32(offset)
        case 9: bytes.i32(offset)
        case 16, 18: bytes.u64(offset)
        case 5, 10: rational(at: offset, signed: entry.type == 10).flatMap { Int(exactly: $0.rounded()) }
        default: nil
        }
      guard let value else { return nil }
      result.append(value)
    }
    return result
  }

  package func rational(_ tag: Int) -> Double? { rationals(tag, limit: 1)?.first }

  /// Returns the fractions; nil if a denominator is 0.
  package func rationals(_ tag: Int, limit: Int = 4) -> [Double]? {
    guard let entry = self[tag], entry.count > 0, entry.count <= bytes.count else { return nil }
    var result: [Double] = []
    for index in 0..<min(entry.count, limit) {
      let offset = entry.offset &+ index * Self.byteCount(ofType: entry.type)
      let value: Double? =
        switch entry.type {
        case 5, 10: rational(at: offset, signed: entry.type == 10)
        case 11: bytes.u32(offset).map { Double(Float(bitPattern: UInt32(truncatingIfNeeded: $0))) }
        case 12: double(at: offset)
        case 1, 3, 4, 9: ints(tag, limit: index + 1)?.last.map(Double.init)
        default: nil
        }
      guard let value, value.isFinite else { return nil }
      result.append(value)
    }
    return result
  }

  package func text(_ tag: Int, limit: Int = 1024) -> String? {
    guard let entry = self[tag], [1, 2, 7, 129].contains(entry.type) else { return nil }
    return bytes.text(entry.offset, min(entry.count, limit))
  }

  /// Returns the bytes of a value of any type.
  package func window(_ tag: Int) -> ByteReader? {
    guard let entry = self[tag], entry.count <= bytes.count else { return nil }
    return bytes.slice(entry.offset, entry.count * Self.byteCount(ofType: entry.type))
  }

  private func rational(at offset: Int, signed: Bool) -> Double? {
    guard let numerator = signed ? bytes.i32(offset) : bytes.u32(offset),
      let denominator = signed ? bytes.i32(offset &+ 4) : bytes.u32(offset &+ 4), denominator != 0
    else { return nil }
    return Double(numerator) / Double(denominator)
  }

  private func double(at offset: Int) -> Double? {
    guard let first = bytes.u32(offset), let second = bytes.u32(offset &+ 4) else { return nil }
    let (high, low) = bytes.order == .big ? (first, second) : (second, first)
    return Double(bitPattern: UInt64(high) << 32 | UInt64(low))
  }
}

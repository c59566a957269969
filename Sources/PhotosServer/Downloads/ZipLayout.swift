import Foundation

/// The layout of a ZIP file whose files are stored without compression.
///
/// It depends on the names, sizes and dates only. The length and the place of every byte are known
/// before a file is read. The CRC-32s are filled in later. Sizes, offsets and counts that don't fit
/// into ZIP's fields are in those of ZIP64.
struct ZipLayout: Sendable {
  struct Entry: Hashable, Sendable {
    var name: String
    var byteCount: Int
    /// The modification date.
    var date: Date
    /// The time zone of the date without a zone that each file has, in seconds east of UTC.
    var timeZoneOffset: Int
  }

  /// A part of the ZIP file.
  enum Part: Hashable {
    case header(Int)
    case contents(Int)
    case directoryEntry(Int)
    case end
  }

  let entries: [Entry]
  /// The offsets of the headers.
  private let offsets: [Int]
  private let directoryOffset: Int
  private let endOffset: Int
  /// The size of the ZIP file.
  let byteCount: Int

  init(_ entries: [Entry]) {
    self.entries = entries
    var offset = 0
    var offsets: [Int] = []
    offsets.reserveCapacity(entries.count)
    for entry in entries {
      offsets.append(offset)
      offset += Self.headerByteCount(entry) + entry.byteCount
    }
    self.offsets = offsets
    directoryOffset = offset
    endOffset = zip(entries, offsets).reduce(offset) { $0 + Self.directoryByteCount($1.0, at: $1.1) }
    byteCount =
      endOffset + Self.endByteCount
      + (Self.needsZip64(count: entries.count, directoryOffset: offset, endOffset: endOffset) ? 76 : 0)
  }

  /// Returns the parts that a range touches, with their places in the ZIP file.
  /// They are computed one after another, since an archive may have a hundred thousand files.
  func parts(in range: Range<Int>) -> some Sequence<(part: Part, place: Range<Int>)> {
    let first = Part?.some(entries.isEmpty ? .end : .header(0))
    return sequence(state: (next: first, offset: 0)) { state -> (part: Part, place: Range<Int>)? in
      while let part = state.next, state.offset < range.upperBound {
        let place = state.offset..<state.offset + byteCount(of: part)
        state = (following(part), place.upperBound)
        if !place.isEmpty, place.upperBound > range.lowerBound { return (part, place) }
      }
      return nil
    }
  }

  private func byteCount(of part: Part) -> Int {
    switch part {
    case .header(let index): Self.headerByteCount(entries[index])
    case .contents(let index): entries[index].byteCount
    case .directoryEntry(let index): Self.directoryByteCount(entries[index], at: offsets[index])
    case .end: byteCount - endOffset
    }
  }

  private func following(_ part: Part) -> Part? {
    switch part {
    case .header(let index): .contents(index)
    case .contents(let index): index + 1 < entries.count ? .header(index + 1) : .directoryEntry(0)
    case .directoryEntry(let index): index + 1 < entries.count ? .directoryEntry(index + 1) : .end
    case .end: nil
    }
  }

  // MARK: Bytes

  /// Returns the header before a file's bytes.
  func header(of index: Int, crc: UInt32) -> [UInt8] {
    let entry = entries[index]
    let isLarge = Self.isLarge(entry.byteCount)
    var bytes = LittleEndianBytes()
    bytes.append(0x0403_4B50 as UInt32)
    bytes.append(Self.version(isZip64: isLarge))
    appendProperties(of: entry, crc, to: &bytes)
    bytes.append(UInt16((isLarge ? 20 : 0) + Self.dateByteCount(entry)))
    bytes.append(entry.name.utf8)
    if isLarge { Self.appendZip64([entry.byteCount, entry.byteCount], to: &bytes) }
    Self.appendDate(entry, to: &bytes)
    return bytes.bytes
  }

  func directoryEntry(of index: Int, crc: UInt32) -> [UInt8] {
    let entry = entries[index]
    let large = Self.largeNumbers(entry, at: offsets[index])
    var bytes = LittleEndianBytes()
    bytes.append(0x0201_4B50 as UInt32)
    // Made on Unix, whose permissions follow below.
    bytes.append(3 << 8 | 45 as UInt16)
    bytes.append(Self.version(isZip64: !large.isEmpty))
    appendProperties(of: entry, crc, to: &bytes)
    bytes.append(UInt16((large.isEmpty ? 0 : 4 + 8 * large.count) + Self.dateByteCount(entry)))
    // No comment, the first disk, no internal attributes.
    for _ in 0..<3 { bytes.append(0 as UInt16) }
    bytes.append(UInt32(0o100644) << 16)
    bytes.append(Self.field(offsets[index]))
    bytes.append(entry.name.utf8)
    if !large.isEmpty { Self.appendZip64(large, to: &bytes) }
    Self.appendDate(entry, to: &bytes)
    return bytes.bytes
  }

  /// The records after the directory.
  var end: [UInt8] {
    var bytes = LittleEndianBytes()
    let size = endOffset - directoryOffset
    if Self.needsZip64(count: entries.count, directoryOffset: directoryOffset, endOffset: endOffset) {
      bytes.append(0x0606_4B50 as UInt32)
      bytes.append(44 as UInt64)
      bytes.append(3 << 8 | 45 as UInt16)
      bytes.append(45 as UInt16)
      for _ in 0..<2 { bytes.append(0 as UInt32) }
      for _ in 0..<2 { bytes.append(UInt64(entries.count)) }
      bytes.append(UInt64(size))
      bytes.append(UInt64(directoryOffset))
      bytes.append(0x0706_4B50 as UInt32)
      bytes.append(0 as UInt32)
      bytes.append(UInt64(endOffset))
      bytes.append(1 as UInt32)
    }
    bytes.append(0x0605_4B50 as UInt32)
    for _ in 0..<2 { bytes.append(0 as UInt16) }
    for _ in 0..<2 { bytes.append(UInt16(clamping: entries.count)) }
    bytes.append(Self.field(size))
    bytes.append(Self.field(directoryOffset))
    bytes.append(0 as UInt16)
    return bytes.bytes
  }

  /// Appends what both headers of a file have in common.
  private func appendProperties(of entry: Entry, _ crc: UInt32, to bytes: inout LittleEndianBytes) {
    // The name is UTF-8.
    bytes.append(1 << 11 as UInt16)
    // Stored.
    bytes.append(0 as UInt16)
    let (time, day) = Self.dosDate(entry)
    bytes.append(time)
    bytes.append(day)
    bytes.append(crc)
    for _ in 0..<2 { bytes.append(Self.field(entry.byteCount)) }
    bytes.append(UInt16(entry.name.utf8.count))
  }

  // MARK: Sizes

  private static let endByteCount = 22

  /// Returns whether a number needs a field of ZIP64. The largest number but one would fit, but
  /// Info-ZIP looks for it in ZIP64, too.
  private static func isLarge(_ number: Int) -> Bool { number >= Int(UInt32.max) - 1 }

  /// Returns a number for a field of 32 bits; all ones if it is in a field of ZIP64.
  private static func field(_ number: Int) -> UInt32 { isLarge(number) ? .max : UInt32(number) }

  private static func version(isZip64: Bool) -> UInt16 { isZip64 ? 45 : 20 }

  private static func headerByteCount(_ entry: Entry) -> Int {
    30 + entry.name.utf8.count + (isLarge(entry.byteCount) ? 20 : 0) + dateByteCount(entry)
  }

  private static func directoryByteCount(_ entry: Entry, at offset: Int) -> Int {
    let large = largeNumbers(entry, at: offset).count
    return 46 + entry.name.utf8.count + (large == 0 ? 0 : 4 + 8 * large) + dateByteCount(entry)
  }

  /// Returns the numbers of a directory entry that need ZIP64.
  private static func largeNumbers(_ entry: Entry, at offset: Int) -> [Int] {
    [entry.byteCount, entry.byteCount, offset].filter(isLarge)
  }

  private static func needsZip64(count: Int, directoryOffset: Int, endOffset: Int) -> Bool {
    count >= Int(UInt16.max) || isLarge(directoryOffset) || isLarge(endOffset - directoryOffset)
  }

  private static func appendZip64(_ numbers: [Int], to bytes: inout LittleEndianBytes) {
    bytes.append(1 as UInt16)
    bytes.append(UInt16(8 * numbers.count))
    for number in numbers { bytes.append(UInt64(number)) }
  }

  // MARK: Dates

  /// Returns the date as the seconds of Unix; `nil` if they don't fit.
  private static func unixTime(_ entry: Entry) -> Int32? {
    Int32(exactly: entry.date.timeIntervalSince1970.rounded(.down))
  }

  private static func dateByteCount(_ entry: Entry) -> Int { unixTime(entry) == nil ? 0 : 9 }

  private static func appendDate(_ entry: Entry, to bytes: inout LittleEndianBytes) {
    guard let time = unixTime(entry) else { return }
    bytes.append(0x5455 as UInt16)
    bytes.append(5 as UInt16)
    // Only the modification date.
    bytes.append(1 as UInt8)
    bytes.append(UInt32(bitPattern: time))
  }

  /// Returns the time and the day of the place, between 1980 and 2107, in steps of two seconds.
  private static func dosDate(_ entry: Entry) -> (time: UInt16, day: UInt16) {
    var calendar = Calendar(identifier: .gregorian)
    calendar.timeZone = .gmt
    let local = entry.date + Double(entry.timeZoneOffset)
    let parts = calendar.dateComponents([.year, .month, .day, .hour, .minute, .second], from: local)
    func number(_ part: Int?) -> UInt16 { UInt16(clamping: part ?? 0) }
    let year = parts.year ?? 0
    guard year >= 1980 else { return (time: 0, day: 1 << 5 | 1) }
    guard year <= 2107 else { return (time: 23 << 11 | 59 << 5 | 29, day: 127 << 9 | 12 << 5 | 31) }
    let time = number(parts.hour) << 11 | number(parts.minute) << 5 | number(parts.second) / 2
    return (time, number(year - 1980) << 9 | number(parts.month) << 5 | number(parts.day))
  }
}

/// Bytes of numbers, the lowest byte first.
private struct LittleEndianBytes {
  private(set) var bytes: [UInt8] = []

  mutating func append(_ number: some FixedWidthInteger) {
    withUnsafeBytes(of: number.littleEndian) { bytes.append(contentsOf: $0) }
  }

  mutating func append(_ text: String.UTF8View) { bytes.append(contentsOf: text) }
}

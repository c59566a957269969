import Foundation

/// The values that are read from the header of an ASF file (WMV, WMA).
struct ASFHeader {
  /// The first eight bytes of an object's identifier, which are unique among the objects read here.
  private enum Object {
    static let fileProperties = 0xA1DC_AB8C_47A9_CF11 as UInt64
    static let streamProperties = 0x9107_DCB7_B7A9_CF11 as UInt64
    static let video = 0xC0EF_19BC_4D5B_CF11 as UInt64
  }

  /// 100-nanosecond ticks from 1601.
  private(set) var creation: Int?
  private(set) var pictureCount = 0
  var hasPicture: Bool { pictureCount > 0 }

  init(_ bytes: ByteReader) {
    var bytes = bytes
    bytes.order = .little
    guard let end = bytes.u64(16), let count = bytes.u32(24) else { return }
    var position = 30
    for _ in 0..<min(count, 256) {
      guard let object = Self.identifier(bytes, position), let length = bytes.u64(position + 16), length >= 24,
        position < end, let content = bytes.slice(position + 24, length - 24)
      else { return }
      switch object {
      case Object.fileProperties: creation = content.u64(24)
      case Object.streamProperties: if Self.identifier(content, 0) == Object.video { pictureCount += 1 }
      default: break
      }
      // A slice is cut at the file's end, so that this can't overflow.
      position += 24 + content.count
    }
  }

  private static func identifier(_ bytes: ByteReader, _ offset: Int) -> UInt64? {
    guard let first = bytes.fourCC(offset), let second = bytes.fourCC(offset + 4) else { return nil }
    return UInt64(first.code) << 32 | UInt64(second.code)
  }
}

extension ParsedValues {
  /// Seconds from 1601, where Windows' clock starts, to 1970.
  private static let secondsFrom1601 = 11_644_473_600.0

  /// Reads a WMV's date; its size and duration are stored with its streams.
  mutating func readASF(_ bytes: ByteReader) {
    formatRotates = true
    if let ticks = ASFHeader(bytes).creation { addWindowsDate(ticks) }
  }

  /// Keeps a date in 100-nanosecond ticks from 1601 if it is plausible.
  mutating func addWindowsDate(_ ticks: Int) {
    let unix = Double(ticks) / 1e7 - Self.secondsFrom1601
    // `ffmpeg` writes 1970 if it knows no date.
    guard ticks > 0, unix != 0 else { return }
    // AVI was introduced in 1992, ASF in 1996.
    guard unix > 694_224_000, unix < 7_258_118_400 else {
      return note("The movie's creation date can't be true and was ignored.")
    }
    dates.append(DateCandidate(.container, .instant(Date(timeIntervalSince1970: unix))))
  }
}

/// One frame of a DV movie: blocks of 80 bytes, a few of which hold metadata in packs of five
/// bytes.
struct DVFrame {
  private static let blockByteCount = 80
  private static let sequenceByteCount = 150 * blockByteCount

  let bytes: ByteReader
  /// The frame's size: the 525 lines of NTSC take ten sequences, the 625 of PAL twelve.
  let byteCount: Int

  /// Returns nil unless a frame begins here: a header block, two subcode blocks and an auxiliary
  /// block.
  init?(_ bytes: ByteReader) {
    var bytes = bytes
    // The file around it may be little-endian.
    bytes.order = .big
    let kinds = [(0, 0x1F), (80, 0x3F), (160, 0x3F), (240, 0x5F)]
    guard bytes.u16(1) == 0x0700,
      kinds.allSatisfy({ offset, kind in bytes.u8(offset).map { $0 & 0xE0 } == kind & 0xE0 })
    else { return nil }
    guard let flags = bytes.u8(3), flags & 0x7F == 0x3F else { return nil }
    self.bytes = bytes
    byteCount = (flags & 0x80 == 0 ? 10 : 12) * Self.sequenceByteCount
  }

  /// Returns the four bytes after the pack's number, from the blocks about the picture (VAUX).
  func pack(_ number: Int) -> [UInt8]? {
    for sequence in 0..<2 {
      for block in 3..<6 {
        let start = sequence * Self.sequenceByteCount + block * Self.blockByteCount + 3
        for pack in 0..<15 where bytes.u8(start + pack * 5) == number {
          if let found = bytes.bytes(start + pack * 5 + 1, 4), found.contains(where: { $0 != 0xFF }) { return found }
        }
      }
    }
    return nil
  }

  /// The time of the recording, by the camera's clock.
  var recordingTime: CivilTime? {
    guard let date = pack(0x62), let time = pack(0x63), let year = date[3].binaryCodedDecimal,
      let month = (date[2] & 0x1F).binaryCodedDecimal, let day = (date[1] & 0x3F).binaryCodedDecimal,
      let hour = (time[3] & 0x3F).binaryCodedDecimal, let minute = (time[2] & 0x7F).binaryCodedDecimal,
      let second = (time[1] & 0x7F).binaryCodedDecimal
    else { return nil }
    // The first of these cameras was sold in 1995. Years up to 74 are therefore in this century.
    return CivilTime(year < 75 ? 2000 + year : 1900 + year, month, day, hour, minute, second)
  }
}

extension UInt8 {
  /// The number, or nil if a digit is not decimal.
  var binaryCodedDecimal: Int? {
    let (tens, ones) = (Int(self >> 4), Int(self & 15))
    return tens < 10 && ones < 10 ? tens * 10 + ones : nil
  }
}

extension ParsedValues {
  /// The number of frames that are searched: a recording begins a moment before its first metadata.
  private static let datedFrames = 25

  /// Reads a DV movie's date.
  mutating func readDV(_ bytes: ByteReader) {
    formatRotates = true
    var position = 0
    for _ in 0..<Self.datedFrames {
      guard let frame = bytes.slice(position).flatMap(DVFrame.init) else { return }
      if let time = frame.recordingTime { return dates.append(DateCandidate(.original, .local(time))) }
      position += frame.byteCount
    }
  }
}

/// The first units of an H.264 or HEVC stream without a container (Annex B of both standards): two
/// or three zeros and a one precede each unit.
///
/// A stream has no signature. It is recognized if it begins as the standards demand: with the
/// parameters of the sequence and the picture, of a known profile.
struct RawVideoUnits {
  /// The size of a beginning that contains all parameters.
  private static let searchedBytes = 4 << 10

  let units: [ArraySlice<UInt8>]

  /// Nil if the content doesn't begin with a unit.
  init?(_ bytes: ByteReader) {
    guard let first = bytes.u32(0), first == 1 || first >> 8 == 1,
      let head = bytes.bytes(0, min(bytes.count, Self.searchedBytes))
    else { return nil }
    var units: [ArraySlice<UInt8>] = []
    var start: Int?
    for index in head.indices.dropFirst(2)
    where head[index] == 1 && head[index - 1] == 0 && head[index - 2] == 0 {
      if let start { units.append(head[start..<index - 2]) }
      start = index + 1
    }
    if let start { units.append(head[start...]) }
    self.units = units
  }

  var format: FileFormat? {
    if isH264 { return .h264 }
    return isHEVC ? .hevc : nil
  }

  private static let h264Profiles: Set<UInt8> = [44, 66, 77, 88, 100, 110, 122, 244]
  private static let h264Levels: Set<UInt8> = [
    9, 10, 11, 12, 13, 20, 21, 22, 30, 31, 32, 40, 41, 42, 50, 51, 52, 60, 61, 62,
  ]

  private var isH264: Bool {
    // A reference unit of this type. Bits 5 and 6 are its importance.
    func isParameters(_ unit: ArraySlice<UInt8>, ofType type: UInt8) -> Bool {
      unit.first.map { $0 & 0x9F == type && $0 & 0x60 != 0 } ?? false
    }
    guard let first = units.first, first.first == 9 || isParameters(first, ofType: 7) else { return false }
    let hasSequence = units.contains { unit in
      let bytes = Array(unit.prefix(4))
      return isParameters(unit, ofType: 7) && bytes.count == 4 && Self.h264Profiles.contains(bytes[1])
        && bytes[2] & 3 == 0 && Self.h264Levels.contains(bytes[3])
    }
    return hasSequence && units.contains { isParameters($0, ofType: 8) }
  }

  private static let hevcProfiles: ClosedRange<UInt8> = 1...11

  private var isHEVC: Bool {
    guard let first = units.first, first.starts(with: [0x40, 1]) || first.starts(with: [0x46, 1]) else { return false }
    let hasVideo = units.contains { unit in
      let bytes = Array(unit.prefix(7))
      return bytes.count == 7 && bytes.starts(with: [0x40, 1]) && bytes[4...5] == [0xFF, 0xFF]
        && bytes[6] & 0xC0 == 0 && Self.hevcProfiles.contains(bytes[6] & 0x1F)
    }
    return hasVideo && units.contains { $0.starts(with: [0x42, 1]) } && units.contains { $0.starts(with: [0x44, 1]) }
  }
}

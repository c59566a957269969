import Foundation
import TestSupport
import Testing

@testable import ImageCoding

@Suite struct HEVCParametersTests {
  /// Each of these options adds something before the colors.
  @Test(arguments: [
    "keyint=1", "scaling-list=default", "temporal-layers=3:bframes=4", "bframes=4:ref=5:multi-pass-opt-rps=1",
    "sar=4\\:3:overscan=crop", "no-sao=1:no-strong-intra-smoothing=1:max-merge=1",
  ])
  func `colors are found in parameters that x265 has written`(options: String) throws {
    let folder = try TemporaryFolder()
    let path = folder.url.appendingPathComponent("frames.hevc").path
    try Program.run(
      "ffmpeg",
      [
        "-loglevel", "error", "-f", "lavfi", "-i", "testsrc=size=132x100:rate=10:duration=1", "-pix_fmt", "yuv420p",
        "-c:v", "libx265", "-x265-params", "log-level=none:colorprim=bt2020:transfer=arib-std-b67:\(options)", path,
      ])
    let units = try Data(contentsOf: URL(fileURLWithPath: path)).annexBUnits
    let found = Set(units.compactMap(HEVCParameters.colors))
    #expect(found == [.coded(primaries: 9, transfer: 18)])
  }

  @Test func `colors are found behind everything that may come before them`() {
    #expect(HEVCParameters.colors(of: Self.full().bytes) == .coded(primaries: 9, transfer: 16))
  }

  @Test func `parameters that end early state no colors`() {
    let bytes = Self.full().bytes
    for count in 0..<bytes.count - 1 {
      #expect(HEVCParameters.colors(of: Array(bytes.prefix(count))) == nil, "\(count) bytes")
    }
  }

  @Test(
    arguments: [
      ("a picture", [2, 1]), ("another layer", [0x42, 9]), ("a forbidden header", [0xC2, 1]),
    ] as [(String, [UInt8])])
  func `other units state no colors`(kind: String, header: [UInt8]) {
    #expect(HEVCParameters.colors(of: header + Self.full().bytes.dropFirst(2)) == nil)
  }

  @Test func `parameters without colors state none`() {
    #expect(HEVCParameters.colors(of: Self.full(statesColors: false).bytes) == nil)
  }

  /// A sequence parameter set with each optional part.
  private static func full(statesColors: Bool = true) -> UnitBits {
    var unit = UnitBits()
    unit.add([(0x4201, 16), (0, 4), (2, 3), (1, 1)])
    // The profile and level of the whole, and those of two temporal layers.
    unit.addProfile()
    unit.add([(93, 8), (0b11_01, 4), (0, 12)])
    unit.addProfile()
    unit.add([(90, 8), (93, 8)])
    // 4:4:4 in separate planes, a size, and the edges that are cut off.
    unit.add(variables: [0, 3])
    unit.add([(0, 1)])
    unit.add(variables: [1920, 1088])
    unit.add([(1, 1)])
    unit.add(variables: [0, 0, 0, 4, 2, 2, 4])
    unit.add([(1, 1)])
    unit.add(variables: [4, 2, 0, 4, 2, 0, 4, 2, 0, 0, 3, 0, 3, 2, 2])
    unit.add([(1, 1), (1, 1)])
    for size in 0..<4 {
      for matrix in 0..<(size == 3 ? 2 : 6) {
        unit.add([(matrix == 0 ? 1 : 0, 1)])
        unit.add(variables: matrix > 0 ? [0] : Array(repeating: 5, count: size == 0 ? 16 : size == 1 ? 64 : 65))
      }
    }
    unit.add([(0b11, 2), (1, 1), (0x77, 8)])
    unit.add(variables: [0, 2])
    unit.add([(0, 1)])
    // Distances of -1, -3 and 2. Then -2, -4 (not kept), 1 and -1. Then a set that needs all of
    // these.
    unit.add(variables: [3, 2, 1, 0])
    unit.add([(1, 1)])
    unit.add(variables: [1])
    unit.add([(1, 1)])
    unit.add(variables: [1])
    unit.add([(1, 1), (1, 1), (1, 1)])
    unit.add(variables: [0])
    unit.add([(1, 1), (0, 1), (0, 1), (1, 1), (1, 1), (1, 1), (0, 1)])
    unit.add(variables: [0])
    unit.add([(1, 1), (1, 1), (1, 1), (1, 1)])
    unit.add([(1, 1)])
    unit.add(variables: [2])
    unit.add([(5, 8), (1, 1), (9, 8), (0, 1), (0b11, 2)])
    // The shape of the pixels, overscan, and colors.
    unit.add([(1, 1), (1, 1), (255, 8), (4, 16), (3, 16), (1, 1), (1, 1), (1, 1), (5, 3), (1, 1)])
    unit.add(statesColors ? [(1, 1), (9, 8), (16, 8), (9, 8), (1, 1)] : [(0, 1), (0, 8)])
    return unit
  }
}

/// Writes the bits of a NAL unit.
private struct UnitBits {
  private var bits: [Bool] = []

  /// Adds numbers, each with its count of bits.
  mutating func add(_ numbers: [(Int, Int)]) {
    for (number, count) in numbers { bits += (0..<count).reversed().map { number >> $0 & 1 == 1 } }
  }

  /// Adds numbers as exponential Golomb codes.
  mutating func add(variables: [Int]) {
    for number in variables {
      let length = Int.bitWidth - (number + 1).leadingZeroBitCount
      add([(0, length - 1), (number + 1, length)])
    }
  }

  mutating func addProfile() { add([(0x0160, 16), (0, 32), (0x9, 4), (0, 36)]) }

  /// The bytes, with a 3 between two zeros and what would look like the beginning of a unit.
  var bytes: [UInt8] {
    var result: [UInt8] = []
    for start in stride(from: 0, to: bits.count, by: 8) {
      let byte = (start..<start + 8).reduce(UInt8(0)) { $0 << 1 | ($1 < bits.count && bits[$1] ? 1 : 0) }
      if byte <= 3, result.suffix(2) == [0, 0] { result.append(3) }
      result.append(byte)
    }
    return result
  }
}

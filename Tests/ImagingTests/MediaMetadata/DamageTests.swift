import Foundation
import TestSupport
import Testing

@testable import ImageCoding
@testable import Imaging
@testable import MediaMetadata

/// Tests damaged files. Reading never traps, always ends, and returns metadata for every known
/// type.
@Suite struct DamageTests {
  @Test(arguments: SampleFiles.all.map(\.name)) func anySampleMayEndAnywhere(_ name: String) throws {
    let bytes = try #require(SampleFiles.all.first { $0.name == name }).bytes
    for count in 0..<bytes.count { _ = readMetadata(of: Array(bytes.prefix(count))) }
  }

  @Test(arguments: SampleFiles.all.map(\.name)) func anyByteMayBeWrong(_ name: String) throws {
    let bytes = try #require(SampleFiles.all.first { $0.name == name }).bytes
    // A reader in an endless loop blocks only its thread.
    try ThreadedCall { Self.readDamaged(bytes) }
      .value("the metadata of damaged files like \(name)", within: Patience.long * Soak.count(few: 1, many: 30))
  }

  /// Reads files that differ from these bytes in a few places.
  private static func readDamaged(_ bytes: [UInt8]) {
    var random = SplitMix(seed: Soak.seed(42))
    for _ in 0..<Soak.count(few: 50, many: 20_000) {
      var mutated = bytes
      for _ in 0..<Int.random(in: 1...8, using: &random) {
        let position = Int.random(in: 0..<bytes.count, using: &random)
        switch Int.random(in: 0..<4, using: &random) {
        case 0: mutated[position] = UInt8.random(in: .min ... .max, using: &random)
        case 1: mutated[position] = [0, 0xFF, 0x7F, 0x80, 1].randomElement(using: &random) ?? 0
        case 2:
          // Replaces four bytes, so that a length or an offset becomes as large as possible.
          let value: UInt8 = Bool.random(using: &random) ? 0xFF : 0x7F
          for index in position..<min(position + 4, bytes.count) { mutated[index] = index == position ? value : 0xFF }
        default:
          let other = Int.random(in: 0..<bytes.count, using: &random)
          for index in 0..<min(8, bytes.count - max(position, other)) {
            mutated[position + index] = bytes[other + index]
          }
        }
      }
      _ = readMetadata(of: mutated)
    }
  }

  @Test func aKnownTypeThatIsBrokenInsideIsKeptWithANote() throws {
    let broken: [[UInt8]] = [
      [0xFF, 0xD8, 0xFF, 0xE1, 0, 4, 1, 2], Array(SampleFiles.png().prefix(8)), Array(SampleFiles.gif().prefix(9)),
      Array(SampleFiles.heif().prefix(30)),
      Array(SampleFiles.movie().prefix(20)), ascii("MM\0*") + big(9999, 4), ascii("FUJIFILMCCD-RAW "),
    ]
    for bytes in broken {
      let metadata = try #require(readMetadata(of: bytes))
      #expect(metadata.captureDate.source == .file)
      #expect(metadata.pixelWidth == 0)
      #expect(!metadata.notes.isEmpty)
    }
  }

  @Test func directoriesThatPointInCirclesEnd() throws {
    // The main directory names itself as its EXIF, GPS, sub-directory and successor.
    let entries = [0x14A, 0x8769, 0x8825].flatMap { big($0, 2) + big(4, 2) + big(1, 4) + big(8, 4) }
    let metadata = readMetadata(of: ascii("MM\0*") + big(8, 4) + big(3, 2) + entries + big(8, 4))
    #expect(metadata?.type.uniformTypeIdentifier == "public.tiff")
  }

  @Test func boxesInBoxesEnd() {
    var bytes: [UInt8] = []
    for _ in 0..<2000 { bytes = box("moov", bytes) }
    #expect(readMetadata(of: box("ftyp", ascii("qt  "), big(0, 4)) + bytes) != nil)
  }

  @Test func noMoreIsReadOfAFileThanTheLimit() throws {
    let path = FileManager.default.temporaryDirectory.appendingPathComponent("\(UUID()).gif").path
    defer { try? FileManager.default.removeItem(atPath: path) }
    // The picture has an endless list of sub-blocks.
    let header = Array(SampleFiles.gif().prefix(13 + 8 + 10 + 1))
    try Data(header + [UInt8](repeating: 0xFF, count: 8 << 20)).write(to: URL(fileURLWithPath: path))
    let source = MediaBytes(try MediaFile(path: path))
    let metadata = try #require(MediaMetadata(source, fileDate: sampleFileDate, machineTimeZone: .gmt))
    #expect(metadata.pixelWidth == 40)
    #expect(source.unreadBudget >= 0)
    #expect(!metadata.notes.isEmpty)
  }
}

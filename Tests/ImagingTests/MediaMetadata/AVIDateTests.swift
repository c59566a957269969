import Foundation
import Testing

@testable import ImageCoding
@testable import Imaging
@testable import MediaMetadata

@Suite struct AVIDateTests {
  private func summary(_ bytes: [UInt8]) throws -> String {
    try #require(readMetadata(of: bytes)).captureDate.summary
  }

  @Test(arguments: [
    "MON MAR 10 15:04:43 2003\n\0", "Mon Mar 10 15:04:43 2003", "Mon Mar 10 2003 15:04:43", "2003/ 3/10  3:04:43PM",
    "2003/03/10/ 15:04:43", "2003-03-10  15:04:43\0\0", "2003:03:10 15:04:43", "2003/3/10 15:04:43",
    "MON MAR 10 15:04:43 2003" + String(repeating: "\0", count: 80),
  ])
  func anAVIsDateComesInSeveralForms(_ text: String) throws {
    #expect(
      try summary(SampleFiles.avi(riffChunk("IDIT", ascii(text)))) == "2003-03-10T15:04:43+13:00 container machine")
  }

  @Test(arguments: [
    ("2001/ 1/27  1:42PM", "2001-01-27T13:42:00"), ("2001/ 1/27 12:42AM", "2001-01-27T00:42:00"),
    ("2001/ 1/27 12:42PM", "2001-01-27T12:42:00"), ("2005/11/28/ 09:19", "2005-11-28T09:19:00"),
  ])
  func aDateWithoutSecondsHasItsMinute(text: String, time: String) throws {
    #expect(
      try summary(SampleFiles.avi(riffChunk("IDIT", ascii(text)))) == "\(time)+13:00 container machine")
  }

  @Test func anAVIsDateMayBeWindowsTicksInTwoHalves() throws {
    let ticks = (1_047_265_483 + 11_644_473_600) * 10_000_000
    let info = riffChunk("LIST", ascii("INFO") + riffChunk("DTIM", ascii("\(ticks >> 32) \(ticks & 0xFFFF_FFFF)")))
    #expect(try summary(SampleFiles.avi(info)) == "2003-03-10T16:04:43+13:00 container utc")
  }

  @Test func nikonsOwnChunkTellsTheDateAndTheCamera() throws {
    func tag(_ number: Int, _ text: String) -> [UInt8] {
      little(number, 2) + little(text.utf8.count + 1, 2) + ascii(text) + [0]
    }
    let tags = tag(3, "NIKON") + tag(4, "E4500") + tag(5, "E4500v1.3") + tag(0x13, "2003:03:10 15:04:43")
    let list = riffChunk("LIST", ascii("ncdt") + riffChunk("ncvr", [1, 2]) + riffChunk("nctg", tags))
    let metadata = try #require(readMetadata(of: SampleFiles.avi(list)))
    #expect(metadata.captureDate.summary == "2003-03-10T15:04:43+13:00 original machine")
    #expect(
      [metadata.camera.make, metadata.camera.model, metadata.camera.software] == ["NIKON", "E4500", "E4500v1.3"])
  }

  /// A maker note with a directory of two entries, whose offsets count from the chunk's beginning.
  static func pentax(_ number: (Int, Int) -> [UInt8], _ mark: String) -> [UInt8] {
    let entries =
      number(6, 2) + number(7, 2) + number(4, 4) + [0x07, 0xD3, 3, 10] + number(7, 2) + number(7, 2) + number(3, 4)
      + [15, 4, 43, 0]
    return ascii("PENTAX \0" + mark) + number(2, 2) + entries + number(0, 4)
  }

  static func olympus(_ maker: String, _ date: String) -> [UInt8] {
    var junk = [UInt8](repeating: 0, count: 400)
    for (offset, text) in [(0, maker + "Digital Camera"), (0x12, "MAKER"), (0x2C, "MODEL"), (0x83, date)] {
      junk.replaceSubrange(offset..<offset + text.utf8.count, with: Array(text.utf8))
    }
    return riffChunk("JUNK", junk)
  }

  static let makers: [(name: String, chunks: [UInt8])] = [
    ("Pentax hymn", riffChunk("LIST", ascii("hydt") + riffChunk("hymn", pentax(big, "MM")))),
    ("Pentax mknt", riffChunk("LIST", ascii("pntx") + riffChunk("mknt", pentax(little, "II")))),
    ("Pentax junk", olympus("PENT", "2003:03:10 15:04:43")), ("Olympus", olympus("OLYM", "MON MAR 10 15:04:43 2003")),
    (
      "Casio", riffChunk("JUNK", ascii("QVMI") + [0, 0, 0, 0, 0, 0] + big(1, 2) + directory(big, valueAt: 28))
    ),
    (
      "AVIF",
      riffChunk(
        "LIST",
        ascii("strl")
          + riffChunk("strd", ascii("AVIF") + [0, 0, 0, 0] + little(1, 2) + directory(little, valueAt: 18)))
    ),
  ]

  /// A directory with the EXIF entry DateTimeOriginal alone; the count of entries precedes it.
  static func directory(_ number: (Int, Int) -> [UInt8], valueAt offset: Int) -> [UInt8] {
    number(0x9003, 2) + number(2, 2) + number(20, 4) + number(offset, 4) + number(0, 4) + ascii("2003:03:10 15:04:43\0")
  }

  @Test(arguments: makers.map(\.name)) func anotherMakersChunkTellsTheDate(_ name: String) throws {
    let chunks = try #require(Self.makers.first { $0.name == name }).chunks
    #expect(try summary(SampleFiles.avi(chunks)) == "2003-03-10T15:04:43+13:00 original machine")
  }

  @Test func aCopyOfATapeHasTheTapesDate() throws {
    let frames = riffChunk("LIST", ascii("movi") + riffChunk("00db", OldMovies.dv()))
    #expect(try summary(SampleFiles.avi(frames)) == "2009-03-10T15:04:43+13:00 original machine")
  }
}

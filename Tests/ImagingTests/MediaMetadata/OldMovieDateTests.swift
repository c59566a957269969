import Foundation
import Testing

@testable import ImageCoding
@testable import Imaging
@testable import MediaMetadata

@Suite struct OldMovieDateTests {
  private func summary(_ bytes: [UInt8]) throws -> String {
    try #require(readMetadata(of: bytes)).captureDate.summary
  }

  // MARK: DV

  @Test func aTapesDateStandsInItsFrames() throws {
    #expect(try summary(OldMovies.dv()) == "2009-03-10T15:04:43+13:00 original machine")
  }

  // The first DV cameras for consumers were sold in 1995.
  @Test(arguments: [
    (0x97, "1997-05-31T07:00:00+12:00"), (0x75, "1975-05-31T07:00:00+12:00"), (0x74, "2074-05-31T07:00:00+12:00"),
    (0x00, "2000-05-31T07:00:00+12:00"),
  ]) func `the two digits of a DV tape's year mean 1975 to 2074`(_ year: UInt8, _ date: String) throws {
    let frame = OldMovies.dv([[0x62, 0xFF, 0xF1, 0xE5, year], [0x63, 0xFF, 0x80, 0x80, 0xC7]])
    #expect(try summary(frame) == "\(date) original machine")
  }

  @Test func aRecordingWhoseFirstFramesHaveNoDateHasThatOfTheNext() throws {
    #expect(try summary(OldMovies.dv([]) + OldMovies.dv()) == "2009-03-10T15:04:43+13:00 original machine")
  }

  @Test func `a DV tape without a date has the file's date`() throws {
    #expect(try #require(readMetadata(of: OldMovies.dv([]))).captureDate.source == .file)
  }

  // MARK: AVCHD

  @Test(
    arguments: [
      // The cases are: no zone set; +02:00; -05:30; +01:00 with daylight saving time.
      (0, "2012-06-03T14:22:37+12:00 original machine"), (0x04, "2012-06-03T14:22:37+02:00 original file"),
      (0x2B, "2012-06-03T14:22:37-05:30 original file"), (0x42, "2012-06-03T14:22:37+12:00 original machine"),
    ] as [(UInt8, String)])
  func aCamcordersClockStandsBeforeItsPictures(zone: UInt8, date: String) throws {
    let bytes = OldMovies.transportStream(before: 4, content: OldMovies.cameraNotes(zone: zone))
    #expect(try summary(bytes) == date)
  }

  @Test func aCamcordersMakerIsKnownByItsNumber() throws {
    let bytes = OldMovies.transportStream(before: 4, content: OldMovies.cameraNotes(maker: [0x10, 0x11]))
    #expect(readMetadata(of: bytes)?.camera.make == "Canon")
  }

  @Test func `emulation-prevention bytes in camera notes are removed`() throws {
    let notes = OldMovies.cameraNotes(clock: [0x20, 0x12, 0x01, 0x01, 0x00, 0x00, 0x00], maker: [0x01, 0x08])
    let metadata = try #require(readMetadata(of: OldMovies.transportStream(content: notes)))
    #expect(metadata.captureDate.summary == "2012-01-01T00:00:00+13:00 original machine")
    #expect(metadata.camera.make == "Sony")
  }

  // MARK: Matroska

  private func matroska(recorded text: String, tagsAreLast: Bool) -> [UInt8] {
    let date = ebml(0x67C8, ebml(0x45A3, ascii("DATE_RECORDED")) + ebml(0x4487, ascii(text)))
    let encoder = ebml(0x67C8, ebml(0x45A3, ascii("ENCODER")) + ebml(0x4487, ascii("2001")))
    let tags = ebml(0x1254_C367, ebml(0x7373, ebml(0x63C0, []) + encoder + date))
    // The date in the headers is 2020-01-01.
    let info = ebml(0x1549_A966, ebml(0x4461, big(599_529_600_000_000_000, 8)))
    let tracks = ebml(0x1654_AE6B, ebml(0xAE, ebml(0xE0, ebml(0xB0, big(40, 2)) + ebml(0xBA, big(30, 2)))))
    let cluster = ebml(0x1F43_B675, ebml(0xE7, [0]))
    func index(_ position: Int) -> [UInt8] {
      ebml(0x114D_9B74, ebml(0x4DBB, ebml(0x53AB, big(0x1254_C367, 4)) + ebml(0x53AC, big(position, 4))))
    }
    let before = info + tracks + cluster
    let segment = tagsAreLast ? index(index(0).count + before.count) + before + tags : info + tracks + tags + cluster
    return ebml(0x1A45_DFA3, ebml(0x4282, ascii("matroska"))) + ebml(0x1853_8067, segment)
  }

  /// The texts are those of Matroska's tag specification, and of `ffmpeg`.
  @Test(
    arguments: [
      ("2015-08-22 14:08:19.250", "2015-08-22T14:08:19+12:00 original machine"),
      ("2015-08-22T14:08:19+0200", "2015-08-22T14:08:19+02:00 original file"),
      ("1993", "1993-01-01T12:00:00+13:00 original machine"), ("1985-06", "1985-06-01T12:00:00+12:00 original machine"),
      ("", "2020-01-01T13:00:00+13:00 container utc"),
    ], [false, true])
  func `a Matroska's tag has the date of the recording`(dates: (text: String, date: String), tagsAreLast: Bool) throws {
    #expect(try summary(matroska(recorded: dates.text, tagsAreLast: tagsAreLast)) == dates.date)
  }

  // MARK: WMV

  @Test func aWMVsDateIsInUTC() throws {
    let ticks = (1_236_697_483 + 11_644_473_600) * 10_000_000
    #expect(try summary(OldMovies.asf(created: ticks)) == "2009-03-11T04:04:43+13:00 container utc")
  }

  @Test(arguments: [0, 11_644_473_600 * 10_000_000]) func `an unset date of a WMV leaves no note`(_ ticks: Int) throws {
    let metadata = try #require(readMetadata(of: OldMovies.asf(created: ticks)))
    #expect(metadata.captureDate.source == .file)
    #expect(metadata.notes.isEmpty)
  }

  @Test(arguments: [0, 10_000_000, Int.max]) func aWMVsDateThatCantBeTrueIsIgnored(_ ticks: Int) throws {
    #expect(try #require(readMetadata(of: OldMovies.asf(created: ticks))).captureDate.source == .file)
  }
}

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

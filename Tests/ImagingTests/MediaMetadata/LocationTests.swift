import Foundation
import Testing

@testable import ImageCoding
@testable import Imaging
@testable import MediaMetadata

@Suite struct LocationTests {
  private func jpeg(_ latitude: Double, _ longitude: Double, _ more: (inout EXIFBuilder) -> Void = { _ in }) -> [UInt8]
  {
    var exif = EXIFBuilder(original: "2020:06:15 12:00:00")
    exif.setPosition(latitude, longitude)
    more(&exif)
    return SampleFiles.jpeg(exif: exif.bytes)
  }

  @Test func referencesGiveTheSigns() throws {
    let location = try #require(
      readMetadata(of: jpeg(-33.5, -70.25) { $0.gps += [(5, .bytes([1])), (6, .rational([(25, 2)]))] })?.location)
    #expect(location == Location(latitude: -33.5, longitude: -70.25, altitude: -12.5))
  }

  @Test(arguments: [(91.0, 10.0), (10, 181), (0, 0)]) func anImpossiblePlaceIsDroppedWithANote(
    latitude: Double, longitude: Double
  ) throws {
    let metadata = try #require(readMetadata(of: jpeg(latitude, longitude)))
    #expect(metadata.location == nil)
    #expect(metadata.notes.count == 1)
    #expect(metadata.captureDate.zoneSource == .machine)
  }

  @Test func `an empty GPS directory gives no location and no note`() throws {
    var exif = EXIFBuilder(original: "2020:06:15 12:00:00")
    exif.gps = [
      (0, .bytes([2, 3, 0, 0])), (2, .rational([(0, 0), (0, 0), (0, 0)])), (4, .rational([(0, 0), (0, 0), (0, 0)])),
    ]
    let metadata = try #require(readMetadata(of: SampleFiles.jpeg(exif: exif.bytes)))
    #expect(metadata.location == nil)
    #expect(metadata.notes.isEmpty)
  }

  @Test(arguments: [
    ("+37.3230-122.0322+030.5/", 37.323, -122.0322, 30.5), ("+3719.38-12201.932/", 37.323, -122.032_2, nil),
    ("-331530.0+0701530/", -33.258_333, 70.258_333, nil), ("+48.8583+2.2919/", 48.8583, 2.2919, nil),
  ])
  func quickTimesPositionsAreRead(text: String, latitude: Double, longitude: Double, altitude: Double?) throws {
    let position = try #require(ISO6709.position(text))
    #expect(abs(position.latitude - latitude) < 1e-5)
    #expect(abs(position.longitude - longitude) < 1e-5)
    #expect(position.altitude == altitude)
  }

  @Test(arguments: ["", "+", "48.8 2.2", "+48.8", "+48.8583", "+12345678901234+1/"]) func otherTextsAreNoPosition(
    _ text: String
  ) {
    #expect(ISO6709.position(text) == nil)
  }

  @Test func androidsAnd3GPsPositionsAreRead() throws {
    let text = ascii("+51.4169-000.0806/")
    let android = box("udta", box("©xyz", big(text.count, 2), big(0x15C7, 2), text))
    #expect(
      readMetadata(of: SampleFiles.movie(moov: android))?.location == Location(latitude: 51.4169, longitude: -0.0806))
    let loci = box(
      "udta",
      fullBox(
        "loci", big(0x15C7, 2), ascii("Paris\0"), [0], big(Int(2.25 * 65_536), 4), big(Int(48.5 * 65_536), 4), big(0, 4)
      ))
    #expect(
      readMetadata(of: SampleFiles.movie(brand: "3gp5", moov: loci))?.location
        == Location(latitude: 48.5, longitude: 2.25, altitude: 0))
  }

  @Test func xmpsPositionStandsInForEXIFs() {
    let xmp = #"<rdf:Description exif:GPSLatitude="51,30.0N" exif:GPSLongitude="0,7,30W" exif:GPSAltitude="150/10"/>"#
    #expect(
      readMetadata(of: SampleFiles.jpeg(xmp: xmp))?.location
        == Location(latitude: 51.5, longitude: -0.125, altitude: 15))
  }

  // MARK: Time zones

  @Test(arguments: [
    (52.5, 13.4, "Europe/Berlin"), (42.2, -8.7, "Europe/Madrid"), (41.15, -8.6, "Europe/Lisbon"),
    (41.26, -96.0, "America/Chicago"),
    (38.6, -90.2, "America/Chicago"), (33.7, -84.4, "America/New_York"), (40.8, -111.9, "America/Denver"),
    (36.1, -112.1, "America/Phoenix"),
    (-34.0, 23.9, "Africa/Johannesburg"), (35.0, 135.8, "Asia/Tokyo"), (28.6, 77.2, "Asia/Kolkata"),
    (22.5, 114.05, "Asia/Shanghai"),
    (43.8, 87.6, "Asia/Shanghai"), (-8.7, 115.2, "Asia/Makassar"), (-37.8, 145.0, "Australia/Melbourne"),
    (65.05, -16.6, "Atlantic/Reykjavik"),
  ])
  func aPositionTellsItsZone(latitude: Double, longitude: Double, name: String) throws {
    let date = Date(timeIntervalSince1970: 1_592_222_400)
    let zone = try #require(
      TimeZoneLocator.shared.timeZone(at: Location(latitude: latitude, longitude: longitude)))
    let expected = try #require(TimeZone(identifier: name))
    for date in [date, date.addingTimeInterval(180 * 86_400)] {
      #expect(zone.secondsFromGMT(for: date) == expected.secondsFromGMT(for: date))
    }
  }

  @Test func `without zone tables a position has no zone`() {
    let locator = TimeZoneLocator(directory: "/nowhere")
    #expect(locator.timeZone(at: Location(latitude: 52.5, longitude: 13.4)) == nil)
  }

  @Test func theGPSClockPicksAmongTheZonesNearBy() throws {
    // The place is between Chicago and New York. By the GPS time, the clock's noon was four or five
    // hours behind UTC.
    for (hour, hours) in [(16, -4), (17, -5)] {
      let bytes = jpeg(39.5, -86.9) { $0.setGPSTime("2020:06:15", hour, 0, 2) }
      let date = try #require(readMetadata(of: bytes)).captureDate
      #expect(date.offset == hours * 3600)
      #expect(date.zoneSource == .location)
    }
  }

  @Test func aStaleGPSClockIsNotBelieved() throws {
    let bytes = jpeg(52.5, 13.4) { $0.setGPSTime("2020:06:15", 8, 37, 41) }
    #expect(readMetadata(of: bytes)?.captureDate.offset == 7200)
  }
}

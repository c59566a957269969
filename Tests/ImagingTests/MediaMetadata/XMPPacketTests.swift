import Foundation
import FoundationXML
import Testing

@testable import ImageCoding
@testable import Imaging
@testable import MediaMetadata

@Suite struct XMPPacketTests {
  private var packet: XMPPacket {
    var packet = XMPPacket()
    packet.title = "Fjord & <fall>"
    packet.caption = "Two\nlines\u{1}"
    packet.keywords = ["Norway", "a & b"]
    packet.rating = 4
    packet.date = CaptureDate(
      date: Date(timeIntervalSince1970: 1_551_741_611.25), offset: -21_600, source: .original, zoneSource: .file)
    packet.location = Location(latitude: -41.25, longitude: 96.123456789, altitude: -12.5)
    return packet
  }

  @Test func ourOwnReaderFindsWhatWasWritten() {
    let xmp = XMP([UInt8](packet.data))
    #expect(xmp["dc:title"] == "Fjord &amp; &lt;fall&gt;")
    #expect(xmp.keywords == ["Norway", "a &amp; b"])
    #expect(xmp["xmp:Rating"] == "4")
    #expect(xmp["exif:DateTimeOriginal"] == "2019-03-04T17:20:11.250-06:00")
    #expect(xmp["exif:GPSLatitude"] == "41,15.00000000S")
    #expect(xmp["exif:GPSLongitude"] == "96,7.40740734E")
    #expect(xmp["exif:GPSAltitude"] == "12500/1000")
    #expect(xmp["exif:GPSAltitudeRef"] == "1")
  }

  @Test func thePacketIsWellFormedXML() throws {
    let parser = XMLParser(data: packet.data)
    #expect(parser.parse(), "\(String(describing: parser.parserError))")
  }

  @Test func unknownValuesAreLeftOut() {
    let xmp = XMP([UInt8](XMPPacket().data))
    #expect(xmp.values.keys.filter { !$0.hasPrefix("x:xmptk") && !$0.hasPrefix("xmlns") && !$0.hasPrefix("rdf") } == [])
  }

  @Test("An altitude that can't be is left out", arguments: [Double.infinity, -.infinity, .nan, 1e16, 100_001])
  func altitude(_ altitude: Double) {
    var packet = packet
    packet.location?.altitude = altitude
    let xmp = XMP([UInt8](packet.data))
    #expect(xmp["exif:GPSLatitude"] != nil && xmp["exif:GPSAltitude"] == nil && xmp["exif:GPSAltitudeRef"] == nil)
  }

  @Test(
    "An offset from UTC is told unless it is a guess",
    arguments: [
      (CaptureDate.ZoneSource.file, 1_551_741_611.25, "2019-03-04T17:20:11.250-06:00"),
      (.location, 1_551_741_611, "2019-03-04T17:20:11-06:00"),
      (.utc, 1_551_741_611, "2019-03-04T23:20:11Z"),
      (.machine, 1_551_741_611, "2019-03-04T17:20:11"),
      (.machine, 1_551_741_611.25, "2019-03-04T17:20:11.250"),
    ])
  func zone(_ source: CaptureDate.ZoneSource, _ seconds: Double, _ text: String) {
    var packet = packet
    packet.date = CaptureDate(
      date: Date(timeIntervalSince1970: seconds), offset: -21_600, source: .original, zoneSource: source)
    #expect(XMP([UInt8](packet.data))["exif:DateTimeOriginal"] == text)
  }

  /// Before standard time each town had its local time. Alaska and Manila used the date of the
  /// other side of the Pacific.
  @Test(arguments: [
    ("Juneau", 54_139, "+15:02"), ("Metlakatla", 54_822, "+15:13"), ("Sitka", 53_927, "+14:58"),
    ("Manila", -57_368, "-15:56"), ("Guam", -51_660, "-14:21"), ("Monrovia", -2588, "-00:43"),
    ("Amsterdam", 1172, "+00:19"), ("Kathmandu", 20_476, "+05:41"),
  ])
  func `the clock of every place in history is written`(place: String, offset: Int, text: String) {
    var packet = packet
    let noon = -4_089_268_800.0
    packet.date = CaptureDate(
      date: Date(timeIntervalSince1970: noon - Double(offset)), offset: offset, source: .original, zoneSource: .location
    )
    #expect(XMP([UInt8](packet.data))["exif:DateTimeOriginal"] == "1840-06-01T12:00:00" + text)
    #expect(packet.date?.exifText == "1840:06:01 12:00:00")
  }

  @Test(arguments: [Int.min, .max]) func `an offset that no clock has ends nothing`(offset: Int) {
    var packet = packet
    packet.date = CaptureDate(date: .distantPast, offset: offset, source: .original, zoneSource: .file)
    #expect(XMP([UInt8](packet.data))["exif:DateTimeOriginal"] != nil)
  }

  @Test func `a photo that says Juneau and 1850 has its date exported`() throws {
    var exif = EXIFBuilder(original: "1850:07:01 09:30:00")
    exif.setPosition(58.3, -134.42)
    var packet = packet
    packet.date = try #require(readMetadata(of: SampleFiles.jpeg(exif: exif.bytes))).captureDate
    #expect(XMP([UInt8](packet.data))["exif:DateTimeOriginal"] == "1850-07-01T09:30:00+15:02")
  }

  @Test(arguments: [
    (1e300, "9999-12-31T23:59:59Z"), (Double.infinity, "9999-12-31T23:59:59Z"), (-1e300, "0000-01-01T00:00:00Z"),
    (-62_135_596_800, "0001-01-01T00:00:00Z"), (0.9996, "1970-01-01T00:00:01Z"), (-0.001, "1969-12-31T23:59:59.999Z"),
    (951_782_400, "2000-02-29T00:00:00Z"), (Double.nan, "1970-01-01T00:00:00Z"),
  ])
  func `every instant is written as one of four digits' years`(seconds: Double, text: String) {
    var packet = packet
    packet.date = CaptureDate(
      date: Date(timeIntervalSince1970: seconds), offset: 0, source: .original, zoneSource: .file)
    #expect(XMP([UInt8](packet.data))["exif:DateTimeOriginal"] == text)
  }

  /// If reading an attribute moved all the following ones, the wait would reach its limit.
  @Test func `the time for a packet grows with the number of its attributes, not with its square`() throws {
    let attributes = String(repeating: "a:b=\"\" ", count: 500_000)
    let reading = ThreadedCall { XMP(Array("<rdf:Description \(attributes) dc:title=\"last\"/>".utf8))["dc:title"] }
    #expect(try reading.value("a packet of many attributes") == "last")
  }

  @Test func theFilesOwnDateIsNoDateOfThePhoto() {
    var packet = packet
    packet.date?.source = .file
    let xmp = XMP([UInt8](packet.data))
    #expect(["exif:DateTimeOriginal", "photoshop:DateCreated", "xmp:CreateDate"].allSatisfy { xmp[$0] == nil })
    #expect(xmp["exif:GPSLatitude"] != nil)
  }

  @Test func theSameValuesGiveTheSameBytes() { #expect(packet.data == packet.data) }
}

import Foundation
import FoundationXML
import Testing

@testable import Imaging

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

  @Test func whatIsNotKnownIsLeftOut() {
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
      (.utc, 1_551_741_611, "2019-03-04T17:20:11-06:00"),
      (.machine, 1_551_741_611, "2019-03-04T17:20:11"),
      (.machine, 1_551_741_611.25, "2019-03-04T17:20:11.250"),
    ])
  func zone(_ source: CaptureDate.ZoneSource, _ seconds: Double, _ text: String) {
    var packet = packet
    packet.date = CaptureDate(
      date: Date(timeIntervalSince1970: seconds), offset: -21_600, source: .original, zoneSource: source)
    #expect(XMP([UInt8](packet.data))["exif:DateTimeOriginal"] == text)
  }

  @Test func theSameValuesGiveTheSameBytes() { #expect(packet.data == packet.data) }
}

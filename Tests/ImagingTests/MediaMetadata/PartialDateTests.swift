import Foundation
import Testing

@testable import ImageCoding
@testable import Imaging
@testable import MediaMetadata

/// The choice among several dates of a file, of which some lack their time, their day or their
/// month. The order is that of the Metadata Working Group's guidelines (version 2.0, 5.3).
@Suite struct PartialDateTests {
  private func date(
    _ exif: EXIFBuilder = EXIFBuilder(), xmp: String = "", iptc fields: [UInt8] = [], name: String = "photo.jpg"
  ) throws -> String {
    let packet = "<rdf:RDF><rdf:Description \(xmp)/></rdf:RDF>"
    let bytes = SampleFiles.jpeg(exif: exif.bytes, xmp: packet, segments: fields.isEmpty ? [] : [photoshop(fields)])
    let date = try #require(readMetadata(of: bytes, name: name)).captureDate
    return "\(date.summary) \(date.precision)"
  }

  @Test func `a scan has the date of its paper`() throws {
    let scanned = EXIFBuilder(digitized: "2019:03:02 10:11:12", modified: "2019:03:02 10:11:12")
    #expect(
      try date(scanned, xmp: #"photoshop:DateCreated="1985-07-14T15:00:00+02:00" xmp:CreateDate="2019-03-02T10:11:12""#)
        == "1985-07-14T15:00:00+02:00 xmp file time")
    let fields = iptc(2, 55, ascii("19850714")) + iptc(2, 60, ascii("150000+0200"))
    #expect(try date(scanned, iptc: fields) == "1985-07-14T15:00:00+02:00 xmp file time")
    #expect(try date(scanned, xmp: #"photoshop:DateCreated="1978""#) == "1978-01-01T12:00:00+13:00 xmp machine year")
  }

  @Test func `a photo with GPS's time is no scan`() throws {
    var exif = EXIFBuilder()
    exif.setGPSTime("2020:01:03", 10, 0, 0)
    let created = #"photoshop:DateCreated="2020-01-03T10:00:00-04:00""#
    #expect(try date(exif, xmp: created) == "2020-01-03T23:00:00+13:00 gps utc time")
    exif.digitized = "2020:01:03 22:59:58"
    #expect(try date(exif, xmp: created) == "2020-01-03T22:59:58+13:00 digitized machine time")
  }

  @Test func `the camera's date stands before the paper's`() throws {
    #expect(
      try date(EXIFBuilder(original: "2020:01:01 10:00:00"), xmp: #"photoshop:DateCreated="1985""#)
        == "2020-01-01T10:00:00+13:00 original machine time")
  }

  @Test func `a year is replaced by a date of that year`() throws {
    let year = EXIFBuilder(original: "1985:00:00 00:00:00")
    #expect(try date(year) == "1985-01-01T12:00:00+13:00 original machine year")
    #expect(
      try date(year, xmp: #"photoshop:DateCreated="1985-06-14""#) == "1985-06-14T12:00:00+12:00 xmp machine day")
    #expect(
      try date(year, xmp: #"photoshop:DateCreated="1986-06-14""#) == "1985-01-01T12:00:00+13:00 original machine year")
  }

  @Test func `a year is completed part by part`() throws {
    let exif = EXIFBuilder(original: "1985:00:00 00:00:00", digitized: "1985:06:14 10:00:00")
    #expect(
      try date(exif, xmp: #"exif:DateTimeOriginal="1985-06""#) == "1985-06-14T10:00:00+12:00 digitized machine time")
  }

  @Test func `a name's date completes no other, since it is a guess`() throws {
    let year = EXIFBuilder(original: "1985:00:00 00:00:00")
    #expect(try date(year, name: "1985-06-14.jpg") == "1985-01-01T12:00:00+13:00 original machine year")
  }

  @Test func `an instant has the day of the place`() throws {
    // In Auckland, 20:00 of UTC is the next morning.
    for (time, date) in [
      ("2019-05-14T20:00:00Z", "2019-05-14T12:00:00+12:00 xmp machine day"),
      ("2019-05-13T20:00:00Z", "2019-05-14T08:00:00+12:00 xmp utc time"),
    ] {
      #expect(try self.date(xmp: #"photoshop:DateCreated="2019-05-14" xmp:CreateDate="\#(time)""#) == date)
    }
  }

  @Test func `a day in UTC stays that day`() throws {
    #expect(try date(xmp: #"xmp:CreateDate="2009-05-06Z""#) == "2009-05-06T12:00:00+12:00 xmp machine day")
    #expect(
      try date(xmp: #"xmp:CreateDate="2009-05-06T20:00Z""#) == "2009-05-07T08:00:00+12:00 xmp utc time")
  }

  @Test func `the date of a change completes a name's, and no other`() throws {
    let modified = EXIFBuilder(modified: "2016:12:24 18:19:20")
    #expect(try date(modified, name: "IMG-20161224-WA0014.jpg") == "2016-12-24T18:19:20+13:00 digitized machine time")
    #expect(try date(modified, name: "IMG-20161223-WA0014.jpg") == "2016-12-23T12:00:00+13:00 name machine day")
    let exif = EXIFBuilder(original: "2019:00:00 00:00:00", modified: "2019:03:02 10:11:12")
    #expect(try date(exif) == "2019-01-01T12:00:00+13:00 original machine year")
  }

  @Test func `XMP and IPTC have further dates`() throws {
    #expect(try date(xmp: #"dc:date="2015-01-01T10:00:00""#) == "2015-01-01T10:00:00+13:00 xmp machine time")
    #expect(
      try date(xmp: #"dc:date="2015-01-01" xmp:CreateDate="2014-01-01""#)
        == "2014-01-01T12:00:00+13:00 xmp machine day")
    for name in ["tiff:DateTime", "xmp:ModifyDate"] {
      #expect(
        try date(xmp: #"\#(name)="2015-01-01T10:00:00""#) == "2015-01-01T10:00:00+13:00 digitized machine time")
    }
    let fields = iptc(2, 62, ascii("20150101")) + iptc(2, 63, ascii("100000+0100"))
    #expect(try date(iptc: fields) == "2015-01-01T10:00:00+01:00 xmp file time")
  }

  @Test func `an IPTC date may lack its day, and its time may be unreadable`() throws {
    #expect(try date(iptc: iptc(2, 55, ascii("19780900"))) == "1978-09-01T12:00:00+12:00 xmp machine month")
    let fields = iptc(2, 55, ascii("19850714")) + iptc(2, 60, ascii("noon"))
    #expect(try date(iptc: fields) == "1985-07-14T12:00:00+12:00 xmp machine day")
  }

  /// IIM defines the date (2:55) and the time (2:60) as separate fields.
  @Test(arguments: [
    ("1984", "11", "1984-01-01T12:00:00+13:00 xmp machine year"),
    ("1984", "091020", "1984-01-01T12:00:00+13:00 xmp machine year"),
    ("1984    ", "120000+0100", "1984-01-01T12:00:00+13:00 xmp machine year"),
    ("1984-09", "10:11:12", "1984-09-01T12:00:00+12:00 xmp machine month"),
    ("198409", "000000+0000", "1984-09-01T12:00:00+12:00 xmp machine month"),
    ("198409\0\0", "101112", "1984-09-01T12:00:00+12:00 xmp machine month"),
    ("19840900", "101112", "1984-09-01T12:00:00+12:00 xmp machine month"),
    ("1984-09-10", "10:11:12", "1984-09-10T10:11:12+12:00 xmp machine time"),
  ])
  func `an IPTC time without a day is no part of the date`(day: String, time: String, date: String) throws {
    #expect(try self.date(iptc: iptc(2, 55, ascii(day)) + iptc(2, 60, ascii(time))) == date)
  }

  @Test func `a name's date stands before those of changes`() throws {
    #expect(try date(name: "IMG-20161224-WA0014.jpg") == "2016-12-24T12:00:00+13:00 name machine day")
    #expect(
      try date(EXIFBuilder(modified: "2020:07:04 10:00:00"), name: "20161224_101112.jpg")
        == "2016-12-24T10:11:12+13:00 name machine time")
    #expect(
      try date(xmp: #"xmp:CreateDate="2015-01-01T10:00:00""#, name: "20161224_101112.jpg")
        == "2015-01-01T10:00:00+13:00 xmp machine time")
    // Auckland's clocks were 13 hours ahead of UTC's, which are those in this name.
    #expect(try date(name: "PXL_20230104_172812686.jpg") == "2023-01-05T06:28:12+13:00 name utc time")
  }

  @Test func `a movie's year is completed by its header's date`() throws {
    let keys = SampleFiles.keys([("com.apple.quicktime.creationdate", "1993")])
    // 2020-01-01 in seconds since 1904.
    for (created, date) in [
      (3_660_681_600, "1993-01-01T12:00:00+13:00 quickTime machine year"),
      (3_660_681_600 - 851_990_400, "1993-01-01T13:00:00+13:00 container utc time"),
    ] {
      let found = try #require(readMetadata(of: SampleFiles.movie(created: created, moov: keys))).captureDate
      #expect("\(found.summary) \(found.precision)" == date)
    }
  }

  // MARK: Writing

  @Test(arguments: [
    (CaptureDate.Precision.year, "1985:  :     :  :  ", "1985"), (.month, "1985:06:     :  :  ", "1985-06"),
    (.day, "1985:06:14   :  :  ", "1985-06-14"), (.time, "1985:06:14 15:00:00", "1985-06-14T15:00:00+02:00"),
  ])
  func `a partial date is written and read as such`(precision: CaptureDate.Precision, exif: String, xmp: String) throws
  {
    let instant = Date(timeIntervalSince1970: 487_602_000)
    let date = CaptureDate(date: instant, offset: 7200, source: .xmp, zoneSource: .file, precision: precision)
    #expect(date.exifText == exif)
    var packet = XMPPacket()
    packet.date = date
    #expect(XMP([UInt8](packet.data))["photoshop:DateCreated"] == xmp)
    let bytes = SampleFiles.jpeg(exif: EXIFBuilder(original: date.exifText).bytes)
    #expect(readMetadata(of: bytes)?.captureDate.precision == precision)
  }

  @Test(arguments: [CaptureDate.Source.name, .file]) func `a guess is not written`(source: CaptureDate.Source) {
    var packet = XMPPacket()
    packet.date = CaptureDate(date: .now, offset: 0, source: source, zoneSource: .machine)
    #expect(XMP([UInt8](packet.data))["photoshop:DateCreated"] == nil)
  }
}

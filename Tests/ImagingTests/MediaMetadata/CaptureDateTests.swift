import Foundation
import Testing

@testable import ImageCoding
@testable import Imaging
@testable import MediaMetadata

@Suite struct CaptureDateTests {
  /// Returns the date as ISO 8601, its source, and the source of its time zone.
  private func summary(_ bytes: [UInt8]) throws -> String {
    try #require(readMetadata(of: bytes)).captureDate.summary
  }

  private func summary(_ configure: (inout EXIFBuilder) -> Void, xmp: String? = nil) throws -> String {
    var exif = EXIFBuilder()
    configure(&exif)
    return try summary(SampleFiles.jpeg(exif: exif.bytes, xmp: xmp))
  }

  private func xmp(_ attributes: String) -> String { "<rdf:RDF><rdf:Description \(attributes)/></rdf:RDF>" }

  @Test func originalBeatsAllOthers() throws {
    let text = try summary(
      {
        $0.original = "2020:01:01 10:00:00"
        $0.digitized = "2020:01:02 10:00:00"
        $0.modified = "2020:01:04 10:00:00"
        $0.setGPSTime("2020:01:03", 10, 0, 0)
      }, xmp: xmp(#"xmp:CreateDate="2020-01-05T10:00:00""#))
    #expect(text == "2020-01-01T10:00:00+13:00 original machine")
  }

  @Test func digitizedStandsInForOriginal() throws {
    let text = try summary {
      $0.digitized = "2020:01:02 10:00:00"
      $0.modified = "2020:01:04 10:00:00"
      $0.setGPSTime("2020:01:03", 10, 0, 0)
    }
    #expect(text == "2020-01-02T10:00:00+13:00 digitized machine")
  }

  @Test func theGPSStampIsAnInstantWhoseOffsetAloneIsGuessed() throws {
    let text = try summary { $0.setGPSTime("2020:01:03", 10, 0, 0) }
    #expect(text == "2020-01-03T23:00:00+13:00 gps utc")
  }

  @Test func theGPSStampTakesThePositionsZone() throws {
    let text = try summary {
      $0.setGPSTime("2020:01:03", 10, 0, 0)
      $0.setPosition(37.77, -122.42)
    }
    #expect(text == "2020-01-03T02:00:00-08:00 gps location")
  }

  @Test(
    arguments: [
      ([], "2020-01-01T10:00:00-03:30 original file"),
      ([(0x9004, .text("2021:01:01 10:00:00"))], "2020-01-01T10:00:00-03:30 original file"),
      ([(0x9011, .text("+01:00"))], "2020-01-01T10:00:00+01:00 original file"),
      ([(0x9003, .text("2019:01:01 10:00:00"))], "2019-01-01T10:00:00-03:30 original file"),
    ] as [([(Int, TIFFBuilder.Value)], String)])
  func `a date in the main directory counts if the EXIF directory has none`(
    capture: [(Int, TIFFBuilder.Value)], expected: String
  ) throws {
    let text = try summary {
      $0.main = [(0x9003, .text("2020:01:01 10:00:00")), (0x9011, .text("-03:30"))]
      $0.capture = capture + [(0x9000, .bytes(ascii("0232")))]
    }
    #expect(text == expected)
  }

  @Test func `the main directory stands in for a damaged EXIF directory`() throws {
    let text = try summary { $0.main = [(0x9004, .text("2020:01:01 10:00:00")), (0x8769, .long([99_999]))] }
    #expect(text == "2020-01-01T10:00:00+13:00 digitized machine")
  }

  @Test func xmpBeatsTheDateOfTheLastChange() throws {
    let text = try summary(
      { $0.modified = "2020:01:04 10:00:00" }, xmp: xmp(#"photoshop:DateCreated="2019-05-05T10:00:00+02:00""#))
    #expect(text == "2019-05-05T10:00:00+02:00 xmp file")
  }

  @Test func `the date in XMP may have any prefix`() throws {
    let namespace = #"xmlns:ps="http://ns.adobe.com/photoshop/1.0/""#
    let packet = xmp(#"ps:DateCreated="2019-05-05T10:00:00+02:00" \#(namespace)"#)
    #expect(try summary(SampleFiles.jpeg(xmp: packet)) == "2019-05-05T10:00:00+02:00 xmp file")
  }

  @Test func theDateOfTheLastChangeIsBetterThanNone() throws {
    #expect(try summary { $0.modified = "2020:07:04 10:00:00" } == "2020-07-04T10:00:00+12:00 digitized machine")
  }

  @Test func withoutAnyDateTheFilesOwnCounts() throws {
    #expect(try summary(SampleFiles.jpeg()) == "2001-09-09T13:46:40+12:00 file machine")
  }

  @Test func aStatedOffsetBeatsThePosition() throws {
    let text = try summary {
      $0.original = "2020:01:01 10:00:00"
      $0.originalOffset = "-03:30"
      $0.setPosition(52.5, 13.4)
    }
    #expect(text == "2020-01-01T10:00:00-03:30 original file")
  }

  /// Offsets of places at any time in history, among them the largest.
  @Test(
    "The offset that is written is read again",
    arguments: [
      ("Juneau", 54_139), ("Metlakatla", 54_822), ("Manila", -57_368), ("Kiritimati", 50_400), ("Monrovia", -2588),
    ])
  func writtenOffset(place: String, offset: Int) throws {
    // Noon by the place's clock.
    let date = CaptureDate(
      date: Date(timeIntervalSince1970: -4_089_268_800 - Double(offset)), offset: offset, source: .original,
      zoneSource: .location)
    var packet = XMPPacket()
    packet.date = date
    let exif = EXIFBuilder(original: date.exifText, originalOffset: date.exifOffset)
    let xmp = String(decoding: packet.data, as: UTF8.self)
    for bytes in [SampleFiles.jpeg(exif: exif.bytes), SampleFiles.jpeg(xmp: xmp)] {
      let found = try #require(readMetadata(of: bytes)).captureDate
      #expect(found.zoneSource == .file)
      // Neither format can express the seconds of an offset.
      #expect(found.offset == offset / 60 * 60)
      #expect(found.exifText == "1840:06:01 12:00:00")
    }
  }

  @Test(
    "A text says this offset",
    arguments: [
      ("+09:00", 32_400), ("-0700", -25_200), ("Z", 0), ("-15:02:19", -54_139), ("+15:13:42", 54_822),
      ("+16:00", 57_600), ("+16:01", nil), ("-16:00:01", nil), ("+99:00", nil), ("+05:60", nil), ("+05:00:60", nil),
    ] as [(String, Int?)])
  func offset(text: String, offset: Int?) { #expect(DateText.offset(text) == offset) }

  @Test(arguments: [("5", 0.5), ("05", 0.05), ("930", 0.93), ("   ", 0), ("x", 0)])
  func subSecondsAreDecimals(text: String, fraction: Double) throws {
    let exif = EXIFBuilder(original: "2020:01:01 10:00:00", originalOffset: "+00:00", originalSubseconds: text)
    let date = try #require(readMetadata(of: SampleFiles.jpeg(exif: exif.bytes))).captureDate.date
    #expect(abs(date.timeIntervalSince1970 - 1_577_872_800 - fraction) < 1e-6)
  }

  @Test(arguments: ["0000:00:00 00:00:00", "    :  :     :  :  ", ""]) func anUnsetDateIsDroppedSilently(_ text: String)
    throws
  {
    let metadata = try #require(
      readMetadata(of: SampleFiles.jpeg(exif: EXIFBuilder(original: text, modified: "2020:07:04 10:00:00").bytes)))
    #expect(metadata.captureDate.source == .digitized)
    #expect(metadata.notes.isEmpty)
  }

  @Test(arguments: [
    "20201301 10:00:00", "0020:01:01 10:00:00", ":07:04 16:24:01", "9999:99:99",
  ])
  func anImpossibleDateIsDroppedWithANote(_ text: String) throws {
    let metadata = try #require(readMetadata(of: SampleFiles.jpeg(exif: EXIFBuilder(original: text).bytes)))
    #expect(metadata.captureDate.source == .file)
    #expect(metadata.notes.count == 1)
  }

  @Test(
    arguments: [
      ("scan.jpg", "2020:12:31 23:50:00", "2020-12-31T23:50:00+13:00 digitized machine"),
      ("IMG_20200301_101112.jpg", nil, "2020-03-01T10:11:12+13:00 name machine"),
      ("scan.jpg", nil, "2021-01-01T12:00:00+13:00 original machine"),
    ] as [(String, String?, String)])
  func `a date with an impossible part comes before the last change alone`(
    name: String, digitized: String?, expected: String
  ) throws {
    var exif = EXIFBuilder(original: "2021:13:01 10:11:12", modified: "2021:07:04 10:00:00")
    exif.digitized = digitized
    let metadata = try #require(readMetadata(of: SampleFiles.jpeg(exif: exif.bytes), name: name))
    #expect(metadata.captureDate.summary == expected)
  }

  @Test(arguments: [
    ("2567:05:05 10:00:00", "The date “2567:05:05 10:00:00” was read as of the Buddhist calendar."),
    // Reiwa 6 and Heisei 36 are the same year, and 1403 may be one of Iran.
    (
      "0006:05:05 10:00:00",
      "The year in the date “0006:05:05 10:00:00” may be of another calendar, and the date was ignored."
    ),
    (
      "1403-05-05T10:00:00",
      "The year in the date “1403-05-05T10:00:00” may be of another calendar, and the date was ignored."
    ),
    (
      "113:05:05 10:00:00",
      "The year in the date “113:05:05 10:00:00” may be of another calendar, and the date was ignored."
    ),
    (
      "6:05:05 10:00:00",
      "The year in the date “6:05:05 10:00:00” may be of another calendar, and the date was ignored."
    ),
    (
      "5784:08:05 10:00:00",
      "The year in the date “5784:08:05 10:00:00” may be of another calendar, and the date was ignored."
    ),
    ("10:20:30", "The date “10:20:30” can't be read and was ignored."),
    ("12/25/2004 10:30:00", "The date “12/25/2004 10:30:00” can't be read and was ignored."),
    ("25.12.2004 10:30", "The date “25.12.2004 10:30” can't be read and was ignored."),
    ("10:30:00 AM", "The date “10:30:00 AM” can't be read and was ignored."),
    ("1:30 PM", "The date “1:30 PM” can't be read and was ignored."),
    ("5300:01:01 10:00:00", "The date “5300:01:01 10:00:00” can't be read and was ignored."),
    ("9999:01:01 10:00:00", "The date “9999:01:01 10:00:00” can't be read and was ignored."),
    ("0000:05:05 10:00:00", "The date “0000:05:05 10:00:00” can't be read and was ignored."),
  ])
  func `a note names a year of another calendar`(text: String, note: String) {
    let metadata = readMetadata(of: SampleFiles.jpeg(exif: EXIFBuilder(original: text).bytes))
    #expect(metadata?.notes == [note])
    #expect(metadata?.captureDate.source == (text.hasPrefix("2567") ? .original : .file))
  }

  @Test func iptcIsAsGoodAsXMP() throws {
    let iptc = [0x1C, 2, 55, 0, 8] + ascii("20190505") + [0x1C, 2, 60, 0, 11] + ascii("143000+0100")
    let photoshop = ascii("Photoshop 3.0\0") + ascii("8BIM") + big(0x0404, 2) + [0, 0] + big(iptc.count, 4) + iptc
    #expect(try summary(SampleFiles.jpeg(segments: [(0xED, photoshop)])) == "2019-05-05T14:30:00+01:00 xmp file")
  }

  /// IPTC writes the digits of an unknown time as blanks.
  @Test func `a blank time of IPTC leaves a day and no note`() throws {
    let iptc = [0x1C, 2, 55, 0, 8] + ascii("19850614") + [0x1C, 2, 60, 0, 11] + ascii("      +0000")
    let photoshop = ascii("Photoshop 3.0\0") + ascii("8BIM") + big(0x0404, 2) + [0, 0] + big(iptc.count, 4) + iptc
    let metadata = try #require(readMetadata(of: SampleFiles.jpeg(segments: [(0xED, photoshop)])))
    #expect(metadata.captureDate.summary == "1985-06-14T12:00:00+12:00 xmp machine")
    #expect(metadata.captureDate.precision == .day)
    #expect(metadata.notes.isEmpty)
  }

  @Test func `an empty directory of EXIF leaves no note`() throws {
    let empty = ascii("MM") + big(42, 2) + big(8, 4) + big(0, 2) + big(0, 4)
    #expect(readMetadata(of: SampleFiles.jpeg(exif: empty))?.notes == [])
    let damaged = ascii("MM") + big(42, 2) + big(200, 4) + big(0, 6)
    #expect(readMetadata(of: SampleFiles.jpeg(exif: damaged))?.notes == ["The EXIF data is damaged."])
  }

  // MARK: Movies

  /// 2020-01-01 00:00:00 UTC in seconds since 1904.
  private let created = 3_660_681_600

  @Test func quickTimesDateWithAZoneBeatsTheHeaders() throws {
    let keys = SampleFiles.keys([("com.apple.quicktime.creationdate", "2016-01-18T15:20:40-0700")])
    #expect(try summary(SampleFiles.movie(created: created, moov: keys)) == "2016-01-18T15:20:40-07:00 quickTime file")
  }

  @Test func theHeadersDateIsInUTC() throws {
    #expect(try summary(SampleFiles.movie(created: created)) == "2020-01-01T13:00:00+13:00 container utc")
    let keys = SampleFiles.keys([("com.apple.quicktime.location.ISO6709", "+52.4597+013.3220/")])
    #expect(
      try summary(SampleFiles.movie(created: created, moov: keys)) == "2020-01-01T01:00:00+01:00 container location")
  }

  @Test(arguments: [0, 2_082_844_800]) func anUnsetHeaderIsNoDate(_ created: Int) throws {
    let metadata = try #require(readMetadata(of: SampleFiles.movie(created: created)))
    #expect(metadata.captureDate.source == .file)
    #expect(metadata.notes.isEmpty)
  }

  @Test func aHeaderThatCountsFrom1970IsUnderstood() throws {
    #expect(try summary(SampleFiles.movie(created: 1_577_836_800)) == "2020-01-01T13:00:00+13:00 container utc")
  }

  // MARK: Other formats

  @Test(arguments: ["Tue, 21 May 2019 10:45:52 +0200", "2019:05:21 10:45:52+02:00", "2019-05-21T10:45:52+02:00"])
  func pngsCreationTimeComesInSeveralShapes(_ text: String) throws {
    let png = SampleFiles.png(
      pngChunk("tEXt", ascii("Creation Time\0" + text)), pngChunk("tIME", big(2020, 2) + [1, 2, 3, 4, 5]))
    #expect(try summary(png) == "2019-05-21T10:45:52+02:00 png file")
  }

  @Test(arguments: [
    ("Sun Feb  3 04:05:06 2013", "2013-02-03T04:05:06+13:00"),
    ("Sun Feb  3 04:05:06 2013\n", "2013-02-03T04:05:06+13:00"),
    ("Sun, 03 Feb 2013 04:05:06", "2013-02-03T04:05:06+13:00"), ("03 February 2013", "2013-02-03T12:00:00+13:00"),
    ("February 3, 2013 04:05", "2013-02-03T04:05:00+13:00"), ("2013-02-03", "2013-02-03T12:00:00+13:00"),
  ])
  func `a PNG's Creation Time may have words and no zone`(text: String, date: String) throws {
    #expect(try summary(SampleFiles.png(pngChunk("tEXt", ascii("Creation Time\0" + text)))) == "\(date) png machine")
  }

  @Test(arguments: ["Sun, 3 Feb 13 04:05:06", "May 2013"])
  func `a note has the text of a PNG's Creation Time`(text: String) {
    let metadata = readMetadata(of: SampleFiles.png(pngChunk("tEXt", ascii("Creation Time\0" + text))))
    #expect(metadata?.captureDate.source == .file)
    #expect(metadata?.notes == ["The date “\(text)” can't be read and was ignored."])
  }

  /// The trailer is that of the XMP Specification, part 3, 1.1.2.
  @Test(arguments: [13, SampleFiles.gif().count - 1]) func `a GIF's XMP has a date`(offset: Int) throws {
    let trailer: [UInt8] = [1] + (0...255).reversed() + [0]
    let packet = ascii(xmp(#"photoshop:DateCreated="1978-08""#))
    let block = [0x21, 0xFF, 11] + ascii("XMP DataXMP") + packet + trailer
    let gif = SampleFiles.gif()
    let metadata = try #require(readMetadata(of: Array(gif.prefix(offset)) + block + gif.dropFirst(offset)))
    #expect(metadata.captureDate.summary == "1978-08-01T12:00:00+12:00 xmp machine")
    #expect(metadata.notes.isEmpty)
  }

  @Test func pngsTimeOfTheLastChangeIsInUTC() throws {
    #expect(
      try summary(SampleFiles.png(pngChunk("tIME", big(2020, 2) + [1, 2, 3, 4, 5])))
        == "2020-01-02T16:04:05+13:00 png utc")
  }

  @Test(arguments: [
    // The clock changes of Auckland in 2020: ahead on 27 September at 2, back on 5 April at 3.
    ("2020:09:27 01:30:00", 12), ("2020:09:27 02:30:00", 12), ("2020:09:27 03:30:00", 13), ("2020:04:05 01:30:00", 13),
    ("2020:04:05 02:30:00", 13),
    ("2020:04:05 03:30:00", 12),
  ])
  func aLocalTimeHasTheOffsetThatItsClockHad(text: String, hours: Int) throws {
    #expect(
      try #require(readMetadata(of: SampleFiles.jpeg(exif: EXIFBuilder(original: text).bytes))).captureDate.offset
        == hours * 3600)
  }
}

extension CaptureDate {
  var summary: String {
    let formatter = ISO8601DateFormatter()
    formatter.timeZone = TimeZone(secondsFromGMT: offset)
    return "\(formatter.string(from: date)) \(source) \(zoneSource)"
  }
}

import Foundation
import Testing

@testable import ImageCoding
@testable import Imaging
@testable import MediaMetadata

/// The dates of makers of cameras. The formats are those in ExifTool's documentation of tags.
@Suite struct MakerDateTests {
  private func summary(_ bytes: [UInt8]) throws -> String { try #require(readMetadata(of: bytes)).captureDate.summary }

  // MARK: JPEGs before EXIF

  @Test(arguments: ["2001:09:30 14:25:01", "2001.09.30.14.25.01", "2001:09:30:14:25:01"])
  func `a Casio's segment has its date`(text: String) throws {
    let content = ascii("QVCI\0").padded(to: 0x4D) + ascii(text).padded(to: 20) + ascii("QV-7000")
    let metadata = try #require(readMetadata(of: SampleFiles.jpeg(segments: [(0xE1, content)])))
    #expect(metadata.captureDate.summary == "2001-09-30T14:25:01+12:00 original machine")
    #expect(metadata.camera.make == "Casio")
  }

  @Test(arguments: [
    ("[picture info]\r\nResolution=1\r\nTimeDate=883702923\r\nShutter=1", "1998-01-02T01:02:03+13:00"),
    ("Type=SR\r\nTimeDate=2000:02:03 04:05:06\r\n", "2000-02-03T04:05:06+13:00"),
    ("[Picture Info]\nTimeDate=1999/05/06 07:08:09\n[Camera Info]\nType=PDC\n", "1999-05-06T07:08:09+12:00"),
    (
      "OLYMPUS OPTICAL CO.,LTD.\0\0\0\0[picture info]\r\nTimeDate=921600000\r\nQuality=2", "1999-03-16T16:00:00+13:00"
    ),
    ("[picture info]\0TimeDate=921600000\0Type=SR6\0", "1999-03-16T16:00:00+13:00"),
    ("[picture info] Quality=1 TimeDate=921600000 Flash=0 [end]", "1999-03-16T16:00:00+13:00"),
    ("[picture info] TimeDate=1999/05/06 07:08:09 Flash=0 [end]", "1999-05-06T07:08:09+12:00"),
    ("[picture info]\r\n  TimeDate=921600000  \r\n", "1999-03-16T16:00:00+13:00"),
  ])
  func `a picture info has its date`(text: String, date: String) throws {
    let jpeg = SampleFiles.jpeg(segments: [(0xEC, ascii("Ducky")), (0xEC, ascii(text))])
    #expect(try summary(jpeg) == "\(date) original machine")
  }

  /// Returns a file of Canon's oldest format. It contains the size of the sensor, the seconds since
  /// 1970 by the camera's clock, the maker and the model.
  private func canonFile(_ signature: String, _ number: (Int, Int) -> [UInt8]) -> [UInt8] {
    let size = [4000, 3000, 0, 90].flatMap { number($0, 4) }
    let (time, names) = (number(946_782_245, 4), ascii("Canon\0PowerShot\0"))
    let values: [(Int, [UInt8])] = [(0x1810, size), (0x180E, time), (0x080A, names)]
    var (data, directory) = ([UInt8](), number(values.count, 2))
    for (tag, value) in values {
      directory += number(tag, 2) + number(value.count, 4) + number(data.count, 4)
      data += value
    }
    let order = number(1, 2) == [1, 0] ? "II" : "MM"
    return ascii(order) + number(26, 4) + ascii(signature) + number(0, 12) + data + directory + number(data.count, 4)
  }

  @Test func `a CRW may have either byte order`() throws {
    for bytes in [canonFile("HEAPCCDR", little), canonFile("HEAPCCDR", big)] {
      let metadata = try #require(readMetadata(of: bytes))
      #expect(metadata.type == .canonRaw1)
      #expect(metadata.captureDate.summary == "2000-01-02T03:04:05+13:00 original machine")
      #expect(metadata.camera.model == "PowerShot")
      #expect(metadata.pixelWidth == 3000)
      #expect(metadata.pixelHeight == 4000)
    }
  }

  @Test func `an old Canon's segment is built like its RAW files`() throws {
    for segment in [canonFile("HEAPJPGM", little), canonFile("HEAPJPGM", big)] {
      let metadata = try #require(readMetadata(of: SampleFiles.jpeg(segments: [(0xE0, segment)])))
      #expect(metadata.captureDate.summary == "2000-01-02T03:04:05+13:00 original machine")
      #expect(metadata.camera.make == "Canon")
      #expect(metadata.camera.model == "PowerShot")
      #expect(metadata.pixelWidth == 40)
      #expect(metadata.orientation == 1)
    }
  }

  // MARK: Movies

  /// 2020-01-01 00:00:00 in seconds since 1904.
  private static let created = 3_660_681_600

  private func movie(_ boxes: [UInt8]..., after: [UInt8] = []) -> [UInt8] {
    SampleFiles.movie(created: Self.created, moov: box("udta", boxes.flatMap { $0 })) + after
  }

  private static func goPro(_ key: String, _ type: Character, size: Int, _ value: [UInt8]) -> [UInt8] {
    let padding = [UInt8](repeating: 0, count: (4 - value.count % 4) % 4)
    return ascii(key) + ascii(String(type)) + [UInt8(size)] + big(value.count / size, 2) + value + padding
  }

  @Test(arguments: [
    box("FIRM", ascii("HD9.01.01.60.00")), box("CAME", big(0, 16)), box("GPMF", []),
    box("CNCV", ascii("CanonAVC0004")), box("CNFV", ascii("Firmware")), box("NCDT", []),
    box("TAGS", ascii("OLYMPUS DIGITAL CAMERA\0\u{1}")), box("TAGS", ascii("EASTMAN KODAK COMPANY\0")),
    box("TAGS", big(0, 16) + ascii("OLYM\0")), box("GoPr", ascii("HD3.02")), box("HMMT", big(0, 4)),
    box("DcMD", box("Cmbo", ascii("II"))), box("PXMN", ascii("PENTAX \0MM")), box("PXTH", big(0, 4)),
    box("PENT", ascii("PENTAX")), box("FFMV", ascii("FUJIFILM DIGITAL CAMERA FinePix")),
    box("scrn", big(4, 4) + [0xFF, 0xD8, 0xFF, 0xDB]),
  ])
  func `the times of a camera's movie are those of its clock`(box: [UInt8]) throws {
    #expect(try summary(movie(box)) == "2020-01-01T00:00:00+13:00 container machine")
  }

  @Test func `the names of tracks tell of a GoPro`() throws {
    func movie(_ name: String) -> [UInt8] {
      SampleFiles.movie(created: Self.created, handler: "vide" + String(repeating: "\0", count: 12) + name)
    }
    let metadata = try #require(readMetadata(of: movie("\tGoPro AVC")))
    #expect(metadata.captureDate.summary == "2020-01-01T00:00:00+13:00 container machine")
    #expect(metadata.camera.make == "GoPro")
    #expect(try summary(movie("VideoHandler")) == "2020-01-01T13:00:00+13:00 container utc")
  }

  @Test func `a Pentax's texts have its date and its camera`() throws {
    let text = ascii("PENTAX").padded(to: 0x1A) + ascii("PENTAX Optio WG-2")
    let metadata = try #require(
      readMetadata(of: movie(box("PENT", text.padded(to: 0x71) + ascii("2016/08/14 11:22:33").padded(to: 400)))))
    #expect(metadata.captureDate.summary == "2016-08-14T11:22:33+12:00 original machine")
    #expect(metadata.camera.make == "PENTAX")
    #expect(metadata.camera.model == "PENTAX Optio WG-2")
  }

  @Test(arguments: [box("TAGS", ascii("made by hand")), box("scrn", big(4, 4) + ascii("text")), box("free", [])])
  func `other boxes leave the times in UTC`(box: [UInt8]) throws {
    #expect(try summary(movie(box)) == "2020-01-01T13:00:00+13:00 container utc")
  }

  @Test func `a GoPro's settings have its model and its zone`() throws {
    let settings =
      Self.goPro("DVID", "L", size: 4, big(1, 4)) + Self.goPro("MINF", "c", size: 1, ascii("HERO12 Black"))
      + Self.goPro("TZON", "s", size: 2, big(-330, 2))
    let device = ascii("DEVC\0") + [1] + big(settings.count, 2) + settings
    let metadata = try #require(readMetadata(of: movie(box("GPMF", device))))
    #expect(metadata.captureDate.summary == "2020-01-01T00:00:00-05:30 container file")
    #expect(metadata.camera.make == "GoPro")
    #expect(metadata.camera.model == "HERO12 Black")
  }

  private static func nikon(_ tag: Int, _ type: Int, _ count: Int, _ value: [UInt8]) -> [UInt8] {
    big(tag, 4) + big(type, 2) + big(count, 2) + value
  }

  @Test(arguments: [
    (480, "2024-09-28T12:54:53+08:00 original file"), (-210, "2024-09-28T12:54:53-03:30 original file"),
  ])
  func `a Nikon's tags have its date and its zone`(minutes: Int, date: String) throws {
    let tags =
      Self.nikon(1, 2, 6, ascii("NIKON\0")) + Self.nikon(2, 2, 5, ascii("Z 30\0"))
      + Self.nikon(0x11, 2, 20, ascii("2024:09:28 12:54:54\0"))
      + Self.nikon(0x12, 2, 20, ascii("2024:09:28 12:54:53\0"))
      + Self.nikon(0x13, 4, 2, big(100, 4) + big(0, 4)) + Self.nikon(0x19, 8, 1, big(minutes, 2))
    let metadata = try #require(readMetadata(of: movie(box("NCDT", box("NCTG", tags)))))
    #expect(metadata.captureDate.summary == date)
    #expect(metadata.camera.make == "NIKON")
    #expect(metadata.camera.model == "Z 30")
  }

  @Test(arguments: [(8, 2, "+02:00"), (8, 1, "+08:00"), (3, 1, "+08:00"), (4, 1, "+02:00")])
  func `a Nikon's zone is one 16-bit number`(type: Int, count: Int, zone: String) throws {
    let tags =
      Self.nikon(0x12, 2, 20, ascii("2024:09:28 12:54:53\0")) + Self.nikon(0x19, 8, 1, big(120, 2))
      + Self.nikon(0x19, type, count, big(480, 2) + big(0, count == 2 || type == 4 ? 2 : 0))
    #expect(try summary(movie(box("NCDT", box("NCTG", tags)))) == "2024-09-28T12:54:53\(zone) original file")
  }

  /// The zone is in minutes; 1 means summer time.
  @Test(arguments: [(-300, 1, "-04:00"), (-300, 0, "-05:00"), (330, 0, "+05:30")])
  func `a Nikon's world time has its zone`(minutes: Int, summer: Int, zone: String) throws {
    let tags =
      Self.nikon(0x12, 2, 20, ascii("2024:09:28 12:54:53\0"))
      + Self.nikon(0x200_0024, 7, 4, big(minutes, 2) + big(summer, 1) + [0])
    #expect(try summary(movie(box("NCDT", box("NCTG", tags)))) == "2024-09-28T12:54:53\(zone) original file")
    let both = box("NCTG", Self.nikon(0x19, 8, 1, big(480, 2)) + tags)
    #expect(try summary(movie(box("NCDT", both))) == "2024-09-28T12:54:53+08:00 original file")
  }

  @Test(arguments: [("N", "E", 1.0), ("S", "W", -1.0), ("s", "w", -1.0)])
  func `Nikon's tags contain the place`(latitudeReference: String, longitudeReference: String, sign: Double) throws {
    func degrees(_ whole: Int) -> [UInt8] { [whole, 1, 30, 1, 3600, 100].flatMap { big($0, 4) } }
    let tags =
      Self.nikon(0x120_0001, 2, 2, ascii("\(latitudeReference)\0")) + Self.nikon(0x120_0002, 5, 3, degrees(48))
      + Self.nikon(0x120_0003, 2, 2, ascii("\(longitudeReference)\0")) + Self.nikon(0x120_0004, 5, 3, degrees(11))
    let location = try #require(readMetadata(of: movie(box("NCDT", box("NCTG", tags))))?.location)
    #expect(location == Location(latitude: 48.51 * sign, longitude: 11.51 * sign))
  }

  // MARK: Canon

  private static let canonUUID: [UInt8] = [
    0x85, 0xC0, 0xB6, 0x87, 0x82, 0x0F, 0x11, 0xE0, 0x81, 0x11, 0xF4, 0xCE, 0x46, 0x2B, 0x6A, 0x48,
  ]

  @Test func `newer Canon movies store their boxes in one with a UUID`() throws {
    func movie(_ boxes: [UInt8]...) -> [UInt8] {
      SampleFiles.movie(created: Self.created, moov: box("uuid", Self.canonUUID, boxes.flatMap { $0 }))
    }
    #expect(
      try summary(movie(box("CNCV", ascii("CanonAVC0010")))) == "2020-01-01T00:00:00+13:00 container machine")
    let main = EXIFBuilder(main: [(0x110, .text("Canon PowerShot SX280 HS"))]).bytes
    var gps = TIFFBuilder()
    gps.main = [
      (1, .text("N")), (2, .rational([(48, 1), (30, 1), (36, 1)])), (3, .text("W")),
      (4, .rational([(11, 1), (30, 1), (36, 1)])),
    ]
    let metadata = try #require(
      readMetadata(
        of: movie(
          box("CMT1", main), box("CMT2", TIFFBuilder(main: [(0x9003, .text("2016:08:14 11:22:33"))]).bytes),
          box("CMT4", gps.bytes))))
    #expect(metadata.captureDate.summary.hasPrefix("2016-08-14T11:22:33"))
    #expect(metadata.camera.model == "Canon PowerShot SX280 HS")
    #expect(metadata.location == Location(latitude: 48.51, longitude: -11.51))
    #expect(metadata.pixelWidth == 40)
  }

  @Test func `a Canon's box has the model`() throws {
    let camera = try #require(readMetadata(of: movie(box("CNMN", ascii("Canon EOS 5D Mark II\0"))))).camera
    #expect(camera.make == "Canon")
    #expect(camera.model == "Canon EOS 5D Mark II")
  }

  // MARK: User data

  @Test(arguments: [
    (box("date", ascii("2019-05-14T17:15:32+0200")), "2019-05-14T17:15:32+02:00 quickTime file"),
    (
      box("@day", big(25, 2) + big(0, 2) + ascii("2019-05-14T17:15:32+02:00")),
      "2019-05-14T17:15:32+02:00 quickTime file"
    ),
    (box("yrrc", big(0, 4) + big(2018, 2)), "2018-01-01T12:00:00+13:00 quickTime machine"),
    // A full date of the same year completes it.
    (
      box("yrrc", big(0, 4) + big(2019, 2)) + box("date", ascii("2019-05-14T17:15:32+0200")),
      "2019-05-14T17:15:32+02:00 quickTime file"
    ),
  ])
  func `a movie's user data have a date`(boxes: [UInt8], date: String) throws {
    #expect(try summary(movie(boxes)) == date)
  }

  @Test func `the @mak and @mod of Ricoh contain the make and the model`() throws {
    let texts =
      box("@mak", big(5, 2) + big(0, 2) + ascii("RICOH"))
      + box("@mod", big(14, 2) + big(0, 2) + ascii("RICOH THETA Z1"))
    let camera = try #require(readMetadata(of: movie(texts))).camera
    #expect(camera.make == "RICOH")
    #expect(camera.model == "RICOH THETA Z1")
  }

  private static let exif = EXIFBuilder(
    original: "2016:08:14 11:22:33", main: [(0x10F, .text("Maker")), (0x110, .text("Model"))])

  @Test(arguments: [
    box("CNTH", box("CNDA", SampleFiles.jpeg(exif: exif.bytes))),
    box("PANA", big(0, 16) + [0xFF, 0xD8, 0xFF, 0xE1, 0, 0] + ascii("Exif\0\0") + littleEndianEXIF),
    // The directory has no header, and its offsets count from it.
    box("MVTG", big(0, 16) + littleEndianDirectory(at: 0)),
    box("RMKN", exif.bytes),
    // The directory begins at offset 10.
    box(
      "QVMI",
      TIFFBuilder(main: [(0x110, .text("Model")), (0x9003, .text("2016:08:14 11:22:33"))], preamble: [0, 0]).bytes),
  ])
  func `EXIF in a movie has its date and its camera, and not its size`(box: [UInt8]) throws {
    let metadata = try #require(readMetadata(of: movie(box)))
    #expect(metadata.captureDate.summary == "2016-08-14T11:22:33+12:00 original machine")
    #expect(metadata.camera.model == "Model")
    #expect(metadata.pixelWidth == 40)
  }

  private static var littleEndianEXIF: [UInt8] {
    ascii("II") + little(42, 2) + little(8, 4) + littleEndianDirectory(at: 8)
  }

  /// A directory with a model and a date.
  private static func littleEndianDirectory(at start: Int) -> [UInt8] {
    let far = start + 2 + 2 * 12 + 4
    return little(2, 2) + little(0x110, 2) + little(2, 2) + little(6, 4) + little(far, 4)
      + little(0x9003, 2) + little(2, 2) + little(20, 4) + little(far + 6, 4)
      + little(0, 4) + ascii("Model\0") + ascii("2016:08:14 11:22:33\0")
  }

  @Test func `a Sony's XML has the date with its zone, and the camera`() throws {
    let xml = """
      <?xml version="1.0" encoding="UTF-8"?><NonRealTimeMeta xmlns="urn:schemas-professionalDisc:nonRealTimeMeta:ver.2.00">
      <Duration value="25"/><CreationDate value="2024-03-30T15:00:07+09:00"/>
      <Device manufacturer="Sony" modelName="ILCE-7M4" serialNo="0"/><Lens modelName="FE 35mm"/></NonRealTimeMeta>
      """
    func sony(_ xml: String) -> [UInt8] {
      fullBox("meta", fullBox("hdlr", big(0, 4), ascii("nrtm"), big(0, 13)), fullBox("xml ", ascii(xml)))
    }
    let metadata = try #require(readMetadata(of: movie(after: sony(xml))))
    #expect(metadata.captureDate.summary == "2024-03-30T15:00:07+09:00 quickTime file")
    for (text, other) in [("\"", "'"), (" ", "\n")] {
      #expect(
        try summary(movie(after: sony(xml.replacingOccurrences(of: text, with: other))))
          == "2024-03-30T15:00:07+09:00 quickTime file")
    }
    #expect(metadata.camera.make == "Sony")
    #expect(metadata.camera.model == "ILCE-7M4")
    #expect(metadata.camera.lens == "FE 35mm")
  }

  // MARK: Places

  @Test(arguments: [("s", "w"), ("South", "West"), ("SOUTH", "w"), ("S", "W")])
  func `the letters of a place may be small, and the numbers may have signs`(south: String, west: String) throws {
    for sign in [1, -1] {
      let exif = EXIFBuilder(gps: [
        (1, .text(south)), (2, .signedRational([(sign * 335, 10)])), (3, .text(west)),
        (4, .signedRational([(sign * 7025, 100)])),
      ])
      let location = readMetadata(of: SampleFiles.jpeg(exif: exif.bytes))?.location
      #expect(location == Location(latitude: -33.5, longitude: -70.25))
    }
  }

  @Test(arguments: [("33,30.0s", "70,15w"), ("33,30,0S", "70,15,0W"), ("-33.5", "-70.25")])
  func `XMP's letters may be small`(latitude: String, longitude: String) throws {
    let xmp = #"<rdf:Description exif:GPSLatitude="\#(latitude)" exif:GPSLongitude="\#(longitude)"/>"#
    #expect(
      readMetadata(of: SampleFiles.jpeg(xmp: xmp))?.location == Location(latitude: -33.5, longitude: -70.25))
  }
}

import Foundation
import FoundationXML
import Testing

@testable import ImageCoding
@testable import Imaging
@testable import MediaMetadata

@Suite struct CarriedMetadataTests {
  /// EXIF as a camera writes it: a date with an offset, a place, a maker note, and a thumbnail at
  /// the end.
  private static let exif: [UInt8] = {
    var exif = EXIFBuilder(original: "2019:07:24 11:25:40", originalOffset: "+03:00", orientation: 6)
    exif.setPosition(32.0929, 34.862)
    exif.main = [(0x010F, .text("Apple")), (0x0110, .text("iPhone 6"))]
    exif.capture = [
      (0xA002, .long([4000])), (0xA003, .long([3000])),
      (0x927C, .bytes(appleMakerNote([(0x11, .text("6F2A1CF9-8B7E-4C55-9B0A-6A4E6B1B7D11"))]))),
    ]
    return exif.bytes
  }()

  private static let xmp = """
    <x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF><rdf:Description tiff:Orientation="6" xmp:Rating="4" crs:Exposure="1"
    GCamera:MotionPhoto='1'><dc:title><rdf:Alt><rdf:li>A &amp; B</rdf:li></rdf:Alt></dc:title>
    <Container:Directory><rdf:Seq><rdf:li><Container:Item Item:Length="9"/></rdf:li></rdf:Seq></Container:Directory>
    <mwg-rs:Regions><mwg-rs:Name>Ann</mwg-rs:Name></mwg-rs:Regions><dc:rights>me</dc:rights></rdf:Description></rdf:RDF></x:xmpmeta>
    """

  private func picture(_ type: String = "public.jpeg", exif: [UInt8]? = exif, xmp: String? = xmp, iptc: [UInt8]? = nil)
    throws -> MediaFile
  {
    let blocks = CarriedMetadata(exif: exif, xmp: xmp.map { Array($0.utf8) }, iptc: iptc)
    return try MediaFile(
      data: encode(Sample.quadrants(40, 30), as: type, quality: 90, carrying: blocks), name: "original")
  }

  private func carried(_ file: MediaFile, keepsGeometry: Bool = false) throws -> CarriedMetadata {
    try CarriedMetadata(
      from: file, metadata: MediaMetadata(of: file), width: 24, height: 16, keepsGeometry: keepsGeometry)
  }

  private func rewritten(_ file: MediaFile, as type: String) throws -> MediaMetadata {
    let data = try encode(Sample.quadrants(24, 16), as: type, quality: 92, carrying: carried(file))
    return try MediaMetadata(of: MediaFile(data: data, name: "edited"))
  }

  static let formats = [
    "public.jpeg", "public.heic", "public.avif", "public.png", "org.webmproject.webp", "public.jpeg-xl",
  ]

  @Test(arguments: formats, formats)
  func `date, place, camera and words go from any format to any`(source: String, target: String) throws {
    let file = try picture(source)
    let (before, after) = (try MediaMetadata(of: file), try rewritten(file, as: target))
    #expect(after.type.uniformTypeIdentifier == target)
    #expect(after.captureDate == before.captureDate)
    #expect(after.captureDate.source == .original)
    #expect(after.location == before.location && after.location != nil)
    #expect(after.camera == before.camera && after.camera.model == "iPhone 6")
    #expect(after.contentIdentifier == before.contentIdentifier && after.contentIdentifier != nil)
    #expect(after.title == "A & B" && after.rating == 4)
    #expect(after.orientation == 1 && after.pixelWidth == 24 && after.pixelHeight == 16)
    #expect(after.notes == [])
  }

  @Test func `a new picture is upright in its EXIF, and tells its own size`() throws {
    let exif = try #require(try carried(picture()).exif)
    let tiff = try #require(TIFFReader(MediaBytes(exif).all))
    let main = try #require(tiff.directory(at: tiff.firstDirectory))
    #expect(main.int(0x0112) == 1)
    let capture = try #require(main.int(0x8769).flatMap { tiff.directory(at: $0) })
    #expect([capture.int(0xA002), capture.int(0xA003)] == [24, 16])
  }

  /// The thumbnail would show parts of the picture that were cropped away.
  @Test(arguments: [true, false]) func `the thumbnail inside EXIF is removed, wherever it is stored`(isLast: Bool)
    throws
  {
    let thumbnail = [UInt8](repeating: 0xAB, count: 500)
    var exif = EXIFBuilder(original: "2019:07:24 11:25:40", orientation: 6).bytes
    let count = Int(exif[8]) << 8 | Int(exif[9])
    exif.replaceSubrange(10 + count * 12..<14 + count * 12, with: big(exif.count, 4))
    let directory = exif.count + 2 + 24 + 4
    exif += big(2, 2) + big(0x201, 2) + big(4, 2) + big(1, 4) + big(directory, 4)
    exif += big(0x202, 2) + big(4, 2) + big(1, 4) + big(500, 4) + big(0, 4) + thumbnail + (isLast ? [] : [1, 2, 3, 4])
    let result = try #require(EXIFRewriting.rewritten(exif, width: 24, height: 16))
    #expect(!result.contains(0xAB))
    #expect(result.count == (isLast ? exif.count - 500 : exif.count))
    let tiff = try #require(TIFFReader(MediaBytes(result).all))
    #expect(tiff.directories(from: tiff.firstDirectory).count == 1)
  }

  @Test func `XMP loses what described the old picture, and nothing else`() throws {
    let text = String(decoding: try #require(try carried(picture()).xmp), as: UTF8.self)
    #expect(
      text == """
        <x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF><rdf:Description xmp:Rating="4"><dc:title><rdf:Alt><rdf:li>A &amp; B</rdf:li></rdf:Alt></dc:title>

        <dc:rights>me</dc:rights></rdf:Description></rdf:RDF></x:xmpmeta>
        """)
    let kept = String(decoding: try #require(try carried(picture(), keepsGeometry: true).xmp), as: UTF8.self)
    #expect(kept.contains("<mwg-rs:Regions><mwg-rs:Name>Ann</mwg-rs:Name></mwg-rs:Regions>"))
  }

  @Test func `a greater-than sign inside of an attribute, a comment or plain characters ends no tag`() {
    let packet = """
      <?xpacket begin="" note="a > b"?><!-- 2 > 1, "and so on -->
      <rdf:Description dc:title="a > b" tiff:Orientation="6" crs:Exposure='1 > 0' xmp:Rating="4">
      <dc:rights><![CDATA[<me>]]></dc:rights><crs:Name a=">">x</crs:Name></rdf:Description>
      """
    #expect(
      String(decoding: XMPRewriting().rewritten(Array(packet.utf8)), as: UTF8.self) == """
        <?xpacket begin="" note="a > b"?><!-- 2 > 1, "and so on -->
        <rdf:Description dc:title="a > b" xmp:Rating="4">
        <dc:rights><![CDATA[<me>]]></dc:rights></rdf:Description>
        """)
  }

  @Test func `properties to remove are found under any prefix`() {
    let packet = """
      <rdf:Description xmlns:a="http://ns.adobe.com/tiff/1.0/" xmlns:b="http://ns.adobe.com/camera-raw-settings/1.0/"
      a:Orientation="6" a:Make="C"><b:Name>x<b:Name>y</b:Name></b:Name></rdf:Description>
      """
    #expect(
      String(decoding: XMPRewriting().rewritten(Array(packet.utf8)), as: UTF8.self) == """
        <rdf:Description xmlns:a="http://ns.adobe.com/tiff/1.0/" \
        xmlns:b="http://ns.adobe.com/camera-raw-settings/1.0/" a:Make="C"></rdf:Description>
        """)
  }

  /// The first two declare the namespace of properties to remove: as the default one, which does
  /// not apply to attributes, and in a comment.
  @Test(arguments: [
    #"<a xmlns="http://ns.adobe.com/camera-raw-settings/1.0/"></a><!-- b --><rdf:Description dc:title="A"/>"#,
    #"<!-- xmlns:dc="http://ns.adobe.com/camera-raw-settings/1.0/" --><dc:title>A</dc:title>"#,
    #"<rdf:Description xmlns="http://ns.adobe.com/tiff/1.0/" Orientation="6" xmp:Rating="4"/>"#,
  ])
  func `comments and attributes without a prefix have no namespace`(packet: String) {
    let kept = packet.replacing(#"<a xmlns="http://ns.adobe.com/camera-raw-settings/1.0/"></a>"#, with: "")
    #expect(String(decoding: XMPRewriting().rewritten(Array(packet.utf8)), as: UTF8.self) == kept)
  }

  /// Scanners write captions with such characters.
  @Test func `characters that XML can't bear are left out`() throws {
    let file = try picture(
      exif: nil, xmp: nil, iptc: iptc(2, 5, [3] + ascii("Ti<t\u{1}le")) + iptc(2, 90, [7] + ascii("Utah")))
    let packet = try #require(try carried(file).xmpWithAllTexts)
    #expect(XMLParser(data: Data(packet)).parse())
    #expect(String(decoding: packet, as: UTF8.self).contains(">Ti&lt;tle<"))
  }

  private static let fields = iptc(2, 5, ascii("Title")) + iptc(2, 25, ascii("sea")) + iptc(2, 90, ascii("Utah"))

  @Test func `IPTC stays in a JPEG`() throws {
    let file = try picture(exif: nil, xmp: nil, iptc: Self.fields)
    #expect(try carried(file).iptc == Self.fields)
    let after = try rewritten(file, as: "public.jpeg")
    #expect([after.title ?? ""] + after.keywords + after.placeNames == ["Title", "sea", "Utah"])
  }

  @Test func `IPTC's old dates go where there is another date`() throws {
    let dates = iptc(2, 55, ascii("20190505")) + iptc(2, 60, ascii("143000+0100")) + iptc(2, 62, ascii("20190506"))
    let long = iptc(2, 120, ascii(String(repeating: "caption ", count: 5000)), isExtended: true)
    let rest = Self.fields + long + ascii("what is no field")
    let file = try picture(exif: nil, xmp: nil, iptc: dates + rest)
    var metadata = try MediaMetadata(of: file)
    #expect(metadata.captureDate.date == Date(timeIntervalSince1970: 1_557_063_000))
    metadata.captureDate = CaptureDate(
      date: Date(timeIntervalSince1970: 86_400), offset: 0, source: .original, zoneSource: .file)
    let carried = try CarriedMetadata(from: file, metadata: metadata, changes: [.date], width: 24, height: 16)
    #expect(carried.iptc == rest)
    let datesAlone = try CarriedMetadata(
      from: picture(exif: nil, xmp: nil, iptc: dates), metadata: metadata, changes: [.date], width: 24, height: 16)
    #expect(datesAlone.iptc == nil)
    let data = try encode(Sample.quadrants(24, 16), as: "public.jpeg", quality: 92, carrying: carried)
    #expect(try MediaMetadata(of: MediaFile(data: data, name: "a.jpg")).captureDate.date == metadata.captureDate.date)
  }

  @Test func `a changed date replaces the dates of all directories`() throws {
    let main: [(Int, TIFFBuilder.Value)] = [
      (0x9003, .text("2020:01:01 10:00:00")), (0x9004, .text("2020:01:01 10:00:00")), (0x9291, .text("5")),
    ]
    let exif = EXIFBuilder(capture: [(0x9000, .bytes(ascii("0232")))], main: main).bytes
    var metadata = try #require(readMetadata(of: SampleFiles.jpeg(exif: exif)))
    metadata.captureDate = CaptureDate(
      date: Date(timeIntervalSince1970: 86_400), offset: 0, source: .original, zoneSource: .file)
    let revised = try #require(MetadataRevision([.date], in: metadata).revised(exif))
    let tiff = try #require(TIFFReader(MediaBytes(revised).all))
    let directory = try #require(tiff.directory(at: tiff.firstDirectory))
    #expect([0x9003, 0x9004, 0x9291].allSatisfy { directory[$0] == nil })
    #expect(readMetadata(of: SampleFiles.jpeg(exif: revised))?.captureDate == metadata.captureDate)
  }

  @Test(arguments: formats.dropFirst()) func `IPTC's words become XMP elsewhere`(target: String) throws {
    let after = try rewritten(picture(exif: nil, xmp: nil, iptc: Self.fields), as: target)
    #expect([after.title ?? ""] + after.keywords + after.placeNames == ["Title", "sea", "Utah"])
  }

  @Test func `a file that keeps its date in its own directories gets EXIF`() throws {
    let tiff = SampleFiles.tiff([
      (0x10F, .text("Scanner")), (0x9003, .text("1999:01:02 03:04:05")), (0x9011, .text("-08:00")),
    ])
    let file = try MediaFile(data: Data(tiff), name: "scan.tiff")
    let (before, after) = (try MediaMetadata(of: file), try rewritten(file, as: "public.heic"))
    #expect(after.captureDate == before.captureDate && after.captureDate.offset == -8 * 3600)
    #expect(after.camera.make == "Scanner")
  }

  @Test func `a new EXIF block says camera, date and place exactly`() throws {
    var metadata = Sample.metadata("com.adobe.raw-image")
    metadata.captureDate = CaptureDate(
      date: Date(timeIntervalSince1970: 1_600_000_000.25), offset: 20_700, source: .original, zoneSource: .file)
    metadata.location = Location(latitude: -34.0214, longitude: -70.5, altitude: -12.5)
    metadata.camera = Camera()
    (metadata.camera.make, metadata.camera.model, metadata.camera.lens) = ("Pentax", "K-1", "50 mm")
    (metadata.camera.exposureTime, metadata.camera.fNumber) = (1.0 / 640, 1.8)
    (metadata.camera.iso, metadata.camera.focalLength) = (200, 50)
    let block = try #require(EXIFWriting(metadata, width: 24, height: 16)?.bytes)
    let data = try encode(Sample.quadrants(24, 16), as: "public.jpeg", quality: 92, exif: block)
    let after = try MediaMetadata(of: MediaFile(data: data, name: "developed"))
    #expect(after.captureDate == metadata.captureDate)
    #expect(after.camera == metadata.camera)
    let place = try #require(after.location)
    #expect(abs(place.latitude + 34.0214) < 1e-7 && abs(place.longitude + 70.5) < 1e-7 && place.altitude == -12.5)
  }

  @Test func `a file that says nothing carries nothing but its colors`() throws {
    let file = try MediaFile(data: encode(Sample.quadrants(8, 8), as: "public.png", quality: 90), name: "plain.png")
    let carried = try carried(file)
    #expect(carried == CarriedMetadata(profile: CarriedMetadata.sRGBProfile))
  }

  /// An empty block, as in a GIF, and damaged ones. The picture is still written.
  @Test(arguments: [[], [0x4D, 0x4D], [UInt8](repeating: 0x49, count: 40), Array(exif.prefix(60))])
  func `damaged EXIF is no obstacle`(block: [UInt8]) throws {
    let file = try picture(exif: block)
    #expect(try rewritten(file, as: "public.jpeg").pixelWidth == 24)
  }

  @Test(arguments: ["public.jpeg", "public.png", "public.heic"])
  func `the profile is embedded`(target: String) throws {
    let profile = try #require(CarriedMetadata.sRGBProfile)
    let data = try encode(
      Sample.quadrants(24, 16), as: target, quality: 92, carrying: CarriedMetadata(profile: profile))
    let isThere =
      target == "public.png"
      ? [UInt8](data).contains("sRGB") : data.range(of: Data(profile)) != nil
    #expect(isThere)
    let set = try makeRenditions(
      of: MediaFile(data: data, name: "p"), metadata: Sample.metadata(target), kinds: [.full])
    #expect(set.notes == [])
  }
}

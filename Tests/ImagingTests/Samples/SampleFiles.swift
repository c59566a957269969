import Foundation

@testable import ImageCoding
@testable import Imaging
@testable import MediaMetadata

/// The smallest file of each format that a reader of headers recognizes.
enum SampleFiles {
  static func jpeg(
    width: Int = 40, height: Int = 30, exif: [UInt8]? = nil, xmp: String? = nil, segments: [(Int, [UInt8])] = [],
    trailer: [UInt8] = []
  ) -> [UInt8] {
    func segment(_ marker: Int, _ content: [UInt8]) -> [UInt8] {
      big(0xFF00 | marker, 2) + big(content.count + 2, 2) + content
    }
    var result: [UInt8] = [0xFF, 0xD8]
    if let exif { result += segment(0xE1, ascii("Exif\0\0") + exif) }
    if let xmp { result += segment(0xE1, ascii("http://ns.adobe.com/xap/1.0/\0") + Array(xmp.utf8)) }
    for (marker, content) in segments { result += segment(marker, content) }
    result += segment(0xC0, [8] + big(height, 2) + big(width, 2) + [1, 1, 0x11, 0])
    return result + segment(0xDA, [1, 1, 0, 0, 63, 0]) + [0x55, 0xAA, 0xFF, 0xD9] + trailer
  }

  static func png(width: Int = 40, height: Int = 30, _ chunks: [UInt8]...) -> [UInt8] {
    [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]
      + pngChunk("IHDR", big(width, 4) + big(height, 4) + [8, 2, 0, 0, 0])
      + chunks.flatMap { $0 } + pngChunk("IDAT", [1, 2, 3]) + pngChunk("IEND", [])
  }

  static func animatedPNG() -> [UInt8] {
    let frame = pngChunk("fcTL", big(0, 20) + big(1, 2) + big(4, 2) + [0, 0])
    return png(pngChunk("acTL", big(2, 4) + big(0, 4)), frame, frame)
  }

  static func gif(frames: Int = 1) -> [UInt8] {
    let control: [UInt8] = [0x21, 0xF9, 4, 0, 25, 0, 0, 0]
    let frame: [UInt8] = [0x2C] + [UInt8](repeating: 0, count: 9) + [2, 2, 0x4C, 1, 0]
    return ascii("GIF89a") + little(40, 2) + little(30, 2) + [0, 0, 0] + (0..<frames).flatMap { _ in control + frame }
      + [0x3B]
  }

  static func webP(exif: [UInt8]? = nil, animated: Bool = false) -> [UInt8] {
    var chunks = riffChunk("VP8X", [animated ? 2 : 0, 0, 0, 0] + little(39, 3) + little(29, 3))
    if animated {
      let frame = riffChunk("ANMF", [UInt8](repeating: 0, count: 12) + little(250, 3) + [0])
      chunks += riffChunk("ANIM", [0, 0, 0, 0, 0, 0]) + frame + frame
    }
    if let exif { chunks += riffChunk("EXIF", exif) }
    return ascii("RIFF") + little(chunks.count + 4, 4) + ascii("WEBP") + chunks
  }

  static func bmp() -> [UInt8] {
    ascii("BM") + little(0, 8) + little(54, 4) + little(40, 4) + little(40, 4) + little(-30, 4) + little(0, 28)
  }

  static func tiff(
    width: Int = 40, height: Int = 30, _ entries: [(Int, TIFFBuilder.Value)] = [], preamble: [UInt8] = []
  ) -> [UInt8] {
    TIFFBuilder(main: [(0x100, .long([width])), (0x101, .long([height]))] + entries, preamble: preamble).bytes
  }

  /// A TIFF whose sensor data is in a sub-directory.
  static func raw(make: String, compression: Int = 7, _ entries: [(Int, TIFFBuilder.Value)] = []) -> [UInt8] {
    let sensor: TIFFBuilder.Value = .directory([
      (0xFE, .long([0])), (0x100, .long([4000])), (0x101, .long([3000])), (0x103, .short([compression])),
      (0x106, .short([32803])),
    ])
    return tiff(width: 160, height: 120, [(0xFE, .long([1])), (0x10F, .text(make)), (0x14A, sensor)] + entries)
  }

  static func jpegXL() -> [UInt8] {
    // The bits: not small, 9 bits each for a height of 30 and a width of 40, no ratio, and default
    // metadata.
    let bits: [(value: Int, count: Int)] = [(0, 1), (0, 2), (29, 9), (0, 3), (0, 2), (39, 9), (1, 1)]
    var packed: [UInt8] = [0, 0, 0, 0]
    var position = 0
    for (value, count) in bits {
      for bit in 0..<count {
        packed[position / 8] |= UInt8(value >> bit & 1) << UInt8(position % 8)
        position += 1
      }
    }
    return [0xFF, 0x0A] + packed
  }

  static func jpegXLContainer(exif: [UInt8] = EXIFBuilder(original: "2020:01:02 03:04:05", orientation: 6).bytes)
    -> [UInt8]
  {
    box("JXL ", [0x0D, 0x0A, 0x87, 0x0A]) + box("ftyp", ascii("jxl "), big(0, 4), ascii("jxl "))
      + box("Exif", big(0, 4), exif)
      + box("jxlc", jpegXL())
  }

  static func jpeg2000() -> [UInt8] {
    box("jP  ", [0x0D, 0x0A, 0x87, 0x0A]) + box("ftyp", ascii("jp2 "), big(0, 4), ascii("jp2 "))
      + box("jp2h", box("ihdr", big(30, 4) + big(40, 4) + [0, 3, 7, 7, 0, 0]))
  }

  static func jpeg2000Codestream() -> [UInt8] {
    [0xFF, 0x4F, 0xFF, 0x51] + big(47, 2) + big(0, 2) + big(50, 4) + big(40, 4) + big(10, 4) + big(10, 4)
  }

  // MARK: ISO base media

  /// A HEIF with a primary picture of 40 × 30 pixels and an EXIF item, after the header of `mdat`.
  static func heif(
    major: String = "heic", compatible: [String] = ["mif1", "heic"], properties: [[UInt8]] = [], exif: [UInt8]? = nil,
    auxiliary: String? = nil,
    trailing: [UInt8] = []
  ) -> [UInt8] {
    let ftyp = box("ftyp", ascii(major), big(0, 4), ascii(compatible.joined()))
    let exifItem = exif.map { big(0, 4) + $0 } ?? []
    func meta(exifOffset: Int) -> [UInt8] {
      let own = [fullBox("ispe", big(40, 4), big(30, 4))] + properties
      let extra = auxiliary.map { [fullBox("auxC", ascii($0), [0])] } ?? []
      let associations = (1...own.count).flatMap { [UInt8($0)] }
      let infos =
        fullBox("infe", version: 2, big(1, 2), big(0, 2), ascii("hvc1"), [0])
        + fullBox("infe", version: 2, big(2, 2), big(0, 2), ascii("Exif"), [0])
      let location = big(2, 2) + big(0, 2) + big(1, 2) + big(exifOffset, 4) + big(exifItem.count, 4)
      return fullBox(
        "meta", fullBox("hdlr", big(0, 4), ascii("pict"), big(0, 13)), fullBox("pitm", big(1, 2)),
        fullBox("iinf", big(2, 2), infos),
        box(
          "iprp", box("ipco", (own + extra).flatMap { $0 }),
          fullBox("ipma", big(1, 4), big(1, 2), [UInt8(associations.count)], associations)),
        fullBox("iloc", [0x44, 0x00], big(1, 2), location))
    }
    let offset = ftyp.count + meta(exifOffset: 0).count + 8
    return ftyp + meta(exifOffset: offset) + box("mdat", exifItem) + trailing
  }

  /// A movie of one second with `frames` pictures of 40 × 30 pixels.
  static func movie(
    brand: String = "qt  ", created: Int = 0, frames: Int = 30, turned: Bool = false, handler: String = "vide",
    moov extra: [UInt8] = [],
    track: [UInt8] = [], entry: [UInt8] = [], moovFirst: Bool = true
  ) -> [UInt8] {
    let one = 0x10000
    let matrix = turned ? [0, one, 0, -one, 0, 0, 0, 0, 0x4000_0000] : [one, 0, 0, 0, one, 0, 0, 0, 0x4000_0000]
    let tkhd = fullBox("tkhd", flags: 3, big(0, 36), matrix.flatMap { big($0, 4) }, big(40 * one, 4), big(30 * one, 4))
    let description = fullBox("stsd", big(1, 4), box("hvc1", big(0, 24), big(40, 2), big(30, 2), big(0, 50), entry))
    let table = box("stbl", description, fullBox("stsz", big(100, 4), big(frames, 4)))
    let mdia = box(
      "mdia", fullBox("mdhd", big(created, 4), big(0, 4), big(600, 4), big(600, 4), big(0, 4)),
      fullBox("hdlr", big(0, 4), ascii(handler), big(0, 13)), box("minf", table))
    let upright = [one, 0, 0, 0, one, 0, 0, 0, 0x4000_0000].flatMap { big($0, 4) }
    let header = fullBox(
      "mvhd", big(created, 4), big(0, 4), big(600, 4), big(600, 4), big(0, 16), upright, big(0, 28))
    let moov = box("moov", header, box("trak", tkhd, mdia, track), extra)
    let ftyp = box("ftyp", ascii(brand), big(0, 4), ascii(brand))
    let mdat = box("mdat", [UInt8](repeating: 7, count: 100))
    return ftyp + (moovFirst ? moov + mdat : mdat + moov)
  }

  /// QuickTime's numbered keys with their texts.
  static func keys(_ values: [(String, String)]) -> [UInt8] {
    let names = values.flatMap { box("mdta", ascii($0.0)) }
    let items = values.enumerated().flatMap { index, value in
      big(16 + 8 + value.1.utf8.count, 4) + big(index + 1, 4) + box("data", big(1, 4), big(0, 4), Array(value.1.utf8))
    }
    return box(
      "meta", fullBox("hdlr", big(0, 4), ascii("mdta"), big(0, 12)), fullBox("keys", big(values.count, 4), names),
      box("ilst", items))
  }

  static func canonRaw3() -> [UInt8] {
    let uuid: [UInt8] = [
      0x85, 0xC0, 0xB6, 0x87, 0x82, 0x0F, 0x11, 0xE0, 0x81, 0x11, 0xF4, 0xCE, 0x46, 0x2B, 0x6A, 0x48,
    ]
    let main = tiff(width: 4000, height: 3000, [(0x10F, .text("Canon")), (0x112, .short([6]))])
    let capture = TIFFBuilder(main: [(0x9003, .text("2020:01:02 03:04:05"))]).bytes
    return box("ftyp", ascii("crx "), big(0, 4), ascii("crx isom"))
      + box("moov", box("uuid", uuid, box("CMT1", main), box("CMT2", capture)))
  }

  // MARK: Other formats

  static func avi(_ chunks: [UInt8] = riffChunk("IDIT", ascii("MON MAR 10 15:04:43 2003\n\0"))) -> [UInt8] {
    let avih =
      little(40_000, 4) + little(0, 12) + little(50, 4) + little(0, 12) + little(40, 4) + little(30, 4) + little(0, 16)
    let content = riffChunk("LIST", ascii("hdrl") + riffChunk("avih", avih)) + chunks
    return ascii("RIFF") + little(content.count + 4, 4) + ascii("AVI ") + content
  }

  static func matroska(_ type: String = "matroska", milliseconds: Float = 2500) -> [UInt8] {
    let info = ebml(0x2AD7B1, big(1_000_000, 3)) + ebml(0x4489, big(Int(milliseconds.bitPattern), 4))
    let video = ebml(0xB0, big(40, 2)) + ebml(0xBA, big(30, 2))
    return ebml(0x1A45_DFA3, ebml(0x4282, ascii(type)))
      + ebml(0x1853_8067, ebml(0x1549_A966, info) + ebml(0x1654_AE6B, ebml(0xAE, ebml(0x83, [1]) + ebml(0xE0, video))))
  }

  static func fujiRaw() -> [UInt8] {
    let preview = jpeg(exif: EXIFBuilder(original: "2020:01:02 03:04:05", main: [(0x10F, .text("FUJIFILM"))]).bytes)
    let list = big(1, 4) + big(0x0111, 2) + big(4, 2) + big(3000, 2) + big(4000, 2)
    let header =
      ascii("FUJIFILMCCD-RAW ").padded(to: 84) + big(108, 4) + big(preview.count, 4) + big(108 + preview.count, 4)
    return header.padded(to: 108) + preview + list
  }

  static func canonRaw1() -> [UInt8] {
    let size = little(4000, 4) + little(3000, 4) + little(0, 4) + little(90, 4)
    let entries = little(0x1810, 2) + little(size.count, 4) + little(0, 4)
    let directory = little(1, 2) + entries
    return ascii("II") + little(26, 4) + ascii("HEAPCCDR") + little(0, 12) + size + directory + little(size.count, 4)
  }

  static func minoltaRaw() -> [UInt8] {
    let exif = EXIFBuilder(original: "2004:01:02 03:04:05").bytes
    let sizes = ascii("27730001") + big(3016, 2) + big(4016, 2) + big(3000, 2) + big(4000, 2)
    let blocks = ascii("\0PRD") + big(sizes.count, 4) + sizes + ascii("\0TTW") + big(exif.count, 4) + exif
    return ascii("\0MRM") + big(blocks.count, 4) + blocks
  }

  /// Panasonic's byte-order mark is little-endian with a version number of its own.
  static func panasonicRaw() -> [UInt8] {
    let numbers = [(2, 4016), (3, 3016), (4, 8), (5, 8), (6, 3008), (7, 4008)]
    let entries = numbers.flatMap { tag, value in little(tag, 2) + little(3, 2) + little(1, 4) + little(value, 4) }
    return ascii("IIU\0") + little(8, 4) + little(numbers.count, 2) + entries + little(0, 4)
  }

  /// A file of every format, by name.
  static let all: [(name: String, bytes: [UInt8])] = [
    (
      "jpeg",
      jpeg(
        exif: richEXIF,
        xmp: #"<x:xmpmeta><rdf:RDF><rdf:Description xmp:CreateDate="2020-01-02T03:04:05Z"/></rdf:RDF></x:xmpmeta>"#)
    ),
    ("captions", captionedJPEG()), ("motion", jpeg(trailer: movie(brand: "mp42"))),
    ("png", png(pngChunk("eXIf", richEXIF), pngChunk("tIME", big(2020, 2) + [1, 2, 3, 4, 5]))),
    ("apng", animatedPNG()), ("gif", gif(frames: 3)), ("webp", webP(exif: richEXIF, animated: true)), ("bmp", bmp()),
    ("tiff", tiff()),
    ("dng", raw(make: "Leica", [(0xC612, .bytes([1, 4, 0, 0]))])), ("nef", raw(make: "NIKON CORPORATION")),
    ("jxl", jpegXL()),
    ("jxl container", jpegXLContainer()), ("jp2", jpeg2000()), ("j2k", jpeg2000Codestream()),
    ("heic", heif(exif: richEXIF)),
    ("avif", heif(major: "avif", properties: [box("irot", [1])])),
    (
      "mov",
      movie(
        moov: keys([
          ("com.apple.quicktime.location.ISO6709", "+52.4597+013.3220+051.178/"),
          ("com.apple.quicktime.keywords", "one, two"), ("com.apple.quicktime.title", "Title"),
        ]), moovFirst: false)
    ), ("cr3", canonRaw3()),
    ("avi", avi()), ("mts", OldMovies.transportStream(before: 4, content: OldMovies.cameraNotes())),
    ("wmv", OldMovies.asf()), ("dv", Array(OldMovies.dv().prefix(2000))), ("ogv", OldMovies.ogg("\u{80}theora")),
    ("swf", OldMovies.swf("FWS", 9, 60)), ("h264", OldMovies.h264()), ("hevc", OldMovies.hevc()),
    ("mkv", matroska()), ("raf", fujiRaw()), ("crw", canonRaw1()), ("mrw", minoltaRaw()),
    ("rw2", panasonicRaw()),
  ]

  /// A JPEG with texts of a person in each of its metadata blocks.
  static func captionedJPEG() -> [UInt8] {
    var exif = EXIFBuilder()
    exif.main = [
      (0x10E, .text("A caption")), (0x4746, .short([3])), (0x9C9B, .bytes(wide("A title"))),
      (0x9C9E, .bytes(wide("one;two"))),
    ]
    let xmp = """
      <rdf:Description photoshop:City="Paris" xmp:Rating="4"><dc:description><rdf:Alt><rdf:li xml:lang="x-default">Fish
      &amp; chips</rdf:li></rdf:Alt></dc:description><dc:subject><rdf:Bag><rdf:li>two</rdf:li><rdf:li>three</rdf:li>
      </rdf:Bag></dc:subject></rdf:Description>
      """
    let fields =
      iptc(1, 90, ascii("\u{1B}%G")) + iptc(2, 5, ascii("Object")) + iptc(2, 25, ascii("four"))
      + iptc(2, 101, ascii("France")) + iptc(2, 120, ascii("Long"), isExtended: true)
    return jpeg(exif: exif.bytes, xmp: xmp, segments: [photoshop(fields)])
  }

  static let richEXIF: [UInt8] = {
    var exif = EXIFBuilder(
      original: "2020:06:01 12:00:00", originalSubseconds: "5", digitized: "2020:06:01 12:00:01", orientation: 6)
    exif.main = [(0x10F, .text("Apple")), (0x110, .text("iPhone"))]
    exif.capture = [
      (0x829A, .rational([(1, 60)])), (0x8827, .short([100])), (0xA401, .short([8])),
      (
        0x927C, .bytes(appleMakerNote([(0x0011, .text("1EA799FF-8384-4BC4-87AA-139A814D9125")), (0x000A, .long([3]))]))
      ),
    ]
    exif.setPosition(52.5, 13.4)
    exif.setGPSTime("2020:06:01", 10, 0, 0)
    return exif.bytes
  }()
}

extension [UInt8] {
  func padded(to byteCount: Int) -> [UInt8] {
    self + [UInt8](repeating: 0, count: Swift.max(0, byteCount - count))
  }
}

/// Returns the metadata of a file with these bytes, as a machine in New Zealand reads it. No sample
/// was taken there.
func readMetadata(of bytes: [UInt8], name: String = "", zone: String = "Pacific/Auckland") -> MediaMetadata? {
  guard let zone = TimeZone(identifier: zone) else { return nil }
  return MediaMetadata(MediaBytes(bytes, name: name), fileDate: sampleFileDate, machineTimeZone: zone)
}

let sampleFileDate = Date(timeIntervalSince1970: 1_000_000_000)

import MediaMetadata

/// Makes a HEIF file of the first picture of a sequence. libheif reads stills only, and a sequence
/// may come without one.
enum HEIFSequence {
  /// The boxes that configure a decoder, by the codec of the pictures.
  private static let codecs: [FourCC: (item: String, configuration: FourCC)] = [
    "hvc1": ("hvc1", "hvcC"), "hev1": ("hvc1", "hvcC"), "av01": ("av01", "av1C"),
  ]
  private static let longestPicture = 64 << 20

  /// Returns nil if the file has a still, or no sequence that can be decoded.
  static func still(of file: ByteReader) -> [UInt8]? {
    var largest = -1
    var result: [UInt8]?
    // A track of thumbnails may come first.
    for (track, table, entry) in tracks(of: file) {
      guard let codec = codecs[entry.type],
        let width = entry.content.u16(24), let height = entry.content.u16(26), width * height > largest,
        let data = firstSample(table, in: file)
      else { continue }
      // Further boxes follow the 78 bytes of a picture's description.
      let boxes = Array(entry.content.boxes(from: 78).prefix(32))
      guard let configuration = boxes.first(where: { $0.type == codec.configuration }) else { continue }
      var properties = [box("ispe", [0, 0, 0, 0] + big(width, 4) + big(height, 4))]
      for property in [configuration] + boxes.filter({ $0.type == "colr" }) {
        guard let content = property.content.bytes(0, property.content.count) else { continue }
        properties.append(box(property.type.text, content))
      }
      if let turns = track.box("tkhd").flatMap(quarterTurns) { properties.append(box("irot", [turns])) }
      largest = width * height
      result = still(codec.item, properties, data)
    }
    return result
  }

  /// Returns the codec of a sequence without a still; nil if it can be decoded.
  static func unknownCodec(of file: ByteReader) -> String? {
    let types = tracks(of: file).map(\.entry.type)
    guard let first = types.first, !types.contains(where: { codecs[$0] != nil }) else { return nil }
    return ["avc1", "avc3"].contains(first) ? "AVC" : first.text
  }

  /// The tracks of pictures, with their tables and the description of their first picture. A file
  /// with a still has none.
  private static func tracks(of file: ByteReader) -> [(track: ByteReader, table: ByteReader, entry: Box)] {
    let meta = file.box("meta")
    guard meta?.box("pitm", from: meta?.metaHeaderByteCount ?? 0) == nil, let moov = file.box("moov") else {
      return []
    }
    return moov.boxes().prefix(64).filter { $0.type == "trak" }.compactMap { track in
      guard let media = track.content.box("mdia"), let table = media.box("minf")?.box("stbl"),
        ["pict", "vide"].contains(media.box("hdlr")?.fourCC(8)),
        let entry = table.box("stsd")?.boxes(from: 8).first(where: { _ in true })
      else { return nil }
      return (track.content, table, entry)
    }
  }

  /// The first sample is where the first chunk begins.
  private static func firstSample(_ table: ByteReader, in file: ByteReader) -> [UInt8]? {
    guard let sizes = table.box("stsz"), let common = sizes.u32(4),
      let byteCount = common > 0 ? common : sizes.u32(12), (1...longestPicture).contains(byteCount),
      let offset = table.box("stco")?.u32(8) ?? table.box("co64")?.u64(8)
    else { return nil }
    return file.bytes(offset, byteCount)
  }

  /// Returns the number of quarter turns counterclockwise; nil if the track is upright.
  private static func quarterTurns(_ tkhd: ByteReader) -> UInt8? {
    let at = tkhd.u8(0) == 1 ? 52 : 40
    guard let a = tkhd.i32(at), let b = tkhd.i32(at + 4), let c = tkhd.i32(at + 12) else { return nil }
    if a == 0, b != 0, c != 0 { return b > 0 ? 3 : 1 }
    return a < 0 && b == 0 ? 2 : nil
  }

  private static func still(_ type: String, _ properties: [[UInt8]], _ data: [UInt8]) -> [UInt8] {
    let brand = type == "av01" ? "avif" : "heic"
    let ftyp = box("ftyp", Array("\(brand)\0\0\0\0mif1\(brand)".utf8))
    let handler = box("hdlr", big(0, 8) + Array("pict".utf8) + big(0, 13))
    let infos = box("infe", [2, 0, 0, 0] + big(1, 2) + big(0, 2) + Array(type.utf8) + [0])
    let associations = (1...properties.count).map { UInt8($0) }
    let container = box("ipco", properties.flatMap { $0 })
    let ipma = box("ipma", big(0, 4) + big(1, 4) + big(1, 2) + [UInt8(associations.count)] + associations)
    func meta(at offset: Int) -> [UInt8] {
      let location = big(1, 2) + big(0, 2) + big(1, 2) + big(offset, 4) + big(data.count, 4)
      let iloc = box("iloc", big(0, 4) + [0x44, 0] + big(1, 2) + location)
      return box(
        "meta",
        big(0, 4) + handler + box("pitm", big(0, 4) + big(1, 2)) + box("iinf", big(0, 4) + big(1, 2) + infos)
          + box("iprp", container + ipma) + iloc)
    }
    let start = ftyp.count + meta(at: 0).count + 8
    return ftyp + meta(at: start) + box("mdat", data)
  }

  private static func box(_ type: String, _ content: [UInt8]) -> [UInt8] {
    big(content.count + 8, 4) + type.unicodeScalars.map { UInt8(truncatingIfNeeded: $0.value) } + content
  }

  private static func big(_ value: Int, _ byteCount: Int) -> [UInt8] {
    (0..<byteCount).map { UInt8(truncatingIfNeeded: value >> (8 * (byteCount - 1 - $0))) }
  }
}

import Foundation
import MediaMetadata

/// Encodes an image together with the metadata of the file from which it was made.
///
///     let carried = try CarriedMetadata(
///       from: file, metadata: metadata, width: pixels.width, height: pixels.height)
///     let data = try encode(pixels, as: "public.heic", quality: 92, carrying: carried)
///
/// Like `encode(_:as:quality:exif:)`, with these additions:
/// - JPEG, PNG, WebP, HEIC, AVIF and JPEG XL receive EXIF, XMP and the profile. The JPEG XL encoder
///   takes sRGB only and writes no profile. PNG and WebP mark sRGB in a shorter way.
/// - JPEG receives IPTC. An XMP packet of more than 65 kB doesn't fit a JPEG and is left out.
/// - TIFF and GIF receive no metadata.
public func encode(
  _ pixels: PixelBuffer, as uniformTypeIdentifier: String, quality: Int, carrying carried: CarriedMetadata
) throws(ImagingError) -> Data {
  let quality = min(max(quality, 1), 100)
  let xmp = carried.xmpWithAllTexts ?? carried.xmp
  switch uniformTypeIdentifier {
  case "public.jpeg":
    return JPEGEmbedding.embed(carried, in: try encode(pixels, as: uniformTypeIdentifier, quality: quality))
  case "public.png":
    return PNGEmbedding.embed(carried, xmp, in: try encode(pixels, as: uniformTypeIdentifier, quality: quality))
  case "public.heic", "public.avif":
    return try encodeHEIF(
      pixels, as: uniformTypeIdentifier, quality: quality, exif: carried.exif, xmp: xmp, profile: carried.profile)
  case "org.webmproject.webp":
    let webP = try encode(pixels, as: uniformTypeIdentifier, quality: quality)
    return WebPEmbedding.embed(carried, xmp, in: webP, size: PixelSize(width: pixels.width, height: pixels.height))
  case "public.jpeg-xl":
    return JPEGXLEmbedding.embed(
      carried.exif, xmp, in: try encode(pixels, as: uniformTypeIdentifier, quality: quality))
  default: return try encode(pixels, as: uniformTypeIdentifier, quality: quality)
  }
}

/// Inserts segments after the first two bytes of a JPEG.
private enum JPEGEmbedding {
  private static let longestSegment = 0xFFFF - 2

  static func embed(_ carried: CarriedMetadata, in jpeg: Data) -> Data {
    var segments: [UInt8] = []
    if let exif = carried.exif { segments += segment(0xE1, Array("Exif\0\0".utf8) + exif) }
    // JPEG has a separate segment for the IPTC texts.
    if let xmp = carried.iptc == nil ? carried.xmpWithAllTexts ?? carried.xmp : carried.xmp {
      segments += segment(0xE1, Array("http://ns.adobe.com/xap/1.0/\0".utf8) + xmp)
    }
    if let iptc = carried.iptc {
      let resource = Array("8BIM".utf8) + [0x04, 0x04, 0, 0] + UInt32(iptc.count).bigEndianBytes + iptc
      segments += segment(
        0xED, Array("Photoshop 3.0\0".utf8) + resource + (iptc.count % 2 == 1 ? [0] : []))
    }
    if let profile = carried.profile { segments += profileSegments(profile) }
    return jpeg.prefix(2) + segments + jpeg.dropFirst(2)
  }

  private static func segment(_ marker: UInt8, _ content: [UInt8]) -> [UInt8] {
    guard content.count <= longestSegment else { return [] }
    return [0xFF, marker] + UInt16(content.count + 2).bigEndianBytes + content
  }

  private static func profileSegments(_ profile: [UInt8]) -> [UInt8] {
    let header = Array("ICC_PROFILE\0".utf8)
    let part = longestSegment - header.count - 2
    let count = (profile.count + part - 1) / part
    guard count <= 255 else { return [] }
    return (0..<count).flatMap { index in
      segment(
        0xE2,
        header + [UInt8(index + 1), UInt8(count)] + profile[index * part..<min((index + 1) * part, profile.count)])
    }
  }
}

/// Inserts chunks after the header of a PNG, which is always 33 bytes long.
private enum PNGEmbedding {
  static func embed(_ carried: CarriedMetadata, _ xmp: [UInt8]?, in png: Data) -> Data {
    var chunks: [UInt8] = []
    if let profile = carried.otherProfile {
      chunks += PNGChunks.chunk("iCCP", Array("ICC profile\0\0".utf8) + stored(profile))
    } else if carried.profile != nil {
      chunks += PNGChunks.chunk("sRGB", [0])
    }
    if let exif = carried.exif { chunks += PNGChunks.chunk("eXIf", exif) }
    if let xmp { chunks += PNGChunks.chunk("iTXt", Array("XML:com.adobe.xmp\0\0\0\0\0".utf8) + xmp) }
    return png.prefix(33) + chunks + png.dropFirst(33)
  }

  /// Returns a zlib stream of uncompressed blocks (RFC 1950, RFC 1951). Profiles are too small to
  /// need compression.
  private static func stored(_ bytes: [UInt8]) -> [UInt8] {
    let longestBlock = 0xFFFF
    var result: [UInt8] = [0x78, 0x01]
    var position = 0
    repeat {
      let end = min(position + longestBlock, bytes.count)
      let count = UInt16(end - position)
      result += [end == bytes.count ? 1 : 0] + count.bigEndianBytes.reversed() + (~count).bigEndianBytes.reversed()
      result += bytes[position..<end]
      position = end
    } while position < bytes.count
    let sums = bytes.reduce((1 as UInt32, 0 as UInt32)) { sums, byte in
      let first = (sums.0 + UInt32(byte)) % 65_521
      return (first, (sums.1 + first) % 65_521)
    }
    return result + (sums.1 << 16 | sums.0).bigEndianBytes
  }
}

/// Wraps the codestream of a JPEG XL in a container, with boxes before it.
private enum JPEGXLEmbedding {
  static func embed(_ exif: [UInt8]?, _ xmp: [UInt8]?, in jxl: Data) -> Data {
    var boxes: [UInt8] = []
    if let exif { boxes += box("Exif", [0, 0, 0, 0] + exif) }
    if let xmp { boxes += box("xml ", xmp) }
    guard !boxes.isEmpty else { return jxl }
    let start = box("JXL ", [0x0D, 0x0A, 0x87, 0x0A]) + box("ftyp", Array("jxl \0\0\0\0jxl ".utf8))
    // If the encoder needs a container, it writes its own: two boxes, then those of the picture.
    if jxl.starts(with: [0, 0, 0, 12]) { return Data(start + boxes) + jxl.dropFirst(start.count) }
    return Data(start + boxes) + box("jxlc", Array(jxl))
  }

  private static func box(_ type: String, _ content: [UInt8]) -> [UInt8] {
    UInt32(content.count + 8).bigEndianBytes + Array(type.utf8) + content
  }
}

/// Puts chunks around the picture of a WebP, in the order that its container requires. libvips
/// would rewrite EXIF without the maker's note.
private enum WebPEmbedding {
  static func embed(_ carried: CarriedMetadata, _ xmp: [UInt8]?, in webP: Data, size: PixelSize) -> Data {
    var picture: [UInt8] = []
    var flags = 0
    for (type, content) in Chunks(
      ByteReader(MediaBytes(Array(webP)), at: 0, count: webP.count, order: .little), from: 12)
    {
      guard let bytes = content.bytes(0, content.count) else { return webP }
      if type == "VP8X" {
        flags = content.u8(0) ?? 0
      } else if ["VP8 ", "VP8L", "ALPH"].contains(type) {
        // Lossless pictures contain their alpha channel and flag it in their header.
        if type == "VP8L", content.u32(1).map({ $0 >> 28 & 1 == 1 }) == true { flags |= 0x10 }
        picture += chunk(type.text, bytes)
      }
    }
    let profile = carried.otherProfile.map { chunk("ICCP", $0) } ?? []
    let exif = carried.exif.map { chunk("EXIF", $0) } ?? []
    let packet = xmp.map { chunk("XMP ", $0) } ?? []
    flags |= (profile.isEmpty ? 0 : 0x20) | (exif.isEmpty ? 0 : 0x08) | (packet.isEmpty ? 0 : 0x04)
    let header = [UInt8(flags), 0, 0, 0] + little(size.width - 1, 3) + little(size.height - 1, 3)
    let content = Array("WEBP".utf8) + chunk("VP8X", header) + profile + picture + exif + packet
    return Data(Array("RIFF".utf8) + little(content.count, 4) + content)
  }

  private static func chunk(_ type: String, _ content: [UInt8]) -> [UInt8] {
    Array(type.utf8) + little(content.count, 4) + content + (content.count % 2 == 1 ? [0] : [])
  }

  private static func little(_ value: Int, _ byteCount: Int) -> [UInt8] {
    (0..<byteCount).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
  }
}

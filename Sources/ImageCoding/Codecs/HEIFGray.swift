import CHeif
import MediaMetadata

/// Decodes a picture without colors. libheif would copy its brightness into RGB unchanged, though
/// black is 16 and white 235 if the file does not use the full range. Returns nil for a grid, whose
/// tiles libheif turns into RGB.
func decodeGrayHEIF(
  _ handle: OpaquePointer, _ options: UnsafePointer<heif_decoding_options>, _ request: DecodingRequest,
  _ file: MediaFile
) throws(ImagingError) -> (pixels: PixelBuffer, notes: [String])? {
  var image: OpaquePointer?
  guard
    heif_decode_image(handle, &image, heif_colorspace_monochrome, heif_chroma_monochrome, options).code
      == heif_error_Ok, let image
  else { return nil }
  defer { heif_image_release(image) }
  guard let light = HEIFPlane(image, heif_channel_Y) else { return nil }
  try request.check(light.size, file)
  let alpha = HEIFPlane(image, heif_channel_Alpha).flatMap { $0.size == light.size ? $0 : nil }
  let codes = light.codes(isFullRange: isFullRange(image))
  let alphaCodes = alpha?.codes(isFullRange: true) ?? []
  let channels = alpha == nil ? 3 : 4
  let pixels = PixelBuffer(width: light.size.width, height: light.size.height, channels: channels) { out in
    var to = out
    for row in 0..<light.size.height {
      for column in 0..<light.size.width {
        let code = codes[light.value(column, row)]
        (to[0], to[1], to[2]) = (code, code, code)
        if let alpha { to[3] = alphaCodes[alpha.value(column, row)] }
        to += channels
      }
    }
  }
  return (pixels, warnings(of: image))
}

extension PixelBuffer {
  /// Stretches limited range, which a decoder has copied into RGB, to the full range.
  mutating func stretchLimitedRange() {
    var codes: [UInt8] = []
    for value in 0...255 {
      let light = min(max(value - 16, 0), 219)
      codes.append(UInt8((light * 255 + 109) / 219))
    }
    for index in bytes.indices where channels == 3 || index & 3 != 3 { bytes[index] = codes[Int(bytes[index])] }
  }
}

private func isFullRange(_ image: OpaquePointer) -> Bool {
  var coded: UnsafeMutablePointer<heif_color_profile_nclx>?
  guard heif_image_get_nclx_color_profile(image, &coded).code == heif_error_Ok, let coded else { return true }
  defer { heif_nclx_color_profile_free(coded) }
  return coded.pointee.full_range_flag != 0
}

/// A plane of a decoded picture, of 8 to 16 bits a sample.
private struct HEIFPlane {
  let size: PixelSize
  private let base: UnsafePointer<UInt8>
  private let rowBytes: Int
  private let bits: Int

  init?(_ image: OpaquePointer, _ channel: heif_channel) {
    var rowBytes: Int32 = 0
    let bits = Int(heif_image_get_bits_per_pixel_range(image, channel))
    let size = PixelSize(
      width: Int(heif_image_get_width(image, channel)), height: Int(heif_image_get_height(image, channel)))
    guard (8...16).contains(bits), size.width > 0, size.height > 0,
      let base = heif_image_get_plane_readonly(image, channel, &rowBytes)
    else { return nil }
    (self.size, self.base, self.rowBytes, self.bits) = (size, base, Int(rowBytes), bits)
  }

  /// Returns a sample. Samples of more than 8 bits take two bytes, the lower one first.
  func value(_ column: Int, _ row: Int) -> Int {
    let line = base + row &* rowBytes
    guard bits > 8 else { return Int(line[column]) }
    let sample = Int(line[2 &* column]) | Int(line[2 &* column &+ 1]) << 8
    return sample & (1 << bits - 1)
  }

  /// Returns the 8-bit code of each value.
  func codes(isFullRange: Bool) -> [UInt8] {
    let step = 1 << (bits - 8)
    let black = isFullRange ? 0 : 16 * step
    let white = isFullRange ? 256 * step - 1 : 235 * step
    return (0..<256 * step).map { value in
      UInt8((min(max(value - black, 0), white - black) * 255 + (white - black) / 2) / (white - black))
    }
  }
}

extension HEIFItems {
  /// Whether the primary picture has no colors.
  var isPrimaryGray: Bool { primary.map { isGray($0) } ?? false }

  /// Whether each of its thumbnails has none.
  var areThumbnailsGray: Bool {
    primary.map { items(referringTo: $0, as: "thmb").allSatisfy { isGray($0) } } ?? false
  }

  /// Whether the primary picture, or the first of its tiles, declares that black is 16.
  var declaresLimitedRange: Bool { codePoints?.u8(10).map { $0 & 0x80 == 0 } ?? false }

  /// The place of the byte that declares limited range for planes of red, green and blue.
  var limitedRGBPlace: Int? { declaresLimitedRange && codePoints?.u16(8) == 0 ? codePoints.map { $0.base + 10 } : nil }

  /// The code points of the primary picture, or else of the first of its tiles.
  private var codePoints: ByteReader? {
    guard let primary else { return nil }
    return ([primary] + references(from: primary, as: "dimg").prefix(1)).lazy.flatMap(properties(of:))
      .first { $0.type == "colr" && $0.content.starts(with: "nclx") }?.content
  }

  private func isGray(_ item: Int) -> Bool {
    guard let part = firstParts(of: item).last else { return false }
    switch type(of: part) {
    case "av01": return properties(of: part).first { $0.type == "av1C" }?.content.u8(2).map { $0 & 0x10 != 0 } ?? false
    case "hvc1": return properties(of: part).first { $0.type == "hvcC" }?.content.u8(16).map { $0 & 3 == 0 } ?? false
    default: return false
    }
  }
}

import MediaMetadata

/// Decodes an uncompressed Windows bitmap of 1, 4, 8, 16, 24 or 32 bits a pixel. libvips could do
/// so only through ImageMagick, which is blocked.
func decodeBMP(_ file: MediaFile, _ request: DecodingRequest) throws(ImagingError) -> DecodedPicture {
  let header = try BMPHeader(file)
  try request.check(header.size, file)
  let rows = try file.read(header.rowBytes * header.size.height, at: header.pixelOffset)
  let (width, height) = (header.size.width, header.size.height)
  let available = min(height, rows.count / header.rowBytes)
  guard available > 0 else { throw ImagingError(.damaged, file.name, reason: "no pixels") }
  let pixels = PixelBuffer(width: width, height: height, channels: 4) { out in
    out.update(repeating: 255, count: width * height * 4)
    rows.withUnsafeBufferPointer { rows in
      for row in 0..<available {
        let target = out + (header.topDown ? row : height - 1 - row) * width * 4
        header.decodeRow(
          UnsafeBufferPointer(rebasing: rows[row * header.rowBytes..<(row + 1) * header.rowBytes]), target)
      }
    }
  }
  var notes: [String] = []
  if available < height { notes.append("\(height - available) of \(height) rows are missing") }
  var colors = ColorDescription.sRGB
  if let place = header.profile {
    colors = .profile(try file.read(place.count, at: place.lowerBound))
  } else if let calibrated = header.calibrated?.description {
    colors = calibrated
  }
  return DecodedPicture(
    pixels: pixels.droppingOpaqueAlpha().resized(to: request.size(of: header.size)), colors: colors, notes: notes,
    damage: notes.first)
}

private struct BMPHeader {
  var size: PixelSize
  var topDown: Bool
  var bitsPerPixel: Int
  var rowBytes: Int
  var pixelOffset: Int
  /// The place of the color profile, which the longest header may name.
  var profile: Range<Int>?
  /// The colors that the longer headers may describe.
  var calibrated: CalibratedColors?
  /// Red, green, blue.
  private var palette: [(UInt8, UInt8, UInt8)] = []
  private var masks: [UInt32] = []

  init(_ file: MediaFile) throws(ImagingError) {
    let bytes = try file.read(14 + 124 + 1024, at: 0)
    func int(_ at: Int, _ count: Int) -> UInt32 {
      guard at >= 0, at + count <= bytes.count else { return 0 }
      return (0..<count).reduce(0) { $0 | UInt32(bytes[at + $1]) << (8 * UInt32($1)) }
    }
    let headerBytes = Int(int(14, 4))
    let isOld = headerBytes == 12
    guard isOld || (40...124).contains(headerBytes) else {
      throw ImagingError(.damaged, file.name, reason: "a bitmap header of \(headerBytes) bytes")
    }
    let width = isOld ? Int(int(18, 2)) : Int(Int32(bitPattern: int(18, 4)))
    let height = isOld ? Int(int(20, 2)) : Int(Int32(bitPattern: int(22, 4)))
    bitsPerPixel = Int(isOld ? int(24, 2) : int(28, 2))
    let compression = isOld ? 0 : int(30, 4)
    guard [1, 4, 8, 16, 24, 32].contains(bitsPerPixel), [0, 3, 6].contains(compression) else {
      throw ImagingError(
        .unsupported, file.name, reason: "a bitmap of \(bitsPerPixel) bits with compression \(compression)")
    }
    guard width > 0, height != 0 else {
      throw ImagingError(.damaged, file.name, reason: "the picture is \(width) × \(abs(height)) pixels")
    }
    size = PixelSize(width: width, height: abs(height))
    topDown = height < 0
    rowBytes = (width * bitsPerPixel + 31) / 32 * 4
    pixelOffset = Int(int(10, 4))

    let embedded: UInt32 = 0x4D42_4544
    if headerBytes == 124, int(70, 4) == embedded, (1..<longestColorProfile).contains(Int(int(130, 4))) {
      let start = 14 + Int(int(126, 4))
      profile = start..<start + Int(int(130, 4))
    } else if headerBytes >= 108, int(70, 4) == 0 {
      // The header has X, Y and Z of red, green and blue, and their exponents, but no white point.
      let primaries = (0..<3).map { color in
        let place = 74 + 12 * color
        let sum = (0..<3).reduce(0) { $0 + Double(int(place + 4 * $1, 4)) }
        return CalibratedColors.Chromaticity(Double(int(place, 4)), Double(int(place + 4, 4))) / sum
      }
      let exponents = (0..<3).map { Double(int(110 + 4 * $0, 4)) / 65_536 }
      calibrated = CalibratedColors(primaries: primaries, exponents: exponents)
    }

    let tables = 14 + headerBytes
    if bitsPerPixel <= 8 {
      let entry = isOld ? 3 : 4
      palette = (0..<1 << bitsPerPixel).map { index in
        let at = tables + index * entry
        return (UInt8(int(at + 2, 1)), UInt8(int(at + 1, 1)), UInt8(int(at, 1)))
      }
    } else if compression == 3 || compression == 6 {
      masks = (0..<4).map { $0 < 3 || headerBytes >= 56 || compression == 6 ? int(54 + $0 * 4, 4) : 0 }
    } else {
      masks = bitsPerPixel == 16 ? [0x7C00, 0x3E0, 0x1F, 0] : [0xFF0000, 0xFF00, 0xFF, 0]
    }
  }

  /// Decodes one row to RGBA.
  func decodeRow(_ row: UnsafeBufferPointer<UInt8>, _ out: UnsafeMutablePointer<UInt8>) {
    for column in 0..<size.width {
      let to = out + column * 4
      if bitsPerPixel <= 8 {
        let bit = column * bitsPerPixel
        let shift = 8 - bitsPerPixel - bit % 8
        (to[0], to[1], to[2]) = palette[Int(row[bit / 8]) >> shift & (1 << bitsPerPixel - 1)]
      } else {
        let count = bitsPerPixel / 8
        let value = (0..<count).reduce(0) { $0 | UInt32(row[column * count + $1]) << (8 * UInt32($1)) }
        for channel in 0..<4 where masks[channel] != 0 { to[channel] = Self.scaled(value, masks[channel]) }
      }
    }
  }

  private static func scaled(_ value: UInt32, _ mask: UInt32) -> UInt8 {
    let shift = UInt32(mask.trailingZeroBitCount)
    let largest = UInt64(mask >> shift)
    return UInt8(truncatingIfNeeded: UInt64((value & mask) >> shift) * 255 / largest)
  }
}

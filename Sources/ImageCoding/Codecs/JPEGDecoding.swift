import CTurboJPEG
import MediaMetadata

/// The largest file that is read into memory whole, in bytes. Every camera's photo is far smaller.
let wholeFileByteLimit = 512 << 20

/// Decodes a JPEG at the eighth-step that its renditions need. TurboJPEG skips the details that a
/// smaller picture does not show.
func decodeJPEG(_ file: MediaFile, orientation: Int, endingAt end: Int?, _ request: DecodingRequest)
  throws(ImagingError) -> DecodedPicture
{
  let count = min(end ?? file.byteCount, file.byteCount)
  guard count <= wholeFileByteLimit else {
    throw ImagingError(.tooLarge, file.name, reason: "a JPEG of \(count) bytes")
  }
  var picture = try decodeJPEG(file.read(count, at: 0), named: file, request)
  picture.orientation = orientation
  return picture
}

/// Decodes a JPEG inside another file, like the preview of a raw file.
func decodeJPEG(_ bytes: [UInt8], named file: MediaFile, _ request: DecodingRequest)
  throws(ImagingError) -> DecodedPicture
{
  let structure = JPEGStructure(bytes)
  guard let decompressor = tjInitDecompress() else {
    throw ImagingError(.tooLarge, file.name, reason: "no memory for a JPEG decoder")
  }
  defer { tjDestroy(decompressor) }

  var width: Int32 = 0
  var height: Int32 = 0
  var subsampling: Int32 = 0
  var colorspace: Int32 = 0
  let header = tjDecompressHeader3(
    decompressor, bytes, UInt(bytes.count), &width, &height, &subsampling, &colorspace)
  if header != 0, width <= 0 || height <= 0 || tjGetErrorCode(decompressor) == TJERR_FATAL.rawValue {
    throw ImagingError(.damaged, file.name, reason: message(of: decompressor))
  }
  let size = PixelSize(width: Int(width), height: Int(height))
  try checkCost(of: structure, size: size, request, file)

  let scale = eighths(for: size, request)
  let isCMYK = colorspace == TJCS_CMYK.rawValue || colorspace == TJCS_YCCK.rawValue
  let channels = isCMYK ? 4 : 3
  // Like TJSCALED: partial blocks count.
  let scaled = PixelSize(width: (size.width * scale + 7) / 8, height: (size.height * scale + 7) / 8)
  var failed = false
  var pixels = PixelBuffer(width: scaled.width, height: scaled.height, channels: channels) { out in
    // A damaged file may end before the last row. The missing rows stay gray.
    out.update(repeating: 128, count: scaled.pixels * channels)
    failed =
      tjDecompress2(
        decompressor, bytes, UInt(bytes.count), out, Int32(scaled.width), 0, Int32(scaled.height),
        Int32((isCMYK ? TJPF_CMYK : TJPF_RGB).rawValue), TJFLAG_LIMITSCANS) != 0
  }
  var notes: [String] = []
  var damage: String?
  if failed {
    let reason = message(of: decompressor)
    guard tjGetErrorCode(decompressor) == TJERR_WARNING.rawValue else {
      throw ImagingError(.damaged, file.name, reason: reason)
    }
    notes.append(reason)
    damage = isHarmless(reason) ? findDamage(in: bytes) : reason
    if let damage, damage != reason { notes.append(damage) }
  }
  if isCMYK {
    // The resizing would take the fourth ink for opacity.
    pixels = convertInks(pixels, profile: structure.profile, inverted: structure.hasAdobeMarker)
  }
  if request.largest == .screen {
    pixels = pixels.resized(to: RenditionKind.screen.size(of: scaled))
  }
  if isCMYK { return DecodedPicture(pixels: pixels, notes: notes, damage: damage) }
  return DecodedPicture(
    pixels: pixels, colors: structure.profile.map(ColorDescription.profile) ?? .sRGB, notes: notes, damage: damage,
    hasAllPixelsInSRGB: scale == 8 && structure.profile.map { ColorProfile($0)?.isSRGB == true } ?? true)
}

/// Returns whether a file's picture is complete in spite of a decoder's warning.
///
/// Some cameras and phones put bytes between the segments of a header, or a few bytes elsewhere.
/// Sixteen or more before a marker from 0xd0 to 0xda are a part of the picture that could not be
/// read. These markers are a restart, a scan, or the start or end of a picture.
private func isHarmless(_ warning: String) -> Bool {
  if harmlessWarnings.contains(where: { warning.contains($0) }) { return true }
  guard let match = warning.firstMatch(of: /(\d+) extraneous bytes before marker 0x([0-9a-f]{2})/) else { return false }
  guard let count = Int(match.1), let marker = Int(match.2, radix: 16) else { return false }
  return count < 16 || !(0xD0...0xDA).contains(marker)
}

/// Warnings about an unusual header that leave the picture complete.
private let harmlessWarnings = [
  "Invalid SOS parameters", "unknown JFIF revision number", "Unknown Adobe color transform code",
]

/// Returns the first warning about a JPEG that is not harmless, after any number of harmless ones.
private func findDamage(in bytes: [UInt8]) -> String? {
  withUnsafeTemporaryAllocation(of: CChar.self, capacity: Int(JMSG_LENGTH_MAX)) { damage in
    guard let start = damage.baseAddress else { return nil }
    calotype_jpeg_damage(
      bytes, bytes.count, { $0.map { isHarmless(String(cString: $0)) } == true ? 0 : 1 }, start)
    return start.pointee == 0 ? nil : String(cString: start)
  }
}

/// Returns the size in a JPEG's header.
func jpegSize(_ bytes: [UInt8]) -> PixelSize? {
  guard let decompressor = tjInitDecompress() else { return nil }
  defer { tjDestroy(decompressor) }
  var (width, height, subsampling, colorspace): (Int32, Int32, Int32, Int32) = (0, 0, 0, 0)
  _ = tjDecompressHeader3(decompressor, bytes, UInt(bytes.count), &width, &height, &subsampling, &colorspace)
  return width > 0 && height > 0 ? PixelSize(width: Int(width), height: Int(height)) : nil
}

private func message(of decompressor: tjhandle) -> String { String(cString: tjGetErrorStr2(decompressor)) }

/// Returns the number of eighths of its size at which to decode a JPEG.
private func eighths(for size: PixelSize, _ request: DecodingRequest) -> Int {
  let wanted = request.size(of: size)
  if request.largest == .screen, size.longSide > RenditionKind.screenLongSide {
    // The largest step that needs no resizing, if there is one.
    let fitting = (1...8).last {
      (RenditionKind.screenLongSideWithoutResizing...RenditionKind.screenLongSide).contains(
        (size.longSide * $0 + 7) / 8)
    }
    if let fitting { return fitting }
  }
  return (1...8).first { (size.longSide * $0 + 7) / 8 >= wanted.longSide } ?? 8
}

/// Throws if decoding would cost too much. TurboJPEG can't be interrupted, so the cost is checked
/// in advance.
func checkCost(
  of structure: JPEGStructure, size: PixelSize, _ request: DecodingRequest, _ file: MediaFile
) throws(ImagingError) {
  /// The 16-bit coefficients of all components stay in memory until the last scan.
  let coefficientByteLimit = 896 << 20
  /// A scan passes over the whole picture, however little data it contains: about 2 ns a pixel.
  let scannedPixelLimit = 3_000_000_000

  try request.checkRowByRow(size, file)
  guard structure.isMultiScan else { return }
  guard Double(size.pixels) * 2 * structure.coefficientsPerPixel <= Double(coefficientByteLimit) else {
    throw ImagingError(.tooLarge, file.name, reason: "a progressive JPEG of \(size.width) × \(size.height) pixels")
  }
  guard size.pixels * structure.scanCount <= scannedPixelLimit else {
    throw ImagingError(
      .tooLarge, file.name,
      reason: "a progressive JPEG of \(size.width) × \(size.height) pixels in \(structure.scanCount) scans")
  }
}

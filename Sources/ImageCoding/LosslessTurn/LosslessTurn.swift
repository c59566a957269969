import CTurboJPEG
import Foundation
import MediaMetadata

/// Turns a JPEG in this process without decoding its picture.
package func turnJPEGLosslessly(_ file: MediaFile, by turn: Turn) throws(ImagingError) -> Data {
  guard file.byteCount <= wholeFileByteLimit else {
    throw ImagingError(.tooLarge, file.name, reason: "a JPEG of \(file.byteCount) bytes")
  }
  let bytes = try file.read(file.byteCount, at: 0)
  guard let segments = JPEGSegments(bytes) else {
    throw ImagingError(.unsupported, file.name, reason: "only a whole JPEG can be turned as it is")
  }
  let metadata = try MediaMetadata(parsing: file)
  let whole = Turn(exifOrientation: metadata.orientation).then(turn)
  let hasMore =
    bytes[segments.end...].contains { $0 != 0 }
    || segments.header(0xE2, JPEGSegments.multiPictureSignature, in: bytes) != nil
  guard !hasMore, let turned = try turnBlocks(of: bytes, whole, file) else {
    return try withOrientation(whole.exifOrientation, of: bytes, segments: segments, file)
  }
  guard let turnedSegments = JPEGSegments(turned) else {
    throw ImagingError(.damaged, file.name, reason: "the turned picture can't be read")
  }
  return withUprightMetadata(turned, turnedSegments, exchangesSides: whole.exchangesSides)
}

// MARK: - Blocks

/// Returns `nil` if the blocks don't fit the picture's edges.
private func turnBlocks(of bytes: [UInt8], _ turn: Turn, _ file: MediaFile) throws(ImagingError) -> [UInt8]? {
  guard let transformer = tjInitTransform() else {
    throw ImagingError(.tooLarge, file.name, reason: "no memory to turn a JPEG")
  }
  defer { tjDestroy(transformer) }
  var (width, height, subsampling, colorspace): (Int32, Int32, Int32, Int32) = (0, 0, 0, 0)
  guard
    tjDecompressHeader3(transformer, bytes, UInt(bytes.count), &width, &height, &subsampling, &colorspace) == 0,
    width > 0, height > 0
  else { throw ImagingError(.damaged, file.name, reason: String(cString: tjGetErrorStr2(transformer))) }
  let structure = JPEGStructure(bytes)
  let size = PixelSize(width: Int(width), height: Int(height))
  try checkCost(of: structure, size: size, DecodingRequest(kinds: [.full], limits: .standard), file)
  guard let block = blockSize(subsampling), turn.fits(width: Int(width), height: Int(height), block: block) else {
    return nil
  }
  var transform = tjtransform()
  transform.op = Int32(turn.transformOperation.rawValue)
  transform.options = TJXOPT_PERFECT | (structure.isProgressive ? TJXOPT_PROGRESSIVE : 0)
  var result: UnsafeMutablePointer<UInt8>?
  var count: UInt = 0
  defer { tjFree(result) }
  let status = tjTransform(
    transformer, bytes, UInt(bytes.count), 1, &result, &count, &transform, TJFLAG_LIMITSCANS)
  guard status == 0, let result else {
    throw ImagingError(.damaged, file.name, reason: String(cString: tjGetErrorStr2(transformer)))
  }
  return Array(UnsafeBufferPointer(start: result, count: Int(count)))
}

/// Returns the pixels that one block of all components covers, or `nil` for a subsampling that
/// TurboJPEG has no name for.
private func blockSize(_ subsampling: Int32) -> (width: Int, height: Int)? {
  switch TJSAMP(UInt32(bitPattern: subsampling)) {
  case TJSAMP_444, TJSAMP_GRAY: (8, 8)
  case TJSAMP_422: (16, 8)
  case TJSAMP_420: (16, 16)
  case TJSAMP_440: (8, 16)
  case TJSAMP_411: (32, 8)
  default: nil
  }
}

extension Turn {
  /// The operation that applies the EXIF orientation.
  fileprivate var transformOperation: TJXOP {
    switch exifOrientation {
    case 2: TJXOP_HFLIP
    case 3: TJXOP_ROT180
    case 4: TJXOP_VFLIP
    case 5: TJXOP_TRANSPOSE
    case 6: TJXOP_ROT90
    case 7: TJXOP_TRANSVERSE
    case 8: TJXOP_ROT270
    default: TJXOP_NONE
    }
  }

  /// Whether every edge that ends in a partial block stays where it is. Partial blocks are allowed
  /// at the right and the bottom edge only.
  fileprivate func fits(width: Int, height: Int, block: (width: Int, height: Int)) -> Bool {
    let (rightMoves, bottomMoves) =
      switch exifOrientation {
      case 2, 8: (true, false)
      case 4, 6: (false, true)
      case 3, 7: (true, true)
      default: (false, false)
      }
    return (!rightMoves || width % block.width == 0) && (!bottomMoves || height % block.height == 0)
  }
}

// MARK: - Metadata

/// Returns the turned file with metadata that says it is upright.
private func withUprightMetadata(_ bytes: [UInt8], _ segments: JPEGSegments, exchangesSides: Bool) -> Data {
  var result = Data(capacity: bytes.count)
  var copied = 0
  for segment in segments.headers where segment.marker == 0xE1 {
    guard let replaced = uprightContent(Array(bytes[segment.content]), exchangesSides: exchangesSides) else { continue }
    result += bytes[copied..<segment.range.lowerBound]
    result += app1Segment(replaced)
    copied = segment.range.upperBound
  }
  return result + bytes[copied...]
}

/// Returns `nil` for a segment that needs no change.
private func uprightContent(_ content: [UInt8], exchangesSides: Bool) -> [UInt8]? {
  if content.starts(with: JPEGSegments.exifSignature) {
    guard var exif = EXIFEditing(Array(content.dropFirst(JPEGSegments.exifSignature.count))) else { return nil }
    exif.setOrientation(1, isAdded: false)
    if exchangesSides { exif.exchangeSides() }
    exif.dropThumbnail()
    return JPEGSegments.exifSignature + exif.bytes
  }
  return content.starts(with: JPEGSegments.xmpSignature) ? withXMPOrientation(1, content) : nil
}

/// Returns the file with another orientation and otherwise unchanged.
private func withOrientation(
  _ orientation: Int, of bytes: [UInt8], segments: JPEGSegments, _ file: MediaFile
) throws(ImagingError) -> Data {
  var result = Data(capacity: bytes.count + 64)
  var copied = 0
  var hasOrientation = false
  for segment in segments.headers where segment.marker == 0xE1 {
    let content = Array(bytes[segment.content])
    var replaced: [UInt8]?
    if !hasOrientation, content.starts(with: JPEGSegments.exifSignature),
      var exif = EXIFEditing(Array(content.dropFirst(JPEGSegments.exifSignature.count)))
    {
      exif.setOrientation(orientation, isAdded: true)
      replaced = JPEGSegments.exifSignature + exif.bytes
      hasOrientation = true
    } else if content.starts(with: JPEGSegments.xmpSignature) {
      replaced = withXMPOrientation(orientation, content)
    }
    guard let replaced else { continue }
    guard replaced.count <= longestSegmentContent else {
      throw ImagingError(.cannotEncode, file.name, reason: "its EXIF has no room for an orientation")
    }
    result += bytes[copied..<segment.range.lowerBound]
    result += app1Segment(replaced)
    copied = segment.range.upperBound
  }
  result += bytes[copied...]
  guard !hasOrientation else { return result }
  // EXIF follows the JFIF segment, which must come first if it exists.
  let first = segments.headers.first
  let place = first?.marker == 0xE0 ? first?.range.upperBound ?? 2 : 2
  result.insert(
    contentsOf: app1Segment(JPEGSegments.exifSignature + EXIFEditing(orientation: orientation).bytes), at: place)
  return result
}

private let longestSegmentContent = 0xFFFF - 2

private func app1Segment(_ content: [UInt8]) -> [UInt8] {
  let length = content.count + 2
  return [0xFF, 0xE1, UInt8(length >> 8), UInt8(length & 0xFF)] + content
}

/// Overwrites the orientation in XMP, which some programs write too, as one digit.
private func withXMPOrientation(_ orientation: Int, _ content: [UInt8]) -> [UInt8]? {
  guard let name = content.firstRange(of: Array("tiff:Orientation".utf8)) else { return nil }
  var result = content
  let digit = content[name.upperBound...].prefix(4).firstIndex { (UInt8(ascii: "1")...UInt8(ascii: "8")).contains($0) }
  guard let digit else { return nil }
  result[digit] = UInt8(ascii: "0") + UInt8(orientation)
  return result
}

import MediaMetadata

/// The largest size of a thumbnail in pixels. A larger one takes as long as a picture.
package let thumbnailPixelLimit = 1 << 20

/// Decodes the small picture inside a JPEG, HEIF or raw file, in this process; returns nil if there
/// is none.
package func decodeEmbeddedThumbnail(of file: MediaFile, metadata: MediaMetadata, limits: DecodingLimits)
  throws(ImagingError) -> PixelBuffer?
{
  let start = try file.read(8, at: 0)
  var picture: DecodedPicture
  if metadata.type.isRaw {
    let small = DecodingRequest(kinds: [.grid], limits: limits)
    guard let found = try decodeRawPreview(file, small) else { return nil }
    picture = found
    picture.pixels = picture.pixels.resized(to: RenditionKind.grid.size(of: picture.pixels.size))
  } else if start.starts(with: [0xFF, 0xD8, 0xFF]) {
    let small = DecodingLimits(pixels: thumbnailPixelLimit, seconds: limits.seconds)
    guard let found = try embeddedJPEG(of: file, small) else { return nil }
    picture = found
    picture.orientation = metadata.orientation
  } else if start.dropFirst(4).starts(with: "ftyp".utf8) {
    guard let found = try decodeHEIFThumbnail(file, limits) else { return nil }
    picture = found
  } else {
    return nil
  }
  _ = picture.pixels.convertToSRGB(from: picture.colors)
  return picture.pixels.oriented(picture.orientation)
    .cutToShape(of: PixelSize(width: metadata.pixelWidth, height: metadata.pixelHeight))
}

/// Decodes the JPEG to which EXIF's second directory points.
private func embeddedJPEG(of file: MediaFile, _ limits: DecodingLimits) throws(ImagingError) -> DecodedPicture? {
  let source = MediaBytes(file)
  var headerByteCount = 2
  var thumbnail: [UInt8]?
  /// The limit for segments before the picture. A photo with EXIF has half a dozen.
  for header in JPEGMarkers.headers(source.all).prefix(32) where header.isWhole {
    if header.code == 0xE1, thumbnail == nil, header.content.starts(with: "Exif\0"),
      let exif = header.content.slice(6)
    {
      thumbnail = exif.embeddedJPEG
    }
    headerByteCount = header.end
  }
  if let failure = source.failure { throw failure }
  guard let thumbnail,
    var picture = try? decodeJPEG(thumbnail, named: file, DecodingRequest(kinds: [.full], limits: limits))
  else { return nil }
  // Cameras give the thumbnail the photo's color space, but embed the profile in the photo alone.
  if case .sRGB = picture.colors, let profile = JPEGStructure(try file.read(headerByteCount, at: 0)).profile {
    picture.colors = .profile(profile)
  }
  return picture
}

extension ByteReader {
  /// The JPEG in an EXIF block.
  fileprivate var embeddedJPEG: [UInt8]? {
    guard let tiff = TIFFReader(self), let main = tiff.directory(at: tiff.firstDirectory), main.next > 0,
      let second = tiff.directory(at: main.next), let offset = second.int(0x0201), let count = second.int(0x0202),
      count > 0, let jpeg = bytes(offset, count), jpeg.starts(with: [0xFF, 0xD8])
    else { return nil }
    return jpeg
  }
}

extension PixelBuffer {
  /// Returns the middle of the picture in the shape of another one, if their shapes differ by more
  /// than 3 %, so by more than rounding.
  fileprivate func cutToShape(of other: PixelSize) -> PixelBuffer {
    guard other.width > 0, other.height > 0 else { return self }
    let (wanted, found) = (Double(other.width) / Double(other.height), Double(width) / Double(height))
    guard abs(wanted / found - 1) > 0.03 else { return self }
    if wanted > found {
      let rows = max(1, Int((Double(width) / wanted).rounded()))
      return cropped(x: 0..<width, y: (height - rows) / 2..<(height + rows) / 2) ?? self
    }
    let columns = max(1, Int((Double(height) * wanted).rounded()))
    return cropped(x: (width - columns) / 2..<(width + columns) / 2, y: 0..<height) ?? self
  }
}

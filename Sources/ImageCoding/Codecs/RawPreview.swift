import CRaw
import MediaMetadata

/// The picture that a camera stores beside the sensor's data.
struct RawPreview {
  let size: PixelSize
  private let bytes: [UInt8]
  private let isJPEG: Bool
  private let sizes: libraw_image_sizes_t

  init(_ raw: RawFile, _ file: MediaFile) throws(ImagingError) {
    guard !file.hasPreviewWithoutCompression else {
      throw ImagingError(.unsupported, file.name, reason: "a preview without a compression type")
    }
    try checkRaw(libraw_unpack_thumb(raw), file)
    let thumbnail = raw.pointee.thumbnail
    guard let data = thumbnail.thumb, thumbnail.tlength > 0 else {
      throw ImagingError(.damaged, file.name, reason: "no preview")
    }
    bytes = [UInt8](UnsafeRawBufferPointer(start: data, count: Int(thumbnail.tlength)))
    sizes = raw.pointee.sizes
    switch thumbnail.tformat {
    case LIBRAW_THUMBNAIL_JPEG:
      isJPEG = true
      guard let found = jpegSize(bytes) else {
        throw ImagingError(.damaged, file.name, reason: "a preview without a size")
      }
      size = found
    case LIBRAW_THUMBNAIL_BITMAP:
      isJPEG = false
      size = PixelSize(width: Int(thumbnail.twidth), height: Int(thumbnail.theight))
    default: throw ImagingError(.unsupported, file.name, reason: "a preview of an unknown kind")
    }
  }

  func decode(named file: MediaFile, _ request: DecodingRequest) throws(ImagingError) -> DecodedPicture {
    var picture: DecodedPicture
    if isJPEG {
      picture = try decodeJPEG(bytes, named: file, request)
    } else {
      try request.check(size, file)
      guard bytes.count >= size.pixels * 3 else {
        throw ImagingError(.damaged, file.name, reason: "preview cut short")
      }
      picture = DecodedPicture(
        pixels: PixelBuffer(
          width: size.width, height: size.height, channels: 3, bytes: Array(bytes.prefix(size.pixels * 3))))
    }
    picture.orientation = orientation(of: sizes, for: picture.pixels)
    return picture
  }
}

extension MediaFile {
  /// Whether a preview declares no compression. LibRaw then assumes planes and writes as many bytes
  /// as the preview declares, past the end of its buffer (`LibRaw::unpack_thumb`, 0.20).
  fileprivate var hasPreviewWithoutCompression: Bool {
    (TIFFReader(MediaBytes(self).all)?.pictureDirectories ?? []).contains { directory in
      directory.int(0x0111) != nil && (directory.int(0x0103) ?? 0) == 0
    }
  }
}

/// Returns the EXIF orientation for LibRaw's own number. If the preview's shape differs from the
/// sensor's, it is turned already.
private func orientation(of sizes: libraw_image_sizes_t, for preview: PixelBuffer) -> Int {
  let turnedAlready = (sizes.width > sizes.height) != (preview.width > preview.height)
  return switch sizes.flip {
  case 3: 3
  case 5: turnedAlready ? 1 : 8
  case 6: turnedAlready ? 1 : 6
  default: 1
  }
}

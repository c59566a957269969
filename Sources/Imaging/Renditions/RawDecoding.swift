import CRaw
import Foundation

/// Decodes a camera's raw file with LibRaw: the picture that the camera put beside the sensor's data, if it is large enough,
/// else the sensor's data at half size.
func decodeRaw(_ file: MediaFile, _ request: DecodingRequest) throws(ImagingError) -> DecodedPicture {
  guard file.byteCount <= wholeFileByteLimit else {
    throw ImagingError(.tooLarge, file.name, reason: "a raw file of \(file.byteCount) bytes")
  }
  var bytes = try file.read(file.byteCount, at: 0)
  let result = bytes.withUnsafeMutableBytes { bytes in
    Result { () throws(ImagingError) in try decodeRaw(bytes, named: file, request) }
  }
  return try result.get()
}

/// A preview of less is shown only if there is nothing better.
private let sufficientPreviewSide = 1024

private func decodeRaw(_ bytes: UnsafeMutableRawBufferPointer, named file: MediaFile, _ request: DecodingRequest)
  throws(ImagingError) -> DecodedPicture
{
  guard let raw = libraw_init(0) else { throw ImagingError(.tooLarge, file.name, reason: "no memory for LibRaw") }
  defer { libraw_close(raw) }
  // LibRaw keeps the pointer until it is closed; the deadline lives as long as this call.
  var deadline = request.deadline
  return try withUnsafeMutablePointer(to: &deadline) { deadline in
    Result { () throws(ImagingError) in
      libraw_set_progress_handler(
        raw,
        { deadline, _, _, _ in
          guard let deadline else { return 0 }
          return ContinuousClock.now < deadline.load(as: ContinuousClock.Instant.self) ? 0 : 1
        }, deadline)
      try check(libraw_open_buffer(raw, bytes.baseAddress, bytes.count), file)
      return try decode(raw, named: file, request)
    }
  }.get()
}

private func decode(_ raw: UnsafeMutablePointer<libraw_data_t>, named file: MediaFile, _ request: DecodingRequest)
  throws(ImagingError) -> DecodedPicture
{
  var notes: [String] = []
  var preview: DecodedPicture?
  do throws(ImagingError) {
    preview = try decodePreview(raw, named: file, request)
  } catch {
    notes.append("the preview: \(error.reason)")
  }
  if let preview, max(preview.pixels.width, preview.pixels.height) >= sufficientPreviewSide, preview.notes.isEmpty {
    return preview
  }
  do throws(ImagingError) {
    var picture = try develop(raw, named: file, request)
    picture.notes += notes
    return picture
  } catch {
    guard var preview else { throw error }
    preview.notes.append("only its preview can be shown: \(error.reason)")
    return preview
  }
}

private func decodePreview(
  _ raw: UnsafeMutablePointer<libraw_data_t>, named file: MediaFile, _ request: DecodingRequest
) throws(ImagingError) -> DecodedPicture {
  try check(libraw_unpack_thumb(raw), file)
  let thumbnail = raw.pointee.thumbnail
  guard let data = thumbnail.thumb, thumbnail.tlength > 0 else {
    throw ImagingError(.damaged, file.name, reason: "no preview")
  }
  let bytes = [UInt8](UnsafeRawBufferPointer(start: data, count: Int(thumbnail.tlength)))
  var picture: DecodedPicture
  switch thumbnail.tformat {
  case LIBRAW_THUMBNAIL_JPEG: picture = try decodeJPEG(bytes, named: file, request)
  case LIBRAW_THUMBNAIL_BITMAP:
    let size = PixelSize(width: Int(thumbnail.twidth), height: Int(thumbnail.theight))
    try request.check(size, file)
    guard bytes.count >= size.pixels * 3 else { throw ImagingError(.damaged, file.name, reason: "preview cut short") }
    picture = DecodedPicture(
      pixels: PixelBuffer(
        width: size.width, height: size.height, channels: 3, bytes: Array(bytes.prefix(size.pixels * 3))))
  default: throw ImagingError(.unsupported, file.name, reason: "a preview of an unknown kind")
  }
  picture.orientation = orientation(of: raw.pointee.sizes, for: picture.pixels)
  return picture
}

/// LibRaw tells the turn in its own numbers; a preview that is turned already has the other shape than the sensor.
private func orientation(of sizes: libraw_image_sizes_t, for preview: PixelBuffer) -> Int {
  let turnedAlready = (sizes.width > sizes.height) != (preview.width > preview.height)
  return switch sizes.flip {
  case 3: 3
  case 5: turnedAlready ? 1 : 8
  case 6: turnedAlready ? 1 : 6
  default: 1
  }
}

private func develop(_ raw: UnsafeMutablePointer<libraw_data_t>, named file: MediaFile, _ request: DecodingRequest)
  throws(ImagingError) -> DecodedPicture
{
  // 16 bits for each sensor pixel, and half of four times as much for the picture.
  try request.check(
    PixelSize(width: Int(raw.pointee.sizes.raw_width), height: Int(raw.pointee.sizes.raw_height)), file)
  raw.pointee.params.use_camera_wb = 1
  raw.pointee.params.half_size = 1
  raw.pointee.params.output_bps = 8
  try check(libraw_unpack(raw), file)
  try check(libraw_dcraw_process(raw), file)
  var failure: Int32 = 0
  guard let image = libraw_dcraw_make_mem_image(raw, &failure) else {
    throw ImagingError(.damaged, file.name, reason: String(cString: libraw_strerror(failure)))
  }
  defer { libraw_dcraw_clear_mem(image) }
  let size = PixelSize(width: Int(image.pointee.width), height: Int(image.pointee.height))
  let channels = Int(image.pointee.colors)
  guard image.pointee.bits == 8, channels == 1 || channels == 3, size.pixels > 0,
    Int(image.pointee.data_size) >= size.pixels * channels
  else { throw ImagingError(.unsupported, file.name, reason: "a sensor of \(channels) colours") }
  let offset = MemoryLayout<libraw_processed_image_t>.offset(of: \.data) ?? 0
  let base = UnsafeRawPointer(image).advanced(by: offset).assumingMemoryBound(to: UInt8.self)
  let pixels = PixelBuffer(width: size.width, height: size.height, channels: 3) { out in
    if channels == 3 { return out.update(from: base, count: size.pixels * 3) }
    for index in 0..<size.pixels * 3 { out[index] = base[index / 3] }
  }
  return DecodedPicture(pixels: pixels)
}

private func check(_ code: Int32, _ file: MediaFile) throws(ImagingError) {
  guard code != LIBRAW_SUCCESS.rawValue else { return }
  // Positive codes are errno's.
  let reason = code > 0 ? String(cString: strerror(code)) : String(cString: libraw_strerror(code))
  switch code {
  case LIBRAW_CANCELLED_BY_CALLBACK.rawValue: throw ImagingError(.tookTooLong, file.name, reason: reason)
  case LIBRAW_FILE_UNSUPPORTED.rawValue, LIBRAW_UNSUPPORTED_THUMBNAIL.rawValue:
    throw ImagingError(.unsupported, file.name, reason: reason)
  case LIBRAW_UNSUFFICIENT_MEMORY.rawValue, LIBRAW_TOO_BIG.rawValue:
    throw ImagingError(.tooLarge, file.name, reason: reason)
  default: throw ImagingError(.damaged, file.name, reason: reason)
  }
}

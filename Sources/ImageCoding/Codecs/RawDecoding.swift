import CRaw
import Foundation
import MediaMetadata

/// Decodes a camera's raw file with LibRaw. If the preview that the camera stored is large enough
/// for the request, it is decoded; else the sensor's data is developed.
///
/// - Grid and screen pictures use any preview from 1024 pixels on, since an import makes them by
///   the thousand.
/// - All other requests use a preview only if it has the requested size. The sensor's data is
///   developed at half its size, in a quarter of the time, if that suffices. The same is done if
///   the full size needs too much memory.
func decodeRaw(_ file: MediaFile, _ request: DecodingRequest) throws(ImagingError) -> DecodedPicture {
  try withRaw(file, request: request) { raw, hasXTransPattern throws(ImagingError) in
    try decode(raw, named: file, hasXTransPattern: hasXTransPattern, request)
  }
}

/// Decodes a raw file's preview, whatever its size; returns `nil` if there is none.
func decodeRawPreview(_ file: MediaFile, _ request: DecodingRequest) throws(ImagingError) -> DecodedPicture? {
  try withRaw(file, request: request) { raw, _ throws(ImagingError) in
    guard let preview = try? RawPreview(raw, file) else { return nil }
    return try preview.decode(named: file, request)
  }
}

typealias RawFile = UnsafeMutablePointer<libraw_data_t>

private func withRaw<Answer>(
  _ file: MediaFile, request: DecodingRequest,
  _ body: (RawFile, _ hasXTransPattern: Bool) throws(ImagingError) -> Answer
) throws(ImagingError) -> Answer {
  guard file.byteCount <= wholeFileByteLimit else {
    throw ImagingError(.tooLarge, file.name, reason: "a raw file of \(file.byteCount) bytes")
  }
  guard let raw = libraw_init(0) else { throw ImagingError(.tooLarge, file.name, reason: "no memory for LibRaw") }
  // LibRaw keeps both pointers until it is closed.
  var bytes = try file.read(file.byteCount, at: 0)
  var deadline = request.deadline
  return try bytes.withUnsafeMutableBytes { bytes in
    withUnsafeMutablePointer(to: &deadline) { deadline in
      defer { libraw_close(raw) }
      let hasXTransPattern = hideXTransPatterns(in: bytes)
      return Result { () throws(ImagingError) in
        libraw_set_progress_handler(
          raw,
          { deadline, _, _, _ in
            guard let deadline else { return 0 }
            return ContinuousClock.now < deadline.load(as: ContinuousClock.Instant.self) ? 0 : 1
          }, deadline)
        try checkRaw(libraw_open_buffer(raw, bytes.baseAddress, bytes.count), file)
        return try body(raw, hasXTransPattern)
      }
    }
  }.get()
}

/// The long side of a preview that suffices for the grid and the screen. A smaller preview is used
/// there only if nothing better can be made.
private let sufficientPreviewSide = 1024
/// Cameras crop some pixels off the sensor's picture. A preview that is smaller by at most a
/// fiftieth shows all of it.
private let cutOffFraction = 50

private func decode(_ raw: RawFile, named file: MediaFile, hasXTransPattern: Bool, _ request: DecodingRequest)
  throws(ImagingError) -> DecodedPicture
{
  let sensor = PixelSize(width: Int(raw.pointee.sizes.width), height: Int(raw.pointee.sizes.height))
  let wanted = request.size(of: sensor).longSide
  let sufficientSide = request.isForRenditions ? min(wanted, sufficientPreviewSide) : wanted - wanted / cutOffFraction
  // Develops half the size also if the full size takes too much memory.
  let isHalf = wanted * 2 <= sensor.longSide || isTooLarge(raw, request)
  let attainableSide = isHalf ? sensor.longSide / 2 : sensor.longSide

  var notes: [String] = []
  var preview: RawPreview?
  do throws(ImagingError) {
    let found = try RawPreview(raw, file)
    preview = found
    if found.size.longSide >= min(sufficientSide, attainableSide) {
      let picture = try found.decode(named: file, request.of(found.size, insteadOf: sensor))
      if picture.notes.isEmpty { return picture }
    }
  } catch {
    notes.append("the preview: \(error.reason)")
  }
  do throws(ImagingError) {
    guard !hasXTransPattern else {
      throw ImagingError(.unsupported, file.name, reason: "a sensor whose colors repeat every six pixels")
    }
    var picture = try develop(raw, isHalf: isHalf, named: file, request)
    picture.notes += notes
    return picture
  } catch {
    guard let preview, var picture = try? preview.decode(named: file, request.of(preview.size, insteadOf: sensor))
    else { throw error }
    picture.notes.append("only its preview can be shown: \(error.reason)")
    return picture
  }
}

/// Hides color patterns of 6 × 6 from LibRaw: shortens their entries in TIFF directories, so that
/// they are no patterns. Returns whether there was any.
///
/// LibRaw (Debian's 0.20) reads such a pattern without end, past its buffer
/// (`LibRaw::parse_tiff_ifd`, tags 33422 and 64777 with a count of 36). It reads directories in
/// more places than this code can follow, so entries are recognized by their bytes alone.
func hideXTransPatterns(in bytes: UnsafeMutableRawBufferPointer) -> Bool {
  guard let start = bytes.baseAddress else { return false }
  // An entry begins with its tag (two bytes), its type (two) and its count (four, one of them not
  // 0).
  func isEntry(tag first: Int, _ second: Int, zeros: Range<Int>) -> Bool {
    guard min(first, second) >= 0, zeros.upperBound <= bytes.count, bytes[zeros].allSatisfy({ $0 == 0 }) else {
      return false
    }
    let tag = (bytes[first], bytes[second])
    return tag == (0x82, 0x8E) || tag == (0xFD, 0x09)
  }
  var isFound = false
  var next = 0
  while let hit = memchr(start + next, 36, bytes.count - next) {
    let place = hit - start
    next = place + 1
    // Big endian, or little endian.
    guard
      isEntry(tag: place - 7, place - 6, zeros: place - 3..<place)
        || isEntry(tag: place - 3, place - 4, zeros: place + 1..<place + 4)
    else { continue }
    bytes[place] = 35
    isFound = true
  }
  return isFound
}

extension RawFile {
  fileprivate var sensorSize: PixelSize {
    PixelSize(width: Int(pointee.sizes.raw_width), height: Int(pointee.sizes.raw_height))
  }
}

/// Whether developing in full needs too much memory: 16 bytes a sensor pixel, at half the size 6.
private func isTooLarge(_ raw: RawFile, _ request: DecodingRequest) -> Bool {
  raw.sensorSize.pixels > request.limits.pixels / 2
}

/// PPG: nearly as sharp as the slower methods; 60 megapixels take 3 s.
private let interpolation: Int32 = 2

private func develop(_ raw: RawFile, isHalf: Bool, named file: MediaFile, _ request: DecodingRequest)
  throws(ImagingError) -> DecodedPicture
{
  try request.check(raw.sensorSize, file)
  raw.pointee.params.use_camera_wb = 1
  raw.pointee.params.half_size = isHalf ? 1 : 0
  raw.pointee.params.user_qual = interpolation
  raw.pointee.params.output_bps = 8
  // A file may lack the data of a part of its sensor. LibRaw does not clear that part, which would
  // show what was in this process's memory, for example of another photo.
  calotype_zero_allocations(1)
  defer { calotype_zero_allocations(0) }
  try checkRaw(libraw_unpack(raw), file)
  try checkRaw(libraw_dcraw_process(raw), file)
  var failure: Int32 = 0
  guard let image = libraw_dcraw_make_mem_image(raw, &failure) else {
    throw ImagingError(.damaged, file.name, reason: String(cString: libraw_strerror(failure)))
  }
  defer { libraw_dcraw_clear_mem(image) }
  let size = PixelSize(width: Int(image.pointee.width), height: Int(image.pointee.height))
  let channels = Int(image.pointee.colors)
  guard image.pointee.bits == 8, channels == 1 || channels == 3, size.pixels > 0,
    Int(image.pointee.data_size) >= size.pixels * channels
  else { throw ImagingError(.unsupported, file.name, reason: "a sensor of \(channels) colors") }
  let offset = MemoryLayout<libraw_processed_image_t>.offset(of: \.data) ?? 0
  let base = UnsafeRawPointer(image).advanced(by: offset).assumingMemoryBound(to: UInt8.self)
  let pixels = PixelBuffer(width: size.width, height: size.height, channels: 3) { out in
    if channels == 3 { return out.update(from: base, count: size.pixels * 3) }
    for index in 0..<size.pixels * 3 { out[index] = base[index / 3] }
  }
  return DecodedPicture(pixels: pixels)
}

func checkRaw(_ code: Int32, _ file: MediaFile) throws(ImagingError) {
  guard code != LIBRAW_SUCCESS.rawValue else { return }
  // Positive codes are those of errno.
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

import CVips
import Foundation
import MediaMetadata

/// Decodes all other formats (PNG, GIF, WebP, TIFF, JPEG XL, JPEG 2000) with libvips: the first
/// frame or page, in sRGB unless the request keeps the file's colors.
func decodeWithVips(_ file: MediaFile, orientation: Int, _ request: DecodingRequest)
  throws(ImagingError) -> DecodedPicture
{
  if let failure = VipsLibrary.failure { throw ImagingError(.cannotRead, file.name, reason: failure) }
  let profile = try checkHeader(of: file, request)
  let warnings = VipsLibrary.warningCount
  do throws(ImagingError) {
    var picture = try decode(file, failingOn: VIPS_FAIL_ON_ERROR, profile: profile, request)
    picture.orientation = orientation
    if VipsLibrary.warningCount != warnings, let warning = warning(about: file) {
      picture.notes.append(warning)
      picture.damage = warning
    }
    return picture
  } catch {
    // The readable part of a damaged picture is better than none.
    guard error.code == .damaged else { throw error }
    var picture = try decode(file, failingOn: VIPS_FAIL_ON_NONE, profile: profile, request)
    picture.orientation = orientation
    picture.notes.append(error.reason)
    picture.damage = error.reason
    return picture
  }
}

/// Returns what is wrong with a file, or nil. While libvips shrinks a picture it fills in what it
/// can't read and only logs a warning, for all threads alike. This decodes the file again on its
/// own to find out whether the warning was about it.
private func warning(about file: MediaFile) -> String? {
  _ = VipsLibrary.takeError("")
  guard let source = VipsFileSource(file), let image = calotype_vips_open(vips, source.source) else { return nil }
  defer { vips.pointee.object_unref(image) }
  var average = 0.0
  return calotype_vips_average(vips, image, &average) == 0 ? nil : VipsLibrary.takeError("decode")
}

/// The treatment of a picture's color profile.
private enum ProfileUse {
  /// There is no profile, or it is sRGB's.
  case none
  case convertToSRGB
  /// The pixels keep this profile.
  case keep([UInt8])
}

/// Returns how to treat the picture's color profile; throws if the picture is too large.
private func checkHeader(of file: MediaFile, _ request: DecodingRequest) throws(ImagingError) -> ProfileUse {
  guard let source = VipsFileSource(file), let image = calotype_vips_open(vips, source.source) else {
    let reason = VipsLibrary.takeError("open")
    throw ImagingError(
      reason.contains("not in a known format") ? .unsupported : .damaged, file.name, reason: reason)
  }
  defer { vips.pointee.object_unref(image) }
  let loader = loaderName(of: image)
  // These decoders hold the whole frame, some of them in 32-bit numbers.
  let cost = loader.hasPrefix("jxl") || loader.hasPrefix("jp2k") ? 2 : 1
  try request.check(pixelSize(of: image), costing: cost, file)
  guard vips.pointee.image_get_typeof(image, VIPS_META_ICC_NAME) != 0 else { return .none }
  guard vips.pointee.image_get_bands(image) >= 3, let bytes = profile(of: image) else { return .convertToSRGB }
  // The conversion rounds deeper pixels to 8 bits, and interprets floating-point numbers as light.
  // The shortcut is therefore for 8-bit sRGB only.
  if vips.pointee.image_get_interpretation(image) == VIPS_INTERPRETATION_sRGB,
    vips.pointee.image_get_format(image) == VIPS_FORMAT_UCHAR, ColorProfile(bytes)?.isSRGB == true
  {
    return .none
  }
  guard request.keepsColors, let own = ColorDescription.profile(bytes).ownProfile else { return .convertToSRGB }
  return .keep(own)
}

private func pixelSize(of image: UnsafeMutablePointer<VipsImage>) -> PixelSize {
  PixelSize(width: Int(vips.pointee.image_get_width(image)), height: Int(vips.pointee.image_get_height(image)))
}

private func profile(of image: UnsafeMutablePointer<VipsImage>) -> [UInt8]? {
  var bytes: UnsafeRawPointer?
  var count = 0
  guard vips.pointee.image_get_blob(image, VIPS_META_ICC_NAME, &bytes, &count) == 0, let bytes else { return nil }
  return [UInt8](UnsafeRawBufferPointer(start: bytes, count: count))
}

private func loaderName(of image: UnsafeMutablePointer<VipsImage>) -> String {
  var name: UnsafePointer<CChar>?
  guard vips.pointee.image_get_string(image, VIPS_META_LOADER, &name) == 0, let name else { return "" }
  return String(cString: name)
}

private func decode(
  _ file: MediaFile, failingOn failOn: VipsFailOn, profile: ProfileUse, _ request: DecodingRequest
) throws(ImagingError) -> DecodedPicture {
  guard let source = VipsFileSource(file) else { throw ImagingError(.tooLarge, file.name, reason: "no memory") }
  var image: UnsafeMutablePointer<VipsImage>?
  defer { image.map { vips.pointee.object_unref($0) } }
  let side = request.largest == .full ? VIPS_MAX_COORD : Int32(RenditionKind.screenLongSide)
  var colors = ColorDescription.sRGB
  var thumbnail = calotype_vips_thumbnail
  switch profile {
  case .none: break
  case .convertToSRGB: thumbnail = calotype_vips_thumbnail_srgb
  case .keep(let bytes): colors = .profile(bytes)
  }
  guard thumbnail(vips, source.source, &image, side, failOn) == 0, image != nil else {
    throw ImagingError(.damaged, file.name, reason: VipsLibrary.takeError("thumbnail"))
  }
  try apply(calotype_vips_to_srgb, to: &image, name: "colourspace", file)
  try apply(calotype_vips_to_8_bit, to: &image, name: "cast", file)
  guard let image else { throw ImagingError(.damaged, file.name, reason: "no picture") }
  return DecodedPicture(pixels: try render(image, of: file, request).droppingOpaqueAlpha(), colors: colors)
}

private func apply(
  _ operation: (
    UnsafePointer<calotype_vips>?, UnsafeMutablePointer<VipsImage>?,
    UnsafeMutablePointer<UnsafeMutablePointer<VipsImage>?>?
  ) -> Int32,
  to image: inout UnsafeMutablePointer<VipsImage>?, name: String, _ file: MediaFile
) throws(ImagingError) {
  var result: UnsafeMutablePointer<VipsImage>?
  guard operation(vips, image, &result) == 0, let result else {
    throw ImagingError(.damaged, file.name, reason: VipsLibrary.takeError(name))
  }
  image.map { vips.pointee.object_unref($0) }
  image = result
}

/// Computes the pixels; until now libvips has only planned them.
private func render(_ image: UnsafeMutablePointer<VipsImage>, of file: MediaFile, _ request: DecodingRequest)
  throws(ImagingError) -> PixelBuffer
{
  let size = pixelSize(of: image)
  let bands = Int(vips.pointee.image_get_bands(image))
  try request.check(size, file)
  var deadline = request.deadline
  var count = 0
  let pixels = withUnsafeMutablePointer(to: &deadline) { deadline in
    stop(image, at: deadline)
    return vips.pointee.image_write_to_memory(image, &count)
  }
  guard let pixels else {
    try request.checkDeadline(file)
    throw ImagingError(.damaged, file.name, reason: VipsLibrary.takeError("decode"))
  }
  defer { g_free(pixels) }
  guard bands > 0, count >= size.pixels * bands else {
    throw ImagingError(.damaged, file.name, reason: "too few pixels")
  }
  let source = UnsafeRawPointer(pixels).assumingMemoryBound(to: UInt8.self)
  // Bands are gray, gray and alpha, RGB, or RGB and alpha. Any others are ignored.
  let channels = bands == 2 || bands >= 4 ? 4 : 3
  return PixelBuffer(width: size.width, height: size.height, channels: channels) { out in
    if bands == channels { return out.update(from: source, count: size.pixels * channels) }
    for pixel in 0..<size.pixels {
      for channel in 0..<channels {
        let band = bands >= 3 ? channel : channel == 3 ? 1 : 0
        out[pixel * channels + channel] = source[pixel * bands + band]
      }
    }
  }
}

private typealias Evaluated =
  @convention(c) (
    UnsafeMutablePointer<VipsImage>?, UnsafeMutablePointer<VipsProgress>?, gpointer?
  ) -> Void

private func stop(
  _ image: UnsafeMutablePointer<VipsImage>, at deadline: UnsafeMutablePointer<ContinuousClock.Instant>
) {
  let evaluated: Evaluated = { image, _, deadline in
    guard let image, let deadline else { return }
    if ContinuousClock.now > deadline.load(as: ContinuousClock.Instant.self) { vips.pointee.image_set_kill(image, 1) }
  }
  vips.pointee.image_set_progress(image, 1)
  _ = vips.pointee.signal_connect_data(
    image, "eval", unsafeBitCast(evaluated, to: GCallback.self), deadline, nil, GConnectFlags(rawValue: 0))
}

import CVips
import Foundation
import MediaMetadata

/// Decodes all other formats (PNG, GIF, WebP, TIFF, JPEG XL, JPEG 2000) with libvips: the first
/// frame or page, in sRGB unless the request keeps the file's colors.
func decodeWithVips(_ file: MediaFile, orientation: Int, _ request: DecodingRequest)
  throws(ImagingError) -> DecodedPicture
{
  if let failure = VipsLibrary.failure { throw ImagingError(.cannotRead, file.name, reason: failure) }
  let plan = try plan(for: file, request)
  let warnings = VipsLibrary.warningCount
  do throws(ImagingError) {
    var picture = try decode(file, failingOn: VIPS_FAIL_ON_ERROR, plan, request)
    picture.orientation = orientation
    if let note = plan.note { picture.notes.append(note) }
    if VipsLibrary.warningCount != warnings, let warning = warning(about: file, plan, request) {
      picture.notes.append(warning)
      picture.damage = warning
    }
    return picture
  } catch {
    // The readable part of a damaged picture is better than none.
    guard error.code == .damaged else { throw error }
    var picture = try decode(file, failingOn: VIPS_FAIL_ON_NONE, plan, request)
    picture.orientation = orientation
    if let note = plan.note { picture.notes.append(note) }
    picture.notes.append(error.reason)
    picture.damage = error.reason
    return picture
  }
}

/// Returns what is wrong with a file, or nil. While libvips shrinks a picture it fills in what it
/// can't read and only logs a warning, for all threads alike. This decodes the file again on its
/// own to find out whether the warning was about it.
private func warning(about file: MediaFile, _ plan: Plan, _ request: DecodingRequest) -> String? {
  _ = VipsLibrary.takeError("")
  guard let source = plan.source(file),
    let image = calotype_vips_open(vips, source.source, plan.options, VIPS_FAIL_ON_ERROR)
  else { return nil }
  defer { vips.pointee.object_unref(image) }
  var average = 0.0
  var deadline = request.deadline
  let status = withUnsafeMutablePointer(to: &deadline) { deadline in
    stop(image, at: deadline)
    return calotype_vips_average(vips, image, &average)
  }
  guard status != 0, ContinuousClock.now < deadline else { return nil }
  return VipsLibrary.takeError("decode")
}

/// The treatment of a picture's color profile.
private enum ProfileUse {
  /// There is no profile, or it is sRGB's.
  case none
  case convertToSRGB
  /// Four inks are converted to sRGB by their profile, with this intent. If the intent is nil, no
  /// profile applies, and they are converted as in browsers.
  case convertInks(VipsIntent?)
  /// The pixels keep these colors.
  case keep(ColorDescription)
}

/// The way in which libvips decodes a file.
private struct Plan {
  var profile = ProfileUse.none
  /// The reason that the profile does not fit, if it does not.
  var note: String?
  /// The options of the loader.
  var options = ""
  var replaced: [Int: UInt8] = [:]
  var samples: DeepSamples?
  /// The facts of a TIFF; nil for other formats.
  var tiff: TIFFStructure?
  /// Whether black is 16 and white 235.
  var hasLimitedRange = false
  /// The conversion of pixels that libvips leaves in YCbCr.
  var matrix: YCbCrMatrix?
  /// Whether `thumbnail` would show a smaller copy if it opened the file itself: a smaller page of
  /// a TIFF, or the smallest level of a JPEG 2000, even for the full size.
  var hasSmallerCopies = false

  func source(_ file: MediaFile) -> VipsFileSource? { VipsFileSource(file, replacing: replaced) }

  /// Opens the picture. It has no bands besides its color and opacity.
  func open(_ source: VipsFileSource, failingOn failOn: VipsFailOn) -> UnsafeMutablePointer<VipsImage>? {
    let image = calotype_vips_open(vips, source.source, options, failOn)
    guard let image, let tiff else { return image }
    let colorCount = Int(vips.pointee.image_get_bands(image)) - tiff.extraCount
    // libvips may have decoded the pixels to RGB and opacity, without the further samples.
    if tiff.extraCount > 0, colorCount > 0 {
      let opacity = tiff.opacity.map { colorCount + $0 }
      return converted(image) { calotype_vips_keep_bands($0, $1, $2, Int32(colorCount), Int32(opacity ?? -1)) }
        .flatMap(withKnownColors)
    }
    return withKnownColors(image)
  }

  /// Converts L\*a\*b\* to sRGB.
  private func withKnownColors(_ image: UnsafeMutablePointer<VipsImage>) -> UnsafeMutablePointer<VipsImage>? {
    guard let tiff, tiff.isLab else { return image }
    let hasICCForm =
      tiff.isICCLab && [VIPS_FORMAT_UCHAR, VIPS_FORMAT_USHORT].contains(vips.pointee.image_get_format(image))
    guard let lab = hasICCForm ? converted(image, calotype_vips_icc_lab) : image else { return nil }
    let forms = [VIPS_INTERPRETATION_LAB, VIPS_INTERPRETATION_LABS, VIPS_INTERPRETATION_LABQ]
    guard forms.contains(vips.pointee.image_get_interpretation(lab)) else { return lab }
    return converted(lab) { calotype_vips_lab_to_srgb($0, $1, $2, tiff.hasDaylight ? 1 : 0) }
  }
}

private typealias VipsOperation = (
  UnsafePointer<calotype_vips>?, UnsafeMutablePointer<VipsImage>?,
  UnsafeMutablePointer<UnsafeMutablePointer<VipsImage>?>?
) -> Int32

/// Returns the result of an operation, and releases its input; nil if the operation fails.
private func converted(_ image: UnsafeMutablePointer<VipsImage>, _ operation: VipsOperation)
  -> UnsafeMutablePointer<VipsImage>?
{
  defer { vips.pointee.object_unref(image) }
  var result: UnsafeMutablePointer<VipsImage>?
  return operation(vips, image, &result) == 0 ? result : nil
}

/// Returns how to decode a file; throws if the picture is too large.
private func plan(for file: MediaFile, _ request: DecodingRequest) throws(ImagingError) -> Plan {
  var plan = Plan()
  let tiff = TIFFStructure(file)
  if let tiff {
    plan.tiff = tiff
    plan.replaced = tiff.replaced
    plan.options = tiff.options
  }
  let sYCC = tiff == nil ? jpeg2000Matrix(file) : nil
  // Newer versions of libvips convert sYCC themselves. Under the name of sRGB, it stays as it is.
  if let sYCC { plan.replaced[sYCC.place] = 16 }
  guard let source = plan.source(file), let image = plan.open(source, failingOn: VIPS_FAIL_ON_ERROR) else {
    let reason = VipsLibrary.takeError("open")
    throw ImagingError(
      reason.contains("not in a known format") ? .unsupported : .damaged, file.name, reason: reason)
  }
  defer { vips.pointee.object_unref(image) }
  let size = pixelSize(of: image)
  let loader = loaderName(of: image)
  plan.hasSmallerCopies = tiff != nil || loader.hasPrefix("jp2k")
  if loader.hasPrefix("tiff") { plan.samples = tiff.flatMap { deepSamples(of: image, $0) } }
  if plan.samples != nil {
    // The whole picture is held in 16 bits, and then in 8.
    let channels = Int(vips.pointee.image_get_bands(image)) + 3
    try request.check(size, costing: 3 * max(1, channels / 4), file)
  } else if try decodesRowByRow(loader, tiff, file) {
    try request.checkRowByRow(size, file)
  } else {
    // These decoders hold the whole frame, some of them in 32-bit numbers.
    try request.check(size, costing: loader.hasPrefix("jxl") || loader.hasPrefix("jp2k") ? 2 : 1, file)
  }
  let declared = loader.hasPrefix("png") ? PNGColors(file) : nil
  plan.hasLimitedRange = declared?.hasLimitedRange ?? false
  let hasColors = vips.pointee.image_get_bands(image) >= 3
  if hasColors { plan.matrix = loader.hasPrefix("jp2k") ? sYCC?.matrix : tiff?.matrix }
  // Profiles do not apply to L*a*b*.
  if tiff?.isLab == true { return plan }
  let isLight = plan.tiff != nil && vips.pointee.image_get_interpretation(image) == VIPS_INTERPRETATION_scRGB
  if isLight || plan.samples?.isLight == true {
    (plan.profile, plan.note) = profileUse(ofLight: image)
  } else {
    var own = loader.hasPrefix("jp2k") ? jpeg2000Colors(file) : declared?.description
    // The profile applies to RGB, after the conversion from YCbCr.
    if plan.matrix != nil { own = own ?? profile(of: image).map(ColorDescription.profile) }
    (plan.profile, plan.note) = profileUse(of: image, declared: own, request)
  }
  return plan
}

/// Returns whether libvips holds a few rows only, and not the whole picture.
private func decodesRowByRow(_ loader: String, _ tiff: TIFFStructure?, _ file: MediaFile) throws(ImagingError) -> Bool {
  /// The position of a PNG's order of rows. An interlaced picture is complete at its end only.
  let interlacing = 28
  let largestPiece = 128 << 20
  if loader.hasPrefix("png") { return try file.read(1, at: interlacing) == [0] }
  return loader.hasPrefix("tiff") && tiff.map { $0.pieceByteCount <= largestPiece } ?? false
}

/// Returns nil if libvips scales the samples to 8 bits.
private func deepSamples(of image: UnsafeMutablePointer<VipsImage>, _ tiff: TIFFStructure) -> DeepSamples? {
  // The samples of L*a*b* have ranges of their own. libvips scales light of three channels, but it
  // would not scale the opacity of light, which is from 0 to 1.
  let interpretation = vips.pointee.image_get_interpretation(image)
  if interpretation == VIPS_INTERPRETATION_scRGB, vips.pointee.image_get_bands(image) > 3,
    vips.pointee.image_get_format(image) == VIPS_FORMAT_FLOAT
  {
    return .light
  }
  let codes = [
    VIPS_INTERPRETATION_B_W, VIPS_INTERPRETATION_GREY16, VIPS_INTERPRETATION_sRGB, VIPS_INTERPRETATION_RGB16,
    VIPS_INTERPRETATION_RGB, VIPS_INTERPRETATION_MULTIBAND,
  ]
  guard codes.contains(interpretation) else { return nil }
  if tiff.hasHalfFloats { return .halfLight }
  switch vips.pointee.image_get_format(image) {
  // libvips does not invert signed numbers if 0 is white.
  case VIPS_FORMAT_CHAR: return DeepSamples(largest: 127, isInverted: tiff.isWhiteZero)
  case VIPS_FORMAT_SHORT: return DeepSamples(largest: 32_767, isInverted: tiff.isWhiteZero)
  case VIPS_FORMAT_UINT: return DeepSamples(largest: 4_294_967_295)
  case VIPS_FORMAT_INT: return DeepSamples(largest: 2_147_483_647, isInverted: tiff.isWhiteZero)
  case VIPS_FORMAT_FLOAT: return tiff.isWhiteZero ? .invertedLight : .light
  default: return nil
  }
}

private func profileUse(
  of image: UnsafeMutablePointer<VipsImage>, declared: ColorDescription?, _ request: DecodingRequest
) -> (ProfileUse, note: String?) {
  if let declared { return (.keep(declared), nil) }
  let interpretation = vips.pointee.image_get_interpretation(image)
  if interpretation == VIPS_INTERPRETATION_CMYK, vips.pointee.image_get_bands(image) >= 4 {
    return profileUse(ofInks: image)
  }
  guard vips.pointee.image_get_typeof(image, VIPS_META_ICC_NAME) != 0 else { return (.none, nil) }
  guard let bytes = profile(of: image) else { return (.convertToSRGB, nil) }
  // The conversion of a pixel buffer ignores a damaged profile and reports it. It also knows high
  // dynamic range, which libvips doesn't.
  guard let parsed = ColorProfile(bytes), !parsed.isToneMapped else { return (.keep(.profile(bytes)), nil) }
  guard vips.pointee.image_get_bands(image) >= 3 else {
    guard parsed.isOfGray else { return (.none, "its color profile is not of gray") }
    return (parsed.hasRelativeIntent ? .convertToSRGB : .keep(.profile(bytes)), nil)
  }
  // With a profile of gray, libvips would read RGB as gray and opacity. It would ignore a profile
  // whose only table is for another intent.
  let isRGB = interpretation == VIPS_INTERPRETATION_sRGB || interpretation == VIPS_INTERPRETATION_RGB16
  if isRGB, !parsed.isOfRGB || !parsed.hasRelativeIntent { return (.keep(.profile(bytes)), nil) }
  // The conversion rounds deeper pixels to 8 bits, and interprets floating-point numbers as light.
  // The shortcut is therefore for 8-bit sRGB only.
  if interpretation == VIPS_INTERPRETATION_sRGB, vips.pointee.image_get_format(image) == VIPS_FORMAT_UCHAR,
    parsed.isSRGB
  {
    return (.none, nil)
  }
  guard request.keepsColors, let own = ColorDescription.profile(bytes).ownProfile else { return (.convertToSRGB, nil) }
  return (.keep(.profile(own)), nil)
}

/// Returns the use of a profile for inks. Inks without a profile that fits are shown as in a JPEG.
private func profileUse(ofInks image: UnsafeMutablePointer<VipsImage>) -> (ProfileUse, note: String?) {
  guard let bytes = profile(of: image) else { return (.convertInks(nil), nil) }
  guard let profile = ColorProfile(bytes) else { return (.convertInks(nil), "its color profile is damaged") }
  guard profile.isOfInks else { return (.convertInks(nil), "its color profile is not of four inks") }
  return (.convertInks(profile.hasRelativeIntent ? VIPS_INTENT_RELATIVE : VIPS_INTENT_PERCEPTUAL), nil)
}

/// Returns the use of a profile for light. Only the primaries count, since the curve would be
/// applied to light a second time.
private func profileUse(ofLight image: UnsafeMutablePointer<VipsImage>) -> (ProfileUse, note: String?) {
  // Gray light has no primaries.
  guard vips.pointee.image_get_bands(image) >= 3, let bytes = profile(of: image) else { return (.none, nil) }
  guard let profile = ColorProfile(bytes) else { return (.none, "its color profile is damaged") }
  guard let changed = profile.bytesWithCurvesOfSRGB() else {
    return (.none, "its color profile has no matrix, which floating-point colors need")
  }
  return (.keep(.profile(changed)), nil)
}

/// Returns the colors of the profile in a JPEG 2000's `colr` box. libvips does not report it.
private func jpeg2000Colors(_ file: MediaFile) -> ColorDescription? {
  let headerByteCount = 3
  // If there are several boxes, the first one counts. With the method 2 or 3, it has a profile.
  guard let content = MediaBytes(file).all.box("jp2h")?.box("colr"), [2, 3].contains(content.u8(0)),
    let profile = content.bytes(headerByteCount, content.count - headerByteCount)
  else { return nil }
  return .profile(profile)
}

/// Returns the conversion of a JPEG 2000 in sYCC (IEC 61966-2-1, Annex G), and the place of the
/// byte that declares it. Returns nil for other colors, and if all versions of libvips convert
/// them: three components whose color has half the size.
private func jpeg2000Matrix(_ file: MediaFile) -> (matrix: YCbCrMatrix, place: Int)? {
  let (enumerated, sYCC) = (1, 18)
  let bytes = MediaBytes(file).all
  guard let content = bytes.box("jp2h")?.box("colr"), content.u8(0) == enumerated, content.u32(3) == sYCC,
    let codestream = bytes.box("jp2c"), let count = codestream.u16(40), let columns = codestream.u8(46),
    let rows = codestream.u8(47), let matrix = YCbCrMatrix(coefficients: 5, isFullRange: true)
  else { return nil }
  return count == 3 && columns > 1 && rows > 1 ? nil : (matrix, content.base + 6)
}

private func pixelSize(of image: UnsafeMutablePointer<VipsImage>) -> PixelSize {
  PixelSize(width: Int(vips.pointee.image_get_width(image)), height: Int(vips.pointee.image_get_height(image)))
}

private func profile(of image: UnsafeMutablePointer<VipsImage>) -> [UInt8]? {
  var bytes: UnsafeRawPointer?
  var count = 0
  // Asking for a missing value would leave an error for the next one to report.
  guard vips.pointee.image_get_typeof(image, VIPS_META_ICC_NAME) != 0,
    vips.pointee.image_get_blob(image, VIPS_META_ICC_NAME, &bytes, &count) == 0, let bytes
  else { return nil }
  return [UInt8](UnsafeRawBufferPointer(start: bytes, count: count))
}

private func loaderName(of image: UnsafeMutablePointer<VipsImage>) -> String {
  var name: UnsafePointer<CChar>?
  guard vips.pointee.image_get_string(image, VIPS_META_LOADER, &name) == 0, let name else { return "" }
  return String(cString: name)
}

private func decode(
  _ file: MediaFile, failingOn failOn: VipsFailOn, _ plan: Plan, _ request: DecodingRequest
) throws(ImagingError) -> DecodedPicture {
  if let samples = plan.samples { return try decode(samples, of: file, failingOn: failOn, plan, request) }
  guard let source = plan.source(file) else { throw ImagingError(.tooLarge, file.name, reason: "no memory") }
  var image: UnsafeMutablePointer<VipsImage>?
  defer { image.map { vips.pointee.object_unref($0) } }
  let side = request.largest == .full ? VIPS_MAX_COORD : Int32(RenditionKind.screenLongSide)
  var colors = ColorDescription.sRGB
  var thumbnail = calotype_vips_thumbnail
  switch plan.profile {
  case .none, .convertInks: break
  case .convertToSRGB: thumbnail = calotype_vips_thumbnail_srgb
  case .keep(let own): colors = own
  }
  var opened = plan.hasSmallerCopies ? plan.open(source, failingOn: failOn) : nil
  defer { opened.map { vips.pointee.object_unref($0) } }
  if opened != nil, case .convertInks(let intent) = plan.profile {
    let operation: VipsOperation =
      intent.map { intent in { calotype_vips_inks_to_srgb($0, $1, $2, intent) } } ?? calotype_vips_plain_inks_to_srgb
    try apply(operation, to: &opened, name: intent == nil ? "multiply" : "icc_transform", file)
  }
  guard !plan.hasSmallerCopies || opened != nil, thumbnail(vips, source.source, opened, &image, side, failOn) == 0,
    image != nil
  else {
    throw ImagingError(.damaged, file.name, reason: VipsLibrary.takeError("thumbnail"))
  }
  try apply(calotype_vips_to_srgb, to: &image, name: "colourspace", file)
  try apply(calotype_vips_to_8_bit, to: &image, name: "cast", file)
  guard let image else { throw ImagingError(.damaged, file.name, reason: "no picture") }
  var pixels = try render(image, of: file, request).droppingOpaqueAlpha()
  if plan.hasLimitedRange { pixels.stretchLimitedRange() }
  plan.matrix?.convert(&pixels)
  return DecodedPicture(pixels: pixels, colors: colors)
}

private func apply(
  _ operation: VipsOperation, to image: inout UnsafeMutablePointer<VipsImage>?, name: String, _ file: MediaFile
) throws(ImagingError) {
  var result: UnsafeMutablePointer<VipsImage>?
  guard operation(vips, image, &result) == 0, let result else {
    throw ImagingError(.damaged, file.name, reason: VipsLibrary.takeError(name))
  }
  image.map { vips.pointee.object_unref($0) }
  image = result
}

/// Decodes samples that libvips would not scale to 8 bits.
private func decode(
  _ samples: DeepSamples, of file: MediaFile, failingOn failOn: VipsFailOn, _ plan: Plan, _ request: DecodingRequest
) throws(ImagingError) -> DecodedPicture {
  guard let source = plan.source(file) else { throw ImagingError(.tooLarge, file.name, reason: "no memory") }
  var image = plan.open(source, failingOn: failOn)
  defer { image.map { vips.pointee.object_unref($0) } }
  guard image != nil else { throw ImagingError(.damaged, file.name, reason: VipsLibrary.takeError("open")) }
  try apply({ calotype_vips_to_16_bit($0, $1, $2, samples.factor) }, to: &image, name: "linear", file)
  guard let image else { throw ImagingError(.damaged, file.name, reason: "no picture") }
  var pixels = try withPixels(of: image, file, request) { (source: UnsafePointer<UInt16>, size, bands) in
    if plan.tiff?.isPremultiplied == true, bands == 2 || bands == 4 {
      return PixelBuffer(width: size.width, height: size.height, channels: 4) { out in
        for pixel in 0..<size.pixels { samples.write(source + pixel * bands, bands: bands, to: out + pixel * 4) }
      }
    }
    return samples.codes.withUnsafeBufferPointer { codes in
      samples.alphaCodes.withUnsafeBufferPointer { alphaCodes in
        pixelBuffer(source, size, bands: bands) { value, isAlpha in isAlpha ? alphaCodes[Int(value)] : codes[Int(value)]
        }
      }
    }
  }
  plan.matrix?.convert(&pixels)
  var colors = ColorDescription.sRGB
  switch plan.profile {
  case .none: break
  case .keep(let own) where samples.isLight: colors = own
  default:
    if let profile = profile(of: image), !samples.isLight { colors = .profile(profile) }
  }
  return DecodedPicture(
    pixels: pixels.droppingOpaqueAlpha().resized(to: request.size(of: pixels.size)), colors: colors)
}

private func render(_ image: UnsafeMutablePointer<VipsImage>, of file: MediaFile, _ request: DecodingRequest)
  throws(ImagingError) -> PixelBuffer
{
  try withPixels(of: image, file, request) { (source: UnsafePointer<UInt8>, size, bands) in
    guard bands == 3 || bands == 4 else { return pixelBuffer(source, size, bands: bands) { value, _ in value } }
    return PixelBuffer(width: size.width, height: size.height, channels: bands) { out in
      out.update(from: source, count: size.pixels * bands)
    }
  }
}

/// Computes the pixels; until now libvips has only planned them. `body` receives a sample for each
/// band of each pixel.
private func withPixels<Sample>(
  of image: UnsafeMutablePointer<VipsImage>, _ file: MediaFile, _ request: DecodingRequest,
  _ body: (UnsafePointer<Sample>, PixelSize, _ bands: Int) -> PixelBuffer
) throws(ImagingError) -> PixelBuffer {
  let size = pixelSize(of: image)
  let bands = Int(vips.pointee.image_get_bands(image))
  try request.check(size, file)
  var deadline = request.deadline
  var byteCount = 0
  let pixels = withUnsafeMutablePointer(to: &deadline) { deadline in
    stop(image, at: deadline)
    return vips.pointee.image_write_to_memory(image, &byteCount)
  }
  guard let pixels else {
    try request.checkDeadline(file)
    throw ImagingError(.damaged, file.name, reason: VipsLibrary.takeError("decode"))
  }
  defer { g_free(pixels) }
  guard bands > 0, byteCount >= size.pixels * bands * MemoryLayout<Sample>.size else {
    throw ImagingError(.damaged, file.name, reason: "too few pixels")
  }
  return body(UnsafeRawPointer(pixels).assumingMemoryBound(to: Sample.self), size, bands)
}

/// Returns a picture of samples that are gray, gray and alpha, RGB, or RGB and alpha. Any further
/// bands are ignored.
private func pixelBuffer<Sample>(
  _ source: UnsafePointer<Sample>, _ size: PixelSize, bands: Int, code: (Sample, _ isAlpha: Bool) -> UInt8
) -> PixelBuffer {
  let channels = bands == 2 || bands >= 4 ? 4 : 3
  return PixelBuffer(width: size.width, height: size.height, channels: channels) { out in
    for pixel in 0..<size.pixels {
      for channel in 0..<channels {
        let band = bands >= 3 ? channel : channel == 3 ? 1 : 0
        out[pixel * channels + channel] = code(source[pixel * bands + band], channel == 3)
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

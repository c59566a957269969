import CHeif
import MediaMetadata

/// Decodes a HEIC, HEIF or AVIF file's primary picture with libheif, which also turns and mirrors
/// it.
func decodeHEIF(_ file: MediaFile, _ request: DecodingRequest) throws(ImagingError) -> DecodedPicture {
  guard let picture = try decodeHEIF(file, request, of: .primary) else {
    throw ImagingError(.damaged, file.name, reason: "no primary picture")
  }
  return picture
}

enum HEIFPicture {
  /// The primary picture. For the library's renditions, a thumbnail that is large enough replaces
  /// it.
  case primary
  case thumbnail
}

/// Returns `nil` if a thumbnail is requested and the file has none.
func decodeHEIF(_ file: MediaFile, _ request: DecodingRequest, of kind: HEIFPicture)
  throws(ImagingError) -> DecodedPicture?
{
  let source = MediaBytes(file)
  // libheif refuses a file with a movie behind its picture.
  let byteCount = source.all.pictureByteCount
  if let failure = source.failure { throw failure }
  guard byteCount <= wholeFileByteLimit else {
    throw ImagingError(.tooLarge, file.name, reason: "a HEIF file of \(byteCount) bytes")
  }
  var bytes = try file.read(byteCount, at: 0)
  HEIFRepair.hideSharedReferences(in: &bytes)
  if let still = HEIFSequence.still(of: MediaBytes(bytes).all) { bytes = still }
  // Versions of libheif convert limited RGB in different ways. They copy full RGB.
  let limitedRGB = HEIFItems(of: MediaBytes(bytes).all)?.limitedRGBPlace
  if let limitedRGB { bytes[limitedRGB] |= 0x80 }
  let whole = bytes
  let result = whole.withUnsafeBytes { bytes in
    Result { () throws(ImagingError) in
      try decodeHEIF(bytes, of: whole, named: file, request, kind: kind, hasLimitedRGB: limitedRGB != nil)
    }
  }
  return try result.get()
}

private func decodeHEIF(
  _ bytes: UnsafeRawBufferPointer, of whole: [UInt8], named file: MediaFile, _ request: DecodingRequest,
  kind: HEIFPicture, hasLimitedRGB: Bool
) throws(ImagingError) -> DecodedPicture? {
  let items = HEIFItems(of: MediaBytes(whole).all)
  func check(_ error: heif_error) throws(ImagingError) {
    guard error.code != heif_error_Ok else { return }
    // libheif says of these only that an item is missing.
    if let type = items?.unknownType {
      let version = String(cString: heif_get_version())
      throw ImagingError(
        .unsupported, file.name, reason: "libheif \(version) reads no pictures of the type \(type.text)")
    }
    if let codec = HEIFSequence.unknownCodec(of: MediaBytes(whole).all) {
      throw ImagingError(.unsupported, file.name, reason: "a sequence of pictures in \(codec)")
    }
    throw ImagingError(error, file)
  }

  guard items?.hasLoop != true else {
    throw ImagingError(.damaged, file.name, reason: "one of its pictures contains itself")
  }
  guard let context = heif_context_alloc() else {
    throw ImagingError(.tooLarge, file.name, reason: "no memory for a HEIF decoder")
  }
  defer { heif_context_free(context) }
  // Callers decode several files at once.
  heif_context_set_max_decoding_threads(context, 0)
  heif_context_set_maximum_image_size_limit(context, longestHEIFSide)
  let reading = heif_context_read_from_memory_without_copy(context, bytes.baseAddress, bytes.count, nil)
  // An identity item has no data. libheif before 1.17 reports that as an error, after it has read
  // everything else.
  let hasIdentity = items?.items.contains { $0.type == "iden" } ?? false
  if !hasIdentity || reading.subcode != heif_suberror_No_item_data { try check(reading) }

  var primary: OpaquePointer?
  try check(heif_context_get_primary_image_handle(context, &primary))
  guard let primary else { throw ImagingError(.damaged, file.name, reason: "no primary picture") }
  defer { heif_image_handle_release(primary) }
  var size = size(of: primary)
  // libheif knows no size of an identity item that does not declare its own.
  if size.width == 0, let known = items?.primarySize { size = PixelSize(width: known.0, height: known.1) }
  try request.check(size, file)

  // A thumbnail is trusted to show the picture only for the library's renditions, or if it is
  // requested.
  let thumbnail =
    kind == .thumbnail || request.isForRenditions
    ? thumbnail(of: primary, atLeast: kind == .primary ? request.size(of: size) : nil, whole: size) : nil
  defer { thumbnail.map { heif_image_handle_release($0) } }
  guard let handle = thumbnail ?? (kind == .primary ? primary : nil) else { return nil }
  let colors =
    colors(of: handle) ?? colors(of: primary) ?? items?.colors(in: MediaBytes(whole).all) ?? .sRGB
  if thumbnail == nil, let picture = try decodeSmaller(primary, colors, of: whole, named: file, request) {
    return picture
  }

  guard let options = heif_decoding_options_alloc() else {
    throw ImagingError(.tooLarge, file.name, reason: "no memory for a HEIF decoder")
  }
  defer { heif_decoding_options_free(options) }
  options.pointee.convert_hdr_to_8bit = 1
  let isGray = (thumbnail == nil ? items?.isPrimaryGray : items?.areThumbnailsGray) ?? false
  if isGray, let gray = try decodeGrayHEIF(handle, options, request, file) {
    let isPremultiplied = gray.pixels.channels == 4 && heif_image_handle_is_premultiplied_alpha(handle) != 0
    let size = request.size(of: gray.pixels.size)
    let pixels =
      isPremultiplied
      ? gray.pixels.withView { $0.resized(to: size, isPremultiplied: true) } : gray.pixels.resized(to: size)
    return DecodedPicture(pixels: pixels, colors: colors, notes: gray.notes)
  }
  let hasAlpha = heif_image_handle_has_alpha_channel(handle) != 0
  var image: OpaquePointer?
  try check(
    heif_decode_image(
      handle, &image, heif_colorspace_RGB, hasAlpha ? heif_chroma_interleaved_RGBA : heif_chroma_interleaved_RGB,
      options))
  guard let image else { throw ImagingError(.damaged, file.name, reason: "no primary picture") }
  defer { heif_image_release(image) }

  var rowBytes: Int32 = 0
  guard let base = heif_image_get_plane_readonly(image, heif_channel_interleaved, &rowBytes) else {
    throw ImagingError(.damaged, file.name, reason: "no pixels")
  }
  let view = PixelView(
    base: base, stride: Int(rowBytes), width: Int(heif_image_get_width(image, heif_channel_interleaved)),
    height: Int(heif_image_get_height(image, heif_channel_interleaved)), channels: hasAlpha ? 4 : 3)
  let decoded = PixelSize(width: view.width, height: view.height)
  try request.check(decoded, file)
  let isPremultiplied = hasAlpha && heif_image_handle_is_premultiplied_alpha(handle) != 0
  var pixels = view.resized(to: request.size(of: decoded), isPremultiplied: isPremultiplied)
  if isGray, items?.declaresLimitedRange == true {
    pixels.stretchLimitedRange()
  } else if thumbnail == nil, hasLimitedRGB {
    pixels.stretchLimitedRange()
  }
  return DecodedPicture(pixels: pixels, colors: colors, notes: warnings(of: image))
}

/// Decodes a picture that is shown smaller than it is, without libheif's detour through RGB.
/// Returns nil if only libheif can decode it.
private func decodeSmaller(
  _ primary: OpaquePointer, _ colors: ColorDescription, of whole: [UInt8], named file: MediaFile,
  _ request: DecodingRequest
) throws(ImagingError) -> DecodedPicture? {
  let shown = size(of: primary)
  guard request.size(of: shown) != shown, heif_image_handle_has_alpha_channel(primary) == 0,
    heif_image_handle_get_luma_bits_per_pixel(primary) == 8, let picture = HEVCPicture(whole),
    // If the two parsers disagree about the size, libheif decodes the picture.
    [shown.width, shown.height].sorted() == [picture.size.width, picture.size.height].sorted(),
    let pixels = try decode(picture, named: file, request)
  else {
    // If the time is up already, libheif must not begin again.
    try request.checkDeadline(file)
    return nil
  }
  return DecodedPicture(pixels: pixels, colors: colors, orientation: picture.orientation)
}

/// The limit of a side in pixels, far beyond any camera; HEVC's largest level allows 16888.
private let longestHEIFSide: Int32 = 32_768

private func size(of handle: OpaquePointer) -> PixelSize {
  PixelSize(width: Int(heif_image_handle_get_width(handle)), height: Int(heif_image_handle_get_height(handle)))
}

/// Returns the smallest thumbnail that has at least the wanted size and the picture's shape.
/// Without a wanted size, returns the largest that is small enough.
private func thumbnail(of primary: OpaquePointer, atLeast wanted: PixelSize?, whole: PixelSize) -> OpaquePointer? {
  guard wanted != whole else { return nil }
  var identifiers = [heif_item_id](repeating: 0, count: HEIFItems.thumbnailLimit)
  let count = heif_image_handle_get_list_of_thumbnail_IDs(primary, &identifiers, Int32(identifiers.count))
  let largest = wanted == nil ? thumbnailPixelLimit : whole.pixels
  var best: OpaquePointer?
  for identifier in identifiers.prefix(max(0, Int(count))) {
    var thumbnail: OpaquePointer?
    guard heif_image_handle_get_thumbnail(primary, identifier, &thumbnail).code == heif_error_Ok, let thumbnail else {
      continue
    }
    let found = size(of: thumbnail)
    // The shape may differ by one pixel.
    let isAlike = abs(found.width * whole.height - found.height * whole.width) <= whole.longSide
    let isBetter = best.map { (found.pixels < size(of: $0).pixels) == (wanted != nil) } ?? true
    let isLargeEnough = wanted.map { found.width >= $0.width && found.height >= $0.height && isAlike } ?? true
    if isLargeEnough, found.pixels <= largest, isBetter {
      best.map { heif_image_handle_release($0) }
      best = thumbnail
    } else {
      heif_image_handle_release(thumbnail)
    }
  }
  return best
}

let longestColorProfile = 4 << 20

private func colors(of handle: OpaquePointer) -> ColorDescription? {
  switch heif_image_handle_get_color_profile_type(handle) {
  case heif_color_profile_type_not_present: return nil
  case heif_color_profile_type_nclx:
    var coded: UnsafeMutablePointer<heif_color_profile_nclx>?
    guard heif_image_handle_get_nclx_color_profile(handle, &coded).code == heif_error_Ok, let coded else { return nil }
    defer { heif_nclx_color_profile_free(coded) }
    return .coded(
      primaries: Int(coded.pointee.color_primaries.rawValue),
      transfer: Int(coded.pointee.transfer_characteristics.rawValue))
  default:
    let count = heif_image_handle_get_raw_color_profile_size(handle)
    guard count > 0, count < longestColorProfile else { return nil }
    var profile = [UInt8](repeating: 0, count: count)
    return heif_image_handle_get_raw_color_profile(handle, &profile).code == heif_error_Ok ? .profile(profile) : nil
  }
}

extension HEIFItems {
  /// The type of the primary picture, or of one that it is made of, if libheif 1.15 can't read it.
  fileprivate var unknownType: FourCC? {
    let known: Set<FourCC> = ["hvc1", "av01", "grid", "iden", "iovl"]
    let shown = primary.map { [$0] + references(from: $0, as: "dimg") } ?? []
    return shown.lazy.compactMap(type(of:)).first { !known.contains($0) }
  }
}

func warnings(of image: OpaquePointer) -> [String] {
  var errors = [heif_error](repeating: heif_error(), count: 4)
  let count = heif_image_get_decoding_warnings(image, 0, &errors, Int32(errors.count))
  return errors.prefix(max(0, Int(count))).compactMap { $0.message.map { String(cString: $0) } }
}

extension ImagingError {
  init(_ error: heif_error, _ file: MediaFile) {
    let code: Code =
      switch error.code {
      case heif_error_Unsupported_filetype, heif_error_Unsupported_feature: .unsupported
      case heif_error_Memory_allocation_error: .tooLarge
      case heif_error_Encoding_error, heif_error_Encoder_plugin_error: .cannotEncode
      default: .damaged
      }
    self.init(code, file.name, reason: error.message.map { String(cString: $0) } ?? "HEIF error \(error.code.rawValue)")
  }
}

import CHeif
import CVips
import Foundation
import MediaMetadata

/// Encodes an image in sRGB.
///
///     let data = try encode(pixels, as: "public.heic", quality: 80, exif: exif)
///
/// - Parameters:
///     - uniformTypeIdentifier: `public.jpeg`, `public.png`, `public.heic`, `public.avif`,
///       `org.webmproject.webp`, `public.tiff`, `com.compuserve.gif` or `public.jpeg-xl`.
///       JPEG drops alpha.
///     - quality: 1–100, for lossy formats.
///     - exif: an EXIF block in TIFF's format (it starts with `II*` or `MM`). JPEG, PNG, WebP, HEIC
///       and AVIF embed it; other formats ignore it.
///     - thumbnailLongSide: the long side of an embedded thumbnail in pixels. Only HEIC and AVIF
///       embed one.
public func encode(
  _ pixels: PixelBuffer, as uniformTypeIdentifier: String, quality: Int, exif: [UInt8]? = nil,
  thumbnailLongSide: Int? = nil
) throws(ImagingError) -> Data {
  let quality = min(max(quality, 1), 100)
  switch uniformTypeIdentifier {
  case "public.jpeg": return try encodeJPEG(pixels, quality: quality, exif: exif)
  case "public.heic", "public.avif":
    return try encodeHEIF(
      pixels, as: uniformTypeIdentifier, quality: quality, exif: exif, thumbnailLongSide: thumbnailLongSide)
  case "public.png":
    let png = try encodeWithVips(pixels, ".png[compression=6]")
    // The chunk follows the header, which is always 33 bytes long.
    return exif.map { png.prefix(33) + PNGChunks.chunk("eXIf", $0) + png.dropFirst(33) } ?? png
  case "org.webmproject.webp":
    return try encodeWithVips(pixels, ".webp[Q=\(quality),effort=2]", exif: exif)
  case "public.tiff": return try encodeWithVips(pixels, ".tif[compression=deflate]")
  case "com.compuserve.gif": return try encodeWithVips(pixels, ".gif[effort=3]")
  case "public.jpeg-xl": return try encodeWithVips(pixels, ".jxl[Q=\(quality),effort=3]")
  default: throw cannotEncode("no encoder for \(uniformTypeIdentifier)")
  }
}

func cannotEncode(_ reason: String) -> ImagingError { ImagingError(.cannotEncode, "an image", reason: reason) }

// MARK: - PNG, WebP, TIFF, GIF, JPEG XL

private func encodeWithVips(_ pixels: PixelBuffer, _ suffix: String, exif: [UInt8]? = nil)
  throws(ImagingError) -> Data
{
  if let failure = VipsLibrary.failure { throw cannotEncode(failure) }
  let memory = vips.pointee.image_new_from_memory_copy(
    pixels.bytes, pixels.bytes.count, Int32(pixels.width), Int32(pixels.height), Int32(pixels.channels),
    VIPS_FORMAT_UCHAR)
  guard let memory else { throw cannotEncode(VipsLibrary.takeError("memory")) }
  defer { vips.pointee.object_unref(memory) }
  var image: UnsafeMutablePointer<VipsImage>?
  guard calotype_vips_as_srgb(vips, memory, &image) == 0, let image else {
    throw cannotEncode(VipsLibrary.takeError("copy"))
  }
  defer { vips.pointee.object_unref(image) }
  if let exif {
    let block = Array("Exif\0\0".utf8) + exif
    vips.pointee.image_set_blob_copy(image, VIPS_META_EXIF_NAME, block, block.count)
  }
  var bytes: UnsafeMutableRawPointer?
  var count = 0
  guard calotype_vips_write(vips, image, suffix, &bytes, &count) == 0, let bytes else {
    throw cannotEncode(VipsLibrary.takeError("write \(suffix)"))
  }
  defer { g_free(bytes) }
  return Data(bytes: bytes, count: count)
}

// MARK: - HEIC, AVIF

/// Encodes `public.heic` or `public.avif`.
func encodeHEIF(
  _ pixels: PixelBuffer, as uniformTypeIdentifier: String, quality: Int, exif: [UInt8]? = nil, xmp: [UInt8]? = nil,
  profile: [UInt8]? = nil, thumbnailLongSide: Int? = nil
) throws(ImagingError) -> Data {
  let compression = uniformTypeIdentifier == "public.heic" ? heif_compression_HEVC : heif_compression_AV1
  func check(_ error: heif_error) throws(ImagingError) {
    guard error.code != heif_error_Ok else { return }
    throw cannotEncode(error.message.map { String(cString: $0) } ?? "HEIF error \(error.code.rawValue)")
  }

  guard let context = heif_context_alloc() else { throw cannotEncode("no memory for a HEIF encoder") }
  defer { heif_context_free(context) }
  var encoder: OpaquePointer?
  try check(heif_context_get_encoder_for_format(context, compression, &encoder))
  defer { heif_encoder_release(encoder) }
  try check(heif_encoder_set_lossy_quality(encoder, Int32(quality)))
  if compression == heif_compression_HEVC {
    // At one quality the slowest preset makes files no smaller and takes six times as long.
    try check(heif_encoder_set_parameter_string(encoder, "preset", "ultrafast"))
  }

  var image: OpaquePointer?
  let chroma = pixels.channels == 4 ? heif_chroma_interleaved_RGBA : heif_chroma_interleaved_RGB
  try check(heif_image_create(Int32(pixels.width), Int32(pixels.height), heif_colorspace_RGB, chroma, &image))
  defer { heif_image_release(image) }
  try check(
    heif_image_add_plane(image, heif_channel_interleaved, Int32(pixels.width), Int32(pixels.height), 8))
  var rowBytes: Int32 = 0
  guard let plane = heif_image_get_plane(image, heif_channel_interleaved, &rowBytes) else {
    throw cannotEncode("no memory for the picture")
  }
  pixels.withView { source in
    for row in 0..<source.height {
      plane.advanced(by: row * Int(rowBytes)).update(from: source.base + row * source.stride, count: source.stride)
    }
  }

  if let profile { try check(heif_image_set_raw_color_profile(image, "prof", profile, profile.count)) }

  var handle: OpaquePointer?
  try check(heif_context_encode_image(context, image, encoder, nil, &handle))
  defer { heif_image_handle_release(handle) }
  if let exif { try check(heif_context_add_exif_metadata(context, handle, exif, Int32(exif.count))) }
  if let xmp { try check(heif_context_add_XMP_metadata(context, handle, xmp, Int32(xmp.count))) }
  if let thumbnailLongSide {
    var thumbnail: OpaquePointer?
    try check(
      heif_context_encode_thumbnail(context, image, handle, encoder, nil, Int32(thumbnailLongSide), &thumbnail))
    heif_image_handle_release(thumbnail)
  }

  let sink = HEIFSink()
  var writer = heif_writer(
    writer_api_version: 1,
    write: { _, bytes, count, sink in
      if let bytes, let sink {
        Unmanaged<HEIFSink>.fromOpaque(sink).takeUnretainedValue().data.append(Data(bytes: bytes, count: count))
      }
      return heif_error(code: heif_error_Ok, subcode: heif_suberror_Unspecified, message: nil)
    })
  try check(heif_context_write(context, &writer, Unmanaged.passUnretained(sink).toOpaque()))
  return sink.data
}

private final class HEIFSink {
  var data = Data()
}

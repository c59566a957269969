import ImageCoding
import MediaMetadata
import Sandbox

/// Decodes a still, or the poster of a movie, in full: upright, in sRGB.
///
///     let pixels = try decodePicture(of: file, metadata: MediaMetadata(of: file))
///
/// Calls `makePicture` for the whole picture. Unlike `makeRenditions`, it drops the decoder's notes
/// about a damaged file.
public func decodePicture(of file: MediaFile, metadata: MediaMetadata, limits: DecodingLimits? = nil)
  throws(ImagingError) -> PixelBuffer
{
  try makePicture(of: file, metadata: metadata, PictureRequest(.whole), limits: limits)
}

/// Decodes a still, or the poster of a movie, in the requested size: upright, in sRGB.
///
///     let request = PictureRequest(.fitting(width: 200, height: 200))
///     let pixels = try makePicture(of: file, metadata: MediaMetadata(of: file), request)
///
/// The decoder skips detail that a smaller picture does not show. A RAW file's preview is used if
/// it is large enough. Otherwise the sensor's data is developed, which takes seconds.
public func makePicture(
  of file: MediaFile, metadata: MediaMetadata, _ request: PictureRequest, limits: DecodingLimits? = nil
) throws(ImagingError) -> PixelBuffer {
  try MakePicture(metadata: metadata, request: request, limits: limits ?? .whole(metadata.type)).answer(on: file)
}

struct MakePicture: Endpoint {
  var metadata: MediaMetadata
  var request: PictureRequest
  var limits: DecodingLimits

  var usesWorker: Bool { metadata.type.kind == .image }

  var expectedSize: PixelSize? {
    guard let knownSize = metadata.reliableSize else { return nil }
    return request.size == .whole ? knownSize : request.plan(for: knownSize).result
  }

  func perform(on file: MediaFile) throws(ImagingError) -> PixelBuffer {
    let knownSize = PixelSize(width: metadata.pixelWidth, height: metadata.pixelHeight)
    // Formats without a size in their headers are decoded in full. RAW files contain their sensor's
    // size, which is about as large.
    let isSizeKnown = knownSize.width > 0 && knownSize.height > 0
    let plan = request.plan(for: isSizeKnown ? knownSize : PixelSize(width: 1, height: 1))
    try check(plan, limits: limits, file)
    let scale = isSizeKnown ? Double(plan.source.longSide) / Double(knownSize.longSide) : 1
    var picture = try decode(file, metadata: metadata, DecodingRequest(scale: scale, of: knownSize, limits: limits))
    _ = picture.pixels.convertToSRGB(from: picture.colors)
    let upright = picture.pixels.oriented(picture.orientation)
    let made: PixelBuffer
    if request == PictureRequest(.whole) {
      made = upright
    } else if isSizeKnown, !metadata.type.isRaw {
      made = upright.resized(plan)
    } else {
      let found = request.plan(for: PixelSize(width: upright.width, height: upright.height))
      try check(found, limits: limits, file)
      made = upright.resized(found)
    }
    // The caller has reserved memory for the size in the file's headers.
    guard request.canGive(PixelSize(width: made.width, height: made.height), of: metadata.reliableSize) else {
      throw ImagingError(
        .damaged, file.name,
        reason: "the picture has \(upright.width) × \(upright.height) pixels, but its headers declare another size")
    }
    return made
  }

  func read(_ message: PixelMessage, _ reply: inout ReplyReader, on file: MediaFile) throws -> PixelBuffer {
    try check(limits.allows(message.size), "a picture of an impossible size")
    try check(request.canGive(message.size, of: metadata.reliableSize), "a picture that is larger than requested")
    return try reply.pixels(message, limits)
  }
}

extension MakePicture: MessagePart {
  static var blank: Self { Self(metadata: .blank, request: .blank, limits: .blank) }
  mutating func code(with coder: inout MessageCoder) {
    coder.part(&metadata)
    coder.part(&request)
    coder.part(&limits)
  }
}

extension Rendition {
  /// Creates the picture for a request from this rendition. `whole` is the size of the original
  /// picture, so that the result does not depend on the rendition that is used. If the rendition is
  /// too small, the result is smaller than requested.
  public func pixels(_ request: PictureRequest, whole: PixelSize, limits: DecodingLimits = .standard)
    throws(ImagingError) -> PixelBuffer
  {
    let file = try MediaFile(data: data, name: "a rendition")
    let plan = request.plan(for: whole)
    try check(plan, limits: limits, file)
    let size = PixelSize(width: pixelWidth, height: pixelHeight)
    let needed =
      plan.accepts(size)
      ? PictureRequest(.whole) : PictureRequest(.fitting(width: plan.source.width, height: plan.source.height))
    // Rendition data is untrusted like any file, because the process that made it has read an
    // untrusted file.
    return try makePicture(of: file, metadata: MediaMetadata(of: self), needed, limits: limits).resized(plan)
  }
}

extension PixelBuffer {
  fileprivate func resized(_ plan: PictureRequest.Plan) -> PixelBuffer {
    let size = PixelSize(width: width, height: height)
    guard let result = plan.result else {
      return plan.accepts(size) ? self : resized(to: size.fitting(plan.source))
    }
    guard plan.cut != .whole else { return resized(to: result) }
    let (x, y) = plan.cut.pixels(in: size)
    return (cropped(x: x, y: y) ?? self).resized(to: result)
  }
}

private func check(_ plan: PictureRequest.Plan, limits: DecodingLimits, _ file: MediaFile) throws(ImagingError) {
  guard let result = plan.result else { return }
  let (pixels, overflow) = result.width.multipliedReportingOverflow(by: result.height)
  guard !overflow, pixels <= limits.pixels else {
    throw ImagingError(
      .tooLarge, file.name,
      reason: "\(result.width) × \(result.height) pixels are more than the \(limits.pixels) allowed")
  }
}

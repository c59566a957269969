import ImageCoding
import MediaMetadata
import Sandbox

/// Returns the small picture that a camera has stored in a JPEG or HEIF file, or the preview in a
/// RAW file: upright, in sRGB. Returns nil if there is none, and for a movie.
///
///     let thumbnail = try embeddedThumbnail(of: file)      // 160 × 120, in a millisecond
///
/// Black bars that the photo does not have are cut off. A thumbnail may differ from its photo: an
/// edited file may still contain the thumbnail from before the edit.
public func embeddedThumbnail(of file: MediaFile, limits: DecodingLimits = .standard)
  throws(ImagingError) -> PixelBuffer?
{
  try ReadThumbnail(limits: limits).answer(on: file)
}

/// Reads the type and the thumbnail of a file in one request.
struct ReadThumbnail: Endpoint {
  var limits: DecodingLimits

  var isBrief: Bool { true }

  func perform(on file: MediaFile) throws(ImagingError) -> PixelBuffer? {
    let metadata = try MediaMetadata(parsing: file, machineTimeZone: .gmt)
    guard metadata.type.kind == .image else { return nil }
    return try decodeEmbeddedThumbnail(of: file, metadata: metadata, limits: limits)
  }

  func send(_ answer: PixelBuffer?, with reply: ReplyWriter) throws {
    guard let answer else { return try reply.send(Reply.answer(PixelMessage?.none)) }
    try reply.send(memory: answer.bytes) { Reply.answer(PixelMessage?.some(PixelMessage(answer, address: $0))) }
  }

  func read(_ message: PixelMessage?, _ reply: inout ReplyReader, on file: MediaFile) throws -> PixelBuffer? {
    guard let message else {
      try reply.checkNoPayload()
      return nil
    }
    return try reply.pixels(message, DecodingLimits(pixels: thumbnailPixelLimit, seconds: 0))
  }
}

extension ReadThumbnail: MessagePart {
  static var blank: Self { Self(limits: .blank) }
  mutating func code(with coder: inout MessageCoder) { coder.part(&limits) }
}

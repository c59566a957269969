import ImageCoding
import MediaMetadata
import Sandbox

/// Decodes a still in full: upright, in its own colors.
///
///     let picture = try decodeInOwnColors(file, metadata: MediaMetadata(of: file))
///     let edited = picture.pixels.filtered(by: sepia)      // to be written with `picture.profile`
public func decodeInOwnColors(
  _ file: MediaFile, metadata: MediaMetadata, limits: DecodingLimits? = nil
) throws(ImagingError) -> ColoredPicture {
  try DecodeInOwnColors(metadata: metadata, limits: limits ?? .whole(metadata.type)).answer(on: file)
}

struct DecodeInOwnColors: Endpoint {
  var metadata: MediaMetadata
  var limits: DecodingLimits

  var usesWorker: Bool { metadata.type.kind == .image }
  var expectedSize: PixelSize? { metadata.reliableSize }

  func perform(on file: MediaFile) throws(ImagingError) -> ColoredPicture {
    var request = DecodingRequest(
      scale: 1, of: PixelSize(width: metadata.pixelWidth, height: metadata.pixelHeight), limits: limits)
    request.keepsColors = true
    var picture = try decode(file, metadata: metadata, request)
    let profile = picture.colors.ownProfile
    if profile == nil { _ = picture.pixels.convertToSRGB(from: picture.colors) }
    return ColoredPicture(pixels: picture.pixels.oriented(picture.orientation), profile: profile)
  }

  struct Message: MessagePart {
    var pixels = PixelMessage()
    var profile: [UInt8]?

    static var blank: Self { Self() }
    mutating func code(with coder: inout MessageCoder) {
      coder.part(&pixels)
      coder.part(&profile)
    }
  }

  func send(_ answer: ColoredPicture, with reply: ReplyWriter) throws {
    try reply.send(memory: answer.pixels.bytes) {
      Reply.answer(Message(pixels: PixelMessage(answer.pixels, address: $0), profile: answer.profile))
    }
  }

  func read(_ message: Message, _ reply: inout ReplyReader, on file: MediaFile) throws -> ColoredPicture {
    // The profile is written into files, like a profile from the original itself.
    try check(message.profile?.count ?? 0 <= ColoredPicture.profileByteLimit, "a color profile of an impossible length")
    return ColoredPicture(pixels: try reply.pixels(message.pixels, limits), profile: message.profile)
  }
}

extension DecodeInOwnColors: MessagePart {
  static var blank: Self { Self(metadata: .blank, limits: .blank) }
  mutating func code(with coder: inout MessageCoder) {
    coder.part(&metadata)
    coder.part(&limits)
  }
}

import ImageCoding
import MediaMetadata
import Sandbox

/// The message for pixels, which stay in the worker's memory until the parent copies them.
struct PixelMessage: MessagePart {
  var width = 0
  var height = 0
  var channels = 0
  var address: UInt64 = 0

  init() {}

  init(_ pixels: PixelBuffer, address: UInt64) {
    (width, height, channels) = (pixels.width, pixels.height, pixels.channels)
    self.address = address
  }

  var size: PixelSize { PixelSize(width: width, height: height) }

  static var blank: Self { Self() }
  mutating func code(with coder: inout MessageCoder) {
    coder.part(&width)
    coder.part(&height)
    coder.part(&channels)
    coder.part(&address)
  }
}

extension Endpoint where Answer == PixelBuffer, Message == PixelMessage {
  func send(_ answer: PixelBuffer, with reply: ReplyWriter) throws {
    try reply.send(memory: answer.bytes) { Reply.answer(PixelMessage(answer, address: $0)) }
  }
}

extension ReplyReader {
  /// Returns the pixels that a message describes.
  mutating func pixels(_ message: PixelMessage, _ limits: DecodingLimits) throws -> PixelBuffer {
    try checkNoPayload()
    let isPossible = limits.allows(message.size) && (3...4).contains(message.channels)
    try check(isPossible, "a picture of an impossible size")
    let byteCount = message.width * message.height * message.channels
    return PixelBuffer(
      width: message.width, height: message.height, channels: message.channels,
      bytes: try memory(at: message.address, byteCount: byteCount))
  }
}

extension DecodingLimits {
  /// Returns true if a picture of this size is allowed. The sides come from a reply.
  func allows(_ size: PixelSize) -> Bool {
    let sides = 1...longestSide
    return sides.contains(size.width) && sides.contains(size.height) && size.pixels <= max(0, pixels)
  }
}

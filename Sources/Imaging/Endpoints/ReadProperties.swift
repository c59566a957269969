import ImageCoding
import MediaMetadata
import Sandbox

extension PictureProperties {
  /// Reads the properties of a picture's file from its headers, in a worker process if there is
  /// one.
  package init(of file: MediaFile) throws(ImagingError) { self = try ReadProperties().answer(on: file) }
}

struct ReadProperties: Endpoint {
  var isBrief: Bool { true }

  func perform(on file: MediaFile) throws(ImagingError) -> PictureProperties { try PictureProperties(parsing: file) }

  func send(_ answer: PictureProperties, with reply: ReplyWriter) throws { try reply.send(Reply.answer(answer)) }

  func read(
    _ message: PictureProperties, _ reply: inout ReplyReader, on file: MediaFile
  ) throws -> PictureProperties {
    try reply.checkNoPayload()
    return try message.checked()
  }
}

extension ReadProperties: MessagePart {
  static var blank: Self { Self() }
  mutating func code(with coder: inout MessageCoder) {}
}

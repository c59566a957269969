import HTTPTypes
import Hummingbird
import NIOCore
import Photos

/// A picture as it is answered with.
struct PictureAnswer: Sendable {
  let fields: HTTPFields
  /// The headers but the date, an empty line, and the picture: what follows the status line.
  let wire: ByteBuffer
  /// The picture alone, in the same memory.
  let body: ByteBuffer

  /// In the browser of this machine's user; no cache that others share.
  static let keptForEver = "private, max-age=31536000, immutable"

  init(_ rendition: PHRendition) {
    var fields: HTTPFields = [
      .contentType: ContentType.of(uniformTypeIdentifier: rendition.uniformTypeIdentifier),
      .cacheControl: Self.keptForEver,
    ]
    if rendition.isDrawn {
      fields[.contentSecurityPolicy] = SecurityHeaders.drawnPicturePolicy
      // The file may be read one day.
      fields[.cacheControl] = "no-store"
    }
    SecurityHeaders.add(to: &fields)
    fields[.contentLength] = String(rendition.data.count)
    self.fields = fields
    var wire = ByteBuffer()
    wire.reserveCapacity(rendition.data.count + Self.spaceForHead)
    for field in fields { wire.writeString("\(field.name.rawName): \(field.value)\r\n") }
    wire.writeString("\r\n")
    let head = wire.readableBytes
    wire.writeBytes(rendition.data)
    self.wire = wire
    wire.moveReaderIndex(forwardBy: head)
    body = wire
  }

  private static let spaceForHead = 1024

  /// Bytes of memory, roughly.
  var cost: Int { wire.capacity + Self.spaceForHead }

  var response: Response { Response(status: .ok, headers: fields, body: ResponseBody(byteBuffer: body)) }
}

extension PHRendition {
  /// Whether it only says that the asset can't be read.
  var isDrawn: Bool { uniformTypeIdentifier == "public.svg-image" }
}

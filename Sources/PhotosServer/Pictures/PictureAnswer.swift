import HTTPTypes
import Hummingbird
import NIOCore
import Photos

/// A picture with the headers of its answer.
struct PictureAnswer: Sendable {
  let fields: HTTPFields
  /// The bytes after the status line and the date: the other headers, an empty line, the picture.
  let wire: ByteBuffer
  /// The picture alone. It shares the memory of `wire`.
  let body: ByteBuffer
  /// Whether the picture may be kept.
  let isKept: Bool

  /// Lets the browser keep the picture forever, since its URL changes with the picture. Shared
  /// caches must not keep it.
  static let keptForEver = "private, max-age=31536000, immutable"

  /// `isOfDamagedFile` says that a file of the asset is known to be damaged.
  init(_ rendition: PHRendition, isOfDamagedFile: Bool = false) {
    // The file may become readable or whole.
    isKept = !rendition.isDrawn && !isOfDamagedFile
    var fields: HTTPFields = [
      .contentType: ContentType.of(uniformTypeIdentifier: rendition.uniformTypeIdentifier),
      .cacheControl: isKept ? Self.keptForEver : "no-store",
    ]
    if rendition.isDrawn { fields[.contentSecurityPolicy] = SecurityHeaders.drawnPicturePolicy }
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

  /// The approximate memory in bytes.
  var cost: Int { wire.capacity + Self.spaceForHead }

  var response: Response { Response(status: .ok, headers: fields, body: ResponseBody(byteBuffer: body)) }
}

extension PHRendition {
  /// True if the picture is a drawing that says that the asset can't be read.
  var isDrawn: Bool { uniformTypeIdentifier == "public.svg-image" }
}

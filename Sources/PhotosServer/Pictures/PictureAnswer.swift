import HTTPTypes
import Hummingbird
import NIOCore
import Photos

/// A picture with the headers of its answer.
struct PictureAnswer: Sendable {
  let fields: HTTPFields
  /// The bytes after the status line and the date: the other headers, an empty line, the picture.
  let encodedBytes: ByteBuffer
  /// The picture alone. It shares the memory of `encodedBytes`.
  let body: ByteBuffer
  /// Whether the picture may be kept.
  let isKept: Bool

  /// Lets the browser keep the picture forever, since its URL changes with the picture. Shared
  /// caches must not keep it.
  static let immutableCacheControl = "private, max-age=31536000, immutable"

  /// `mayBeKept` says whether the picture may be kept as far as its asset is concerned.
  init(_ rendition: AssetRendition, _ headers: SecurityHeaders, mayBeKept: Bool = true) {
    // The file may become readable.
    isKept = !rendition.isDrawn && mayBeKept
    var fields: HTTPFields = [
      .contentType: ContentType.of(uniformTypeIdentifier: rendition.uniformTypeIdentifier),
      .cacheControl: isKept ? Self.immutableCacheControl : "no-store",
    ]
    if rendition.isDrawn { fields[.contentSecurityPolicy] = SecurityHeaders.drawnPicturePolicy }
    headers.add(to: &fields)
    fields[.contentLength] = String(rendition.data.count)
    self.fields = fields
    var encodedBytes = ByteBuffer()
    encodedBytes.reserveCapacity(rendition.data.count + Self.headCapacity)
    for field in fields { encodedBytes.writeString("\(field.name.rawName): \(field.value)\r\n") }
    encodedBytes.writeString("\r\n")
    let head = encodedBytes.readableBytes
    encodedBytes.writeBytes(rendition.data)
    self.encodedBytes = encodedBytes
    encodedBytes.moveReaderIndex(forwardBy: head)
    body = encodedBytes
  }

  private static let headCapacity = 1024

  /// The approximate memory in bytes.
  var cost: Int { encodedBytes.capacity + Self.headCapacity }

  var response: Response { Response(status: .ok, headers: fields, body: ResponseBody(byteBuffer: body)) }
}

extension AssetRendition {
  /// True if the picture is a drawing that says that the asset can't be read.
  var isDrawn: Bool { uniformTypeIdentifier == "public.svg-image" }
}

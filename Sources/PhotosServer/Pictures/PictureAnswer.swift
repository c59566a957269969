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

  /// Lets the browser keep a picture or movie forever, since its URL changes with the content.
  /// Shared caches must not keep it. A page of another origin must not get what the browser kept of
  /// the owner's pages, because those answers don't allow other origins to read them.
  static func cachingFields(mayBeKept: Bool) -> HTTPFields {
    mayBeKept
      ? [.cacheControl: "private, max-age=31536000, immutable", .vary: "Origin"] : [.cacheControl: "no-store"]
  }

  /// `mayBeKept` says whether the picture may be kept as far as its asset is concerned.
  init(_ rendition: AssetRendition, _ headers: SecurityHeaders, mayBeKept: Bool = true) {
    // The file may become readable.
    isKept = !rendition.isDrawn && mayBeKept
    var fields = Self.cachingFields(mayBeKept: isKept)
    fields[.contentType] = ContentType.of(uniformTypeIdentifier: rendition.uniformTypeIdentifier)
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

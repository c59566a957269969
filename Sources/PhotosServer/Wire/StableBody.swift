import HTTPTypes
import Hummingbird
import NIOCore

/// The body of an answer that is the same until the library changes. It is compressed once.
struct StableBody: Sendable {
  enum ContentType: String {
    case json = "application/json; charset=utf-8"
    case bytes = "application/octet-stream"
  }

  private let moment: Moment
  let bytes: ByteBuffer
  private let compressed: ByteBuffer?
  private let type: ContentType

  init(_ bytes: ByteBuffer, at moment: Moment, type: ContentType, _ effort: Gzip.Effort = .small) {
    self.bytes = bytes
    self.moment = moment
    self.type = type
    compressed = bytes.readableBytes < Compression.leastByteCount ? nil : Gzip.compress(bytes, effort)
  }

  /// The approximate memory in bytes.
  var cost: Int { bytes.capacity + (compressed?.capacity ?? 0) }

  /// Answers with the body, with 304 if the client has this revision, or with a range of bytes. A
  /// body of JSON has no ranges.
  func response(to request: Request, _ inFlight: BytesInFlight, _ context: ServerContext) -> Response {
    if let answer = RevisionAnswer.unchanged(for: request, at: moment) { return answer }
    let tag = moment.tag
    var fields: HTTPFields = [
      .cacheControl: RevisionAnswer.cacheControl, .eTag: tag.value, .contentType: type.rawValue,
      .vary: Compression.vary,
    ]
    if type == .bytes {
      fields[.acceptRanges] = "bytes"
      switch ByteRange(of: request, tag: tag, byteCount: bytes.readableBytes) {
      case .whole: break
      case .part(let range): return part(range, fields, inFlight, context)
      case .unsatisfiable: return ByteRange.refusal(byteCount: bytes.readableBytes).response
      }
    }
    guard let compressed, Compression.isAccepted(by: request) else {
      return Response(status: .ok, headers: fields, body: inFlight.body(bytes, context))
    }
    fields[.contentEncoding] = "gzip"
    if type == .bytes { fields[.eTag] = tag.compressed.value }
    return Response(status: .ok, headers: fields, body: inFlight.body(compressed, context))
  }

  /// A part is not compressed, so that its range counts the bytes of assets.
  private func part(
    _ range: Range<Int>, _ fields: HTTPFields, _ inFlight: BytesInFlight, _ context: ServerContext
  ) -> Response {
    var fields = fields
    fields[.contentRange] = "bytes \(range.lowerBound)-\(range.upperBound - 1)/\(bytes.readableBytes)"
    let part = bytes.getSlice(at: bytes.readerIndex + range.lowerBound, length: range.count) ?? ByteBuffer()
    return Response(status: .partialContent, headers: fields, body: inFlight.body(part, context))
  }
}

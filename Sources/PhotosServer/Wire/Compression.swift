import HTTPTypes
import Hummingbird
import NIOCore
import Synchronization

/// Decides which answers are compressed, and compresses those that are not kept.
///
/// A page of another origin can't request a compressed answer, so it can't guess secrets by the
/// answers' lengths.
enum Compression {
  /// Below it, an answer fits into one packet anyway.
  static let leastByteCount = 1024
  /// Above it, an answer is not held in memory to be compressed.
  private static let largestByteCount = 4 << 20

  /// The fields of a request on which a text answer depends.
  static let vary = "Authorization, Cookie, Accept-Encoding"

  /// Adds the field that decides whether an answer is compressed. Uncompressed answers have it too,
  /// so that a cache keeps both forms apart.
  static func addVary(to fields: inout HTTPFields) {
    guard let present = fields[.vary] else {
      fields[.vary] = "Accept-Encoding"
      return
    }
    if !present.contains("Accept-Encoding") { fields[.vary] = "\(present), Accept-Encoding" }
  }

  static func isAccepted(by request: Request) -> Bool {
    (request.headers[.acceptEncoding] ?? "").split(separator: ",").contains { coding in
      let parts = coding.split(separator: ";").map { $0.filter { $0 != " " }.lowercased() }
      return (parts.first == "gzip" || parts.first == "*")
        && !parts.dropFirst().contains { ["q=0", "q=0.0"].contains($0) }
    }
  }

  /// Returns the response with its text compressed, if the client accepts that.
  static func apply(to response: Response, for request: Request) async throws -> Response {
    guard isAccepted(by: request), response.headers[.contentEncoding] == nil, response.status != .partialContent,
      isText(response.headers[.contentType] ?? ""), let byteCount = response.body.contentLength,
      (leastByteCount...largestByteCount).contains(byteCount)
    else { return response }
    let writer = CollectedBody()
    try await response.body.write(writer)
    guard let compressed = Gzip.compress(sent(writer.buffer, as: response, to: request), effort(for: response)) else {
      return Response(status: response.status, headers: response.headers, body: ResponseBody(byteBuffer: writer.buffer))
    }
    var fields = response.headers
    fields[.contentLength] = nil
    fields[.contentEncoding] = "gzip"
    return Response(status: response.status, headers: fields, body: ResponseBody(byteBuffer: compressed))
  }

  /// Returns the bytes to compress. A script of the web app is sent without its comments and its
  /// indentation; other pages load `/picker.js` by the hash of its file.
  private static func sent(_ body: ByteBuffer, as response: Response, to request: Request) -> ByteBuffer {
    guard isScript(response), request.uri.path != "/picker.js" else { return body }
    return CompactScript.made(from: body)
  }

  /// Returns `small` for the web app's files, which a browser keeps.
  private static func effort(for response: Response) -> Gzip.Effort {
    (response.headers[.contentType] ?? "").hasPrefix("text/") ? .small : .fast
  }

  private static func isScript(_ response: Response) -> Bool {
    (response.headers[.contentType] ?? "").hasPrefix("text/javascript")
  }

  /// Returns whether answers of a type are compressed.
  static func isText(_ type: String) -> Bool {
    type.hasPrefix("text/") && !type.hasPrefix("text/event-stream") || type.contains("json") || type.contains("svg")
  }
}

private final class CollectedBody: ResponseBodyWriter {
  private let collected = Mutex(ByteBuffer())

  var buffer: ByteBuffer { collected.withLock { $0 } }
  func write(_ buffer: ByteBuffer) async throws { collected.withLock { _ = $0.writeImmutableBuffer(buffer) } }
  func finish(_ trailers: HTTPFields?) async throws {}
}

import HTTPTypes
import Hummingbird
import NIOCore

/// An answer that holds until the library changes.
enum RevisionAnswer {
  /// Lets the browser keep an answer, but makes it ask again before each use.
  static let cacheControl = "private, no-cache"

  /// Returns the answer 304 if the client has the answer of this moment in any form, else `nil`.
  /// The 304 has the tag of the form that the client has, by which a cache finds it.
  static func unchanged(for request: Request, at moment: Moment) -> Response? {
    let tags = [moment.tag, moment.tag.compressed]
    guard let tag = tags.first(where: { $0.matches(request) }) else { return nil }
    return Response(
      status: .notModified, headers: [.cacheControl: cacheControl, .eTag: tag.value, .vary: Compression.vary])
  }

  /// Answers with JSON of one moment, or with 304 if the client has it.
  static func response(
    to request: Request, at moment: Moment, _ json: () throws -> JSONText
  ) rethrows -> Response {
    if let answer = unchanged(for: request, at: moment) { return answer }
    let fields: HTTPFields = [
      .cacheControl: cacheControl, .eTag: moment.tag.value, .contentType: StableBody.ContentType.json.rawValue,
    ]
    return Response(status: .ok, headers: fields, body: ResponseBody(byteBuffer: ByteBuffer(bytes: try json().bytes)))
  }
}

import HTTPTypes
import Hummingbird
import NIOCore
import Photos

/// Answers with a file of the library or a part of it, in pieces.
struct FileAnswer: Sendable {
  let reader: FileReader
  /// The tag of the file's content; nil if the file is damaged.
  let tag: EntityTag?
  /// The headers other than those of the range and the tag.
  let fields: HTTPFields
  let inFlight: BytesInFlight
  /// Throws if the rest of the file may not be sent any more. It is called once a second at most.
  let checkAccess: @Sendable () async throws -> Void

  func response(to request: Request, _ context: ServerContext) async throws -> Response {
    var fields = fields
    fields[.eTag] = tag?.value
    fields[.acceptRanges] = "bytes"
    if let tag, tag.matches(request) { return Response(status: .notModified, headers: fields) }
    // The open file stays readable even if an edit replaces it while it is sent.
    let reader = try await Blocking.run { [reader] in try reader.opened() }
    switch ByteRange(of: request, tag: tag, byteCount: reader.byteCount) {
    case .whole: return Response(status: .ok, headers: fields, body: body(reader, range: 0..<reader.byteCount, context))
    case .part(let range):
      fields[.contentRange] = "bytes \(range.lowerBound)-\(range.upperBound - 1)/\(reader.byteCount)"
      return Response(status: .partialContent, headers: fields, body: body(reader, range: range, context))
    case .unsatisfiable: return ByteRange.refusal(byteCount: reader.byteCount).response
    }
  }

  /// Reads each piece when the client has accepted the piece before.
  private func body(
    _ reader: FileReader, range: Range<Int>, _ context: ServerContext
  ) -> ResponseBody {
    ResponseBody(contentLength: range.count) { [inFlight, checkAccess] writer in
      var check = PermissionCheck(by: context.time)
      var position = range.lowerBound
      while position < range.upperBound {
        try await check(checkAccess)
        let rest = position..<range.upperBound
        let data = try await Blocking.run { try reader.data(in: rest.prefix(inFlight.pieceSize)) }
        guard !data.isEmpty else { throw Failure(.internalServerError, "the file was truncated while it was sent") }
        try await writer.write(ByteBuffer(bytes: data))
        try await context.waitUntilAccepted()
        position += data.count
      }
      try await writer.finish(nil)
    }
  }
}

extension ByteRange {
  /// Finds the range that a request asks for, unless it is of a file with another tag.
  init(of request: Request, tag: EntityTag?, byteCount: Int) {
    self = .whole
    guard request.method == .get else { return }
    if let condition = request.headers[.ifRange], condition != tag?.value { return }
    self.init(request.headers[.range], byteCount: byteCount)
  }

  static func refusal(byteCount: Int) -> Failure {
    Failure(
      .rangeNotSatisfiable, "there are \(byteCount) bytes",
      [.contentRange: "bytes */\(byteCount)", .acceptRanges: "bytes"])
  }
}

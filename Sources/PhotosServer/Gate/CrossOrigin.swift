import HTTPTypes
import Hummingbird

/// Answers for pages of other origins, which may be clients (CORS).
///
/// Such an answer names the one origin that asked, never `*`, and never allows cookies: a page of
/// another origin is known by its token alone.
enum CrossOrigin {
  private static let methods = "GET, HEAD, POST, PUT, PATCH, DELETE"
  private static let requestFields = [
    "Authorization", "Content-Type", "Idempotency-Key", "If-None-Match", "If-Range", "Last-Event-ID", "Range",
    "Repr-Digest", "Upload-Complete", "Upload-Last-Modified", "Upload-Length", "Upload-Name", "Upload-Offset",
    "Content-Disposition",
  ].joined(separator: ", ")
  private static let answerFields = [
    "Accept-Ranges", "Content-Disposition", "Content-Range", "ETag", "Location", "Retry-After", "Upload-Complete",
    "Upload-Length", "Upload-Limit", "Upload-Offset",
  ].joined(separator: ", ")

  /// Returns the answer to a browser that asks what a page may send; `nil` for any other request.
  static func preflightAnswer(to request: Request) -> Response? {
    guard request.method == .options, request.headers[.accessControlRequestMethod] != nil,
      let origin = origin(of: request)
    else { return nil }
    return Response(
      status: .noContent,
      headers: [
        .accessControlAllowOrigin: origin, .accessControlAllowMethods: methods,
        .accessControlAllowHeaders: requestFields, .accessControlMaxAge: "600", .vary: "Origin",
      ])
  }

  /// Lets the page that asked read the answer, unless the answer may be the owner's.
  static func add(to fields: inout HTTPFields, for request: Request) {
    let isOwners = request.bearer == nil && request.headers[.cookie] != nil
    let path = request.uri.path
    // A picker's answers are for the one that knows its secret.
    let isForAsker = path.hasPrefix("/api/v1/access/") || path.hasPrefix("/picker/v1/sessions")
    guard isForAsker || path.hasPrefix("/api/v1/") && !isOwners, let origin = origin(of: request) else { return }
    fields[.accessControlAllowOrigin] = origin
    fields[.accessControlExposeHeaders] = answerFields
    fields[.vary] = "\(Compression.vary), Origin"
  }

  private static func origin(of request: Request) -> String? {
    request.headers[.origin].flatMap { WebOrigin.isValid($0) ? $0 : nil }
  }
}

/// Tells browsers what a page of another origin may send.
struct PreflightMiddleware: RouterMiddleware {
  typealias Context = ServerContext

  func handle(
    _ request: Request, context: Context, next: (Request, Context) async throws -> Response
  ) async throws -> Response {
    if let answer = CrossOrigin.preflightAnswer(to: request) { return answer }
    return try await next(request, context)
  }
}

extension Request {
  /// The token in `Authorization: Bearer`.
  var bearer: Substring? {
    guard let field = headers[.authorization], field.prefix(7).lowercased() == "bearer " else { return nil }
    return field.dropFirst(7)
  }
}

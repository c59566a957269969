import HTTPTypes
import Hummingbird

/// Turns errors into answers, adds the security headers, and removes the body of an answer to
/// `HEAD`. Gives requests the server's time.
struct AnswerMiddleware: RouterMiddleware {
  typealias Context = ServerContext

  let headers: SecurityHeaders
  let time: @Sendable () -> ContinuousClock.Instant

  func handle(
    _ request: Request, context: Context, next: (Request, Context) async throws -> Response
  ) async throws -> Response {
    // A client that sends requests and reads no answers has at most one of them in memory.
    try await context.waitUntilAccepted()
    var context = context
    context.time = time
    var response: Response
    do { response = try await next(request, context) } catch { response = Self.failure(error, request).response }
    response = try await Compression.apply(to: response, for: request)
    headers.add(to: &response.headers)
    if let type = response.headers[.contentType] {
      if type.hasPrefix("application/json") || type.hasPrefix(Failure.contentType) {
        response.headers[.vary] = Compression.vary
      } else if Compression.isText(type) {
        Compression.addVary(to: &response.headers)
      }
    }
    CrossOrigin.add(to: &response.headers, for: request)
    return request.method == .head ? response.createHeadResponse() : response
  }

  private static func failure(_ error: any Error, _ request: Request) -> Failure {
    guard let unanswered = error as? HTTPError, unanswered.status == .notFound else {
      return Failure(ofStranger: error)
    }
    guard HTTPRequest.Method.known.contains(request.method) else {
      return Failure(.notImplemented, "the method \(request.method.rawValue) is not supported")
    }
    return Failure(.notFound, "\(request.uri.path) does not exist")
  }
}

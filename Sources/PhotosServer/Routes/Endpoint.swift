import Foundation
import HTTPTypes
import Hummingbird

extension HTTPRequest.Method {
  /// The methods that HTTP defines. Others are answered with 501.
  static let known: [HTTPRequest.Method] = [.get, .head, .post, .put, .patch, .delete, .options, .trace, .connect]
}

extension RouterMethods where Context == ServerContext {
  typealias Handler = @Sendable (Request, ServerContext) async throws -> Response

  /// Adds the handlers of a path. `HEAD` is answered like `GET`, without a body, and other methods
  /// with 405.
  func endpoint(_ path: RouterPath, get: Handler? = nil, post: Handler? = nil, delete: Handler? = nil) {
    let handlers: [(HTTPRequest.Method, Handler?)] = [(.get, get), (.head, get), (.post, post), (.delete, delete)]
    let allowed = handlers.filter { $0.1 != nil }.map(\.0)
    for method in HTTPRequest.Method.known {
      if let handler = handlers.first(where: { $0.0 == method })?.1 {
        on(path, method: method, use: handler)
      } else {
        on(path, method: method) { request, _ -> Response in
          throw Failure(
            .methodNotAllowed, "the method \(request.method.rawValue) is not supported here",
            [.allow: allowed.map(\.rawValue).joined(separator: ", ")])
        }
      }
    }
  }
}

extension Request {
  /// The largest body of a request that is not an upload.
  private static let bodyLimit = 16 << 10

  /// Decodes a JSON body. Throws 415 for another type, and 400 for other values.
  func json<Value: Decodable>(_ type: Value.Type) async throws -> Value {
    try requireType("application/json")
    let body = try await body.collect(upTo: Self.bodyLimit)
    do { return try JSONDecoder().decode(type, from: body) } catch {
      throw Failure(.badRequest, "the body is not the JSON object that is expected here")
    }
  }

  /// Decodes the fields of a form.
  func form<Value: Decodable>(_ type: Value.Type) async throws -> Value {
    try requireType("application/x-www-form-urlencoded")
    let body = try await body.collect(upTo: Self.bodyLimit)
    do { return try URLEncodedFormDecoder().decode(type, from: String(buffer: body)) } catch {
      throw Failure(.badRequest, "a field of the form is missing")
    }
  }

  private func requireType(_ type: String) throws {
    let given = headers[.contentType]?.prefix { $0 != ";" && $0 != " " }.lowercased()
    guard given == type else { throw Failure(.unsupportedMediaType, "the Content-Type has to be \(type)") }
  }
}

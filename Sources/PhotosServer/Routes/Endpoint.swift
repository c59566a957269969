import Foundation
import HTTPTypes
import Hummingbird
import NIOCore

extension HTTPRequest.Method {
  /// The methods that HTTP defines. Others are answered with 501.
  static let known: [HTTPRequest.Method] = [.get, .head, .post, .put, .patch, .delete, .options, .trace, .connect]
}

extension RouterMethods where Context == ServerContext {
  typealias Handler = @Sendable (Request, ServerContext) async throws -> Response

  /// Adds the handlers of a path. `HEAD` is answered like `GET`, without a body, and other methods
  /// with 405.
  func endpoint(
    _ path: RouterPath, get: Handler? = nil, post: Handler? = nil, put: Handler? = nil, patch: Handler? = nil,
    delete: Handler? = nil, options: Handler? = nil
  ) {
    let handlers: [(HTTPRequest.Method, Handler?)] = [
      (.get, get), (.head, get), (.post, post), (.put, put), (.patch, patch), (.delete, delete), (.options, options),
    ]
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
  /// Returns an argument of the query as pages write it, with `+` for a space; `nil` if it is not
  /// there.
  func argument(_ name: String) -> String? {
    for pair in (uri.query ?? "").split(separator: "&") {
      let parts = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      guard parts[0] == name else { continue }
      let text = (parts.count > 1 ? String(parts[1]) : "").replacing("+", with: " ")
      return text.removingPercentEncoding ?? text
    }
    return nil
  }

  /// The largest body of a request that is not an upload.
  static let bodyLimit = 16 << 10

  /// Decodes a JSON body. Throws 415 for another type, and 400 for other values.
  func json<Value: Decodable>(_ type: Value.Type = Value.self, upTo limit: Int = bodyLimit) async throws -> Value {
    let body = try await jsonBytes(upTo: limit)
    do { return try JSONDecoder().decode(type, from: body) } catch {
      throw Failure(.badRequest, "the body is not the JSON object that is expected here")
    }
  }

  /// Reads a JSON body whose errors name their places. Throws 400 for a body that is no JSON.
  func jsonPlace(limit: Int = bodyLimit, depthLimit: Int = JSONValue.depthLimit) async throws -> JSONPlace {
    try await jsonPlaceAndBytes(limit: limit, depthLimit: depthLimit).place
  }

  func jsonPlaceAndBytes(
    limit: Int, depthLimit: Int = JSONValue.depthLimit
  ) async throws -> (place: JSONPlace, bytes: ByteBuffer) {
    let bytes = try await jsonBytes(upTo: limit, depthLimit: depthLimit)
    guard let value = JSONValue(bytes) else { throw Failure(.badRequest, "the body is not valid JSON") }
    return (JSONPlace(value: value, path: ""), bytes)
  }

  private func jsonBytes(upTo limit: Int, depthLimit: Int = JSONValue.depthLimit) async throws -> ByteBuffer {
    try requireType("application/json")
    let bytes = try await body.collect(upTo: limit)
    // JSON in UTF-16 or UTF-32 has zeros, and its depth would be counted wrong.
    guard !bytes.readableBytesView.contains(0) else {
      throw Failure(.badRequest, "the body has a zero byte; JSON has to be UTF-8")
    }
    guard JSONValue.depth(of: bytes.readableBytesView) <= depthLimit else {
      throw Failure(.badRequest, "the body is nested more than \(depthLimit) levels deep")
    }
    return bytes
  }

  /// Decodes the fields of a form.
  func form<Value: Decodable>(_ type: Value.Type) async throws -> Value {
    try requireType("application/x-www-form-urlencoded")
    let body = try await body.collect(upTo: Self.bodyLimit)
    do { return try URLEncodedFormDecoder().decode(type, from: String(buffer: body)) } catch {
      throw Failure(.badRequest, "a field of the form is missing or malformed")
    }
  }

  /// Throws 415 unless the body has this type.
  func requireType(_ type: String) throws {
    let given = headers[.contentType]?.prefix { $0 != ";" && $0 != " " }.lowercased()
    guard given == type else { throw Failure(.unsupportedMediaType, "the Content-Type has to be \(type)") }
  }
}

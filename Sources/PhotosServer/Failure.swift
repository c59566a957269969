import Foundation
import HTTPTypes
import Hummingbird
import NIOCore
import Photos

/// An answer that reports an error: a status and `{"error": "…"}`. If a client has to act on it,
/// the object has a `code`, too.
struct Failure: Error {
  var status: HTTPResponse.Status
  var message: String
  var fields: HTTPFields
  var code: String?

  init(_ status: HTTPResponse.Status, _ message: String, _ fields: HTTPFields = [:], code: String? = nil) {
    self.status = status
    self.message = message
    self.fields = fields
    self.code = code
  }

  /// Converts an error to a status. No other code does.
  init(_ error: any Error) {
    switch error {
    case let failure as Failure: self = failure
    case let error as PHPhotosError:
      switch error.code {
      case .missingResource, .identifierNotFound: self.init(.notFound, error.localizedDescription)
      // A retry won't help, since the file itself is the cause.
      case .invalidResource: self.init(.unprocessableContent, error.localizedDescription)
      default: self.init(.internalServerError, error.localizedDescription)
      }
    case is NIOTooManyBytesError: self.init(.contentTooLarge, "the request's body is too long")
    case let error as HTTPError: self.init(error.status, error.body ?? error.status.reasonPhrase, error.headers)
    default: self.init(.internalServerError, error.localizedDescription)
    }
  }

  private struct Body: Encodable {
    var error: String
    var code: String?
  }

  var response: Response {
    var fields = fields
    fields[.cacheControl] = "no-store"
    return Response(status: status, json: Body(error: message, code: code), fields)
  }
}

extension Response {
  /// Encodes a value with sorted keys, so that equal values have equal bytes.
  init(status: HTTPResponse.Status = .ok, json value: some Encodable, _ fields: HTTPFields) {
    var fields = fields
    fields[.contentType] = "application/json; charset=utf-8"
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    // Encoding can't fail: the values contain only strings, integers and finite numbers.
    let body = (try? encoder.encode(value)) ?? Data()
    self.init(status: status, headers: fields, body: ResponseBody(byteBuffer: ByteBuffer(bytes: body)))
  }
}

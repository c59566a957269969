import Foundation
import HTTPTypes
import Hummingbird
import Photos

/// An answer that reports an error: a status and `{"error": "…"}`.
struct Failure: Error {
  var status: HTTPResponse.Status
  var message: String
  var fields: HTTPFields

  init(_ status: HTTPResponse.Status, _ message: String, _ fields: HTTPFields = [:]) {
    self.status = status
    self.message = message
    self.fields = fields
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
    default: self.init(.internalServerError, error.localizedDescription)
    }
  }

  var response: Response {
    var fields = fields
    fields[.cacheControl] = "no-store"
    return Response(status: status, json: ["error": message], fields)
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

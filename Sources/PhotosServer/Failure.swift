import Foundation
import HTTPTypes
import Hummingbird
import Photos

/// An answer that says what is wrong: a status, and `{"error": "…"}`.
struct Failure: Error {
  var status: HTTPResponse.Status
  var message: String
  var fields: HTTPFields

  init(_ status: HTTPResponse.Status, _ message: String, _ fields: HTTPFields = [:]) {
    self.status = status
    self.message = message
    self.fields = fields
  }

  /// The one place where errors become statuses.
  init(_ error: any Error) {
    switch error {
    case let failure as Failure: self = failure
    case let error as PHPhotosError:
      switch error.code {
      case .missingResource, .identifierNotFound: self.init(.notFound, error.localizedDescription)
      // The file itself is the cause, so a retry won't help.
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
  /// Keys are in alphabetical order, so that the same value is always the same bytes.
  init(status: HTTPResponse.Status = .ok, json value: some Encodable, _ fields: HTTPFields) {
    var fields = fields
    fields[.contentType] = "application/json; charset=utf-8"
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    // The values of the wire are strings, whole numbers and finite fractions.
    let body = (try? encoder.encode(value)) ?? Data()
    self.init(status: status, headers: fields, body: ResponseBody(byteBuffer: ByteBuffer(bytes: body)))
  }
}

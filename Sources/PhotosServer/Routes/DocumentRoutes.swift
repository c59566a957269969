import Foundation
import HTTPTypes
import Hummingbird
import NIOCore

/// Answers with the OpenAPI document, which describes the routes below `/api/v1`.
struct DocumentRoutes: Sendable {
  let file: URL

  func add(to routes: RouterGroup<ServerContext>) {
    routes.endpoint("api/v1/openapi.json", get: { request, _ in try await document(request) })
  }

  private func document(_ request: Request) async throws -> Response {
    let document = try await Blocking.run { [file] in
      guard let data = try? Data(contentsOf: file) else {
        throw Failure(.notFound, "this server has no OpenAPI document")
      }
      return data
    }
    let fields: HTTPFields = [.contentType: StableBody.ContentType.json.rawValue, .cacheControl: "private, no-store"]
    return Response(status: .ok, headers: fields, body: ResponseBody(byteBuffer: ByteBuffer(bytes: document)))
  }
}

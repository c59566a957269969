import Crypto
import Foundation
import HTTPTypes
import Hummingbird
import NIOCore
import Synchronization

/// Answers with the outlines of countries and the places of cities. Both come from `world.json`
/// alone, so they reveal nothing about the library.
final class MapRoutes: Sendable {
  private let file: URL
  private let known = Mutex<WorldMap?>(nil)

  init(file: URL) { self.file = file }

  func add(to routes: RouterGroup<ServerContext>) {
    routes.endpoint(
      "api/v1/map/outlines.svg",
      get: { [self] request, _ in Self.answer(request, Data(try await map().outlines.utf8), "image/svg+xml") })
    routes.endpoint(
      "api/v1/places",
      get: { [self] request, _ in
        guard let text = request.argument("q") else {
          throw Failure(.badRequest, "q has to be the beginning of a word in a city's name")
        }
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        let body = try encoder.encode(Places(places: try await map().cities(named: text)))
        return Self.answer(request, body, StableBody.ContentType.json.rawValue)
      })
  }

  private struct Places: Encodable { var places: [WorldMap.City] }

  private static func answer(_ request: Request, _ body: Data, _ type: String) -> Response {
    let tag = EntityTag(Secret.base64URL(Array(SHA256.hash(data: body).prefix(12))))
    var fields: HTTPFields = [
      .cacheControl: RevisionAnswer.cacheControl, .eTag: tag.value, .vary: Compression.vary,
    ]
    guard !tag.matches(request) else { return Response(status: .notModified, headers: fields) }
    fields[.contentType] = type
    return Response(status: .ok, headers: fields, body: ResponseBody(byteBuffer: ByteBuffer(bytes: body)))
  }

  private func map() async throws -> WorldMap {
    if let map = known.withLock({ $0 }) { return map }
    let map = try await Blocking.run { [file] in
      do { return try WorldMap(json: Data(contentsOf: file)) } catch CocoaError.fileReadNoSuchFile {
        throw Failure(.notFound, "this server has no map")
      }
    }
    known.withLock { $0 = map }
    return map
  }
}

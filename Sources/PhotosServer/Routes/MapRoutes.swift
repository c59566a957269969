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
  private let known = Mutex<Map?>(nil)

  private struct Map {
    var world: WorldMap
    var tag: EntityTag
  }

  init(file: URL) { self.file = file }

  func add(to routes: RouterGroup<ServerContext>) {
    routes.endpoint(
      "api/v1/map/outlines.svg",
      get: { [self] request, _ in
        let map = try await map()
        return Self.answer(request, map.tag) { fields in
          var fields = fields
          fields[.contentType] = "image/svg+xml"
          return Response(
            status: .ok, headers: fields, body: ResponseBody(byteBuffer: ByteBuffer(string: map.world.outlines)))
        }
      })
    routes.endpoint(
      "api/v1/places",
      get: { [self] request, _ in
        guard let text = request.argument("q") else {
          throw Failure(.badRequest, "q has to be the beginning of a word in a city's name")
        }
        let map = try await map()
        return Self.answer(request, map.tag) { Response(json: Places(places: map.world.cities(named: text)), $0) }
      })
  }

  private struct Places: Encodable { var places: [WorldMap.City] }

  /// Returns the answer with these fields, or 304 if the client has the map's tag.
  private static func answer(
    _ request: Request, _ tag: EntityTag, _ answer: (HTTPFields) -> Response
  ) -> Response {
    let fields: HTTPFields = [.cacheControl: RevisionAnswer.cacheControl, .eTag: tag.value]
    return tag.matches(request) ? Response(status: .notModified, headers: fields) : answer(fields)
  }

  private func map() async throws -> Map {
    if let map = known.withLock({ $0 }) { return map }
    let map = try await Blocking.run { [file] in
      guard let json = try? Data(contentsOf: file) else { throw Failure(.notFound, "this server has no map") }
      let hash = SHA256.hash(data: json).prefix(12)
      return Map(world: try WorldMap(json: json), tag: EntityTag(Secret.base64URL(Array(hash))))
    }
    known.withLock { $0 = map }
    return map
  }
}

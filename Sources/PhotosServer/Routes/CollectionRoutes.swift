import Hummingbird
import HummingbirdCore
import NIOCore
import Photos

/// Answers requests about collections and lists of assets.
struct CollectionRoutes: Sendable {
  let lists: AssetLists
  let pictures: GridPictures
  let inFlight: BytesInFlight

  func add(to routes: RouterGroup<ServerContext>) {
    routes.endpoint(
      "api/v1/collections",
      get: { request, context in
        try await lists.collections(of: context.requireLibrary()).value().response(to: request, inFlight, context)
      })
    let bodies: [(String, @Sendable (AssetList) -> SharedReading<StableBody>)] = [
      ("days", { $0.days }), ("aspects", { $0.aspects }), ("colors", { $0.colors }), ("locations", { $0.places }),
    ]
    for (name, body) in bodies {
      routes.endpoint(
        "api/v1/collections/:id/\(name)",
        get: { request, context in
          try await body(list(request, context)).value().response(to: request, inFlight, context)
        })
    }
    routes.endpoint(
      "api/v1/collections/:id/assets",
      get: { request, context in try await assets(list(request, context), request, context) })
    routes.endpoint(
      "api/v1/assets",
      get: { request, context in
        let source = AssetSource.predicate(request.argument("where"), sort: request.argument("sort"))
        return try await assets(lists.list(source, in: context.requireLibrary()), request, context)
      })
    routes.endpoint("api/v1/search", get: { request, context in try await search(request, context) })
  }

  private func list(_ request: Request, _ context: ServerContext) async throws -> AssetList {
    let source = try AssetSource.collection(context.parameter("id"), request)
    return try await lists.list(source, in: context.requireLibrary())
  }

  private func assets(_ list: AssetList, _ request: Request, _ context: ServerContext) async throws -> Response {
    let library = try context.requireLibrary()
    let query = request.uri.queryParameters
    let part = try ListPart(query)
    let listed = try await list.assets.value()
    return try await Blocking.run {
      if let id = query["at"] {
        let index = try listed.index(of: String(id))
        return Response(
          json: IndexAnswer(revision: listed.revision, index: index), [.cacheControl: "private, no-store"])
      }
      let offset = try part.offset(in: listed)
      if let answer = RevisionAnswer.unchanged(for: request, at: listed.moment) { return answer }
      // The browser requests the pictures of these assets next, even if the answer was kept.
      if library.client == nil { pictures.confirm(revision: listed.revision) }
      let body = try list.part(offset..<offset + part.limit) {
        let cells = try cells(listed, offset: offset, limit: part.limit, library)
        let answer = AssetsAnswer(revision: listed.revision, offset: offset, total: listed.count, assets: cells)
        let body = StableBody(ByteBuffer(bytes: answer.text.bytes), at: listed.moment, type: .json, .fast)
        // A list that was read after a change is not kept for the moment before it.
        return (body, isLasting: listed.moment == list.moment && cells.allSatisfy(\.isLasting))
      }
      return body.response(to: request, inFlight, context)
    }
  }

  private func cells(_ listed: ListedAssets, offset: Int, limit: Int, _ library: PHPhotoLibrary) throws -> [GridCell] {
    let assets = try listed.assets(offset: offset, limit: limit)
    if library.client == nil { pictures.insert(assets, revision: listed.revision) }
    return try GridCell.all(assets)
  }

  private func search(_ request: Request, _ context: ServerContext) async throws -> Response {
    let library = try context.requireLibrary()
    let query = request.uri.queryParameters
    guard let text = request.argument("q") else { throw Failure(.badRequest, "q has to be what to search for") }
    let part = try ListPart(query)
    let list = try await lists.list(.search(text), in: library)
    let listed = try await list.assets.value()
    let days = try await list.dayCounts.value()
    return try await Blocking.run {
      try RevisionAnswer.response(to: request, at: listed.moment) {
        let search = SearchQuery(text)
        if library.client == nil { pictures.confirm(revision: listed.revision) }
        return try SearchBody.text(
          search, listed, days: days, cells: cells(listed, offset: part.offset, limit: part.limit, library),
          suggestions: SearchSuggestion.all(for: search, in: library))
      }
    }
  }
}

/// The part of a list that a query asks for: from `offset` on, or `around` an asset.
struct ListPart: Sendable {
  var offset = 0
  var limit = 200
  private var middle: String?

  /// The largest number of assets in an answer, which limits the time that each request takes.
  static let largestLimit = 500

  init(_ query: FlatDictionary<Substring, Substring>) throws {
    if let text = query["offset"] { offset = try Self.number(text, of: "offset", in: 0...Int(Int32.max)) }
    if let text = query["limit"] { limit = try Self.number(text, of: "limit", in: 1...Self.largestLimit) }
    middle = query["around"].map(String.init)
  }

  /// Returns the index of the first asset. Throws 404 if the list does not contain the one in the
  /// middle.
  func offset(in listed: ListedAssets) throws -> Int {
    guard let middle else { return offset }
    guard let index = try listed.index(of: middle) else { throw Failure(.notFound, "there is no asset \(middle) here") }
    return max(0, min(index - limit / 2, listed.count - limit))
  }

  private static func number(_ text: Substring, of name: String, in range: ClosedRange<Int>) throws -> Int {
    guard let number = Int(text), range.contains(number) else {
      throw Failure(.badRequest, "\(name) has to be a number from \(range.lowerBound) to \(range.upperBound)")
    }
    return number
  }
}

/// The answer to `?at=`: the place of an asset in a list.
private struct IndexAnswer: Encodable {
  var revision: String
  var index: Int?

  func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(revision, forKey: .revision)
    // The key is there even if the asset is not.
    try container.encode(index, forKey: .index)
  }

  private enum CodingKeys: CodingKey { case revision, index }
}

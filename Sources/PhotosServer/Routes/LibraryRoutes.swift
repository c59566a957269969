import Foundation
import HTTPTypes
import Hummingbird
import HummingbirdCore
import NIOCore
import Photos
import PhotosJSON

/// Answers `/api` requests about the library and its assets.
struct LibraryRoutes: Sendable {
  let library: PHPhotoLibrary
  let timeline: Timeline
  let pictures: GridPictures

  func add(to routes: RouterGroup<ServerContext>) {
    routes.endpoint("api/library", get: { _, _ in try await library() })
    routes.endpoint("api/days", get: { request, _ in try await days(request) })
    routes.endpoint("api/assets", get: { request, _ in try await assets(request) })
    routes.endpoint("api/assets/:id", get: { _, context in try await asset(id: context.parameter("id")) })
  }

  private func library() async throws -> Response {
    let days = try await timeline.days()
    let answer = LibraryAnswer(
      name: library.url.deletingPathExtension().lastPathComponent, assetCount: days.total, revision: days.revision)
    return Response(json: answer, [.cacheControl: Self.notKept])
  }

  private func days(_ request: Request) async throws -> Response {
    let days = try await timeline.days()
    return answer(to: request, revision: days.revision) { ByteBuffer(bytes: days.body) }
  }

  private func assets(_ request: Request) async throws -> Response {
    let window = try TimelineRange(request.uri.queryParameters)
    let timeline = try await timeline.assets()
    return try await Blocking.run {
      try answer(to: request, revision: timeline.revision) {
        let assets = try timeline.assets(offset: window.offset, limit: window.limit)
        // The client requests the pictures of these assets next.
        pictures.confirm(revision: timeline.revision, now: .now())
        pictures.insert(assets, revision: timeline.revision)
        let placeholders = try PHImageManager.default().placeholders(for: assets)
        let cells = assets.map { GridCell($0, placeholder: placeholders[$0.localIdentifier]) }
        return ByteBuffer(
          bytes: AssetsAnswer(revision: timeline.revision, offset: window.offset, assets: cells).text.bytes)
      }
    }
  }

  /// Answers with the content of one revision, or with 304 if the client has that revision.
  private func answer(to request: Request, revision: String, _ body: () throws -> ByteBuffer) rethrows -> Response {
    let tag = EntityTag(revision)
    var fields: HTTPFields = [.cacheControl: Self.revalidateEachTime, .eTag: tag.value]
    if tag.matches(request) { return Response(status: .notModified, headers: fields) }
    fields[.contentType] = "application/json; charset=utf-8"
    return Response(status: .ok, headers: fields, body: ResponseBody(byteBuffer: try body()))
  }

  private func asset(id: Substring) async throws -> Response {
    let description = try await Blocking.run {
      try AssetDetailDescription(try PHAsset.withID(id, in: library))
    }
    return Response(json: description, [.cacheControl: Self.notKept])
  }

  /// Lets the browser keep an answer, but makes it ask again before each use.
  private static var revalidateEachTime: String { "private, no-cache" }
  private static var notKept: String { "private, no-store" }
}

/// The part of the timeline that a query asks for.
struct TimelineRange: Hashable {
  var offset = 0
  var limit = 200

  /// The largest number of assets in an answer, which limits the time that each request takes.
  static var largestLimit: Int { 500 }

  init(_ query: FlatDictionary<Substring, Substring>) throws {
    if let text = query["offset"] { offset = try Self.number(text, of: "offset", in: 0...Int(Int32.max)) }
    if let text = query["limit"] { limit = try Self.number(text, of: "limit", in: 1...Self.largestLimit) }
  }

  private static func number(_ text: Substring, of name: String, in range: ClosedRange<Int>) throws -> Int {
    guard let number = Int(text), range.contains(number) else {
      throw Failure(.badRequest, "\(name) has to be a number from \(range.lowerBound) to \(range.upperBound)")
    }
    return number
  }
}

extension PHAsset {
  /// Returns the asset with a UUID, even if it is hidden. Throws 404 if there is none.
  static func withID(_ id: Substring, in library: PHPhotoLibrary) throws -> PHAsset {
    let options = PHFetchOptions()
    options.photoLibrary = library
    let found = fetchAssets(withLocalIdentifiers: [String(id)], options: options)
    guard let asset = found.firstObject else {
      if let error = found.error { throw error }
      throw Failure(.notFound, "there is no asset \(id)")
    }
    return asset
  }
}

import Foundation
import HTTPTypes
import Hummingbird
import NIOCore
import Photos

/// Answers with pictures and movies. Their URLs contain a version and change with the content.
struct RenditionRoutes: Sendable {
  let library: PHPhotoLibrary
  /// The grid's cache. `GridPictureHandler` answers from it before a request reaches these routes.
  let pictures: GridPictures
  let inFlight: BytesInFlight
  let headers: SecurityHeaders
  let movieProgress: (@Sendable (PHAsset, Double) -> Void)?

  func add(to routes: RouterGroup<ServerContext>) {
    routes.endpoint(
      "renditions/:id/:version/video",
      get: { request, context in
        try await movie(id: context.parameter("id"), version: context.parameter("version"), request, context)
      })
    routes.endpoint(
      "renditions/:id/:version/:kind",
      get: { request, context in
        guard let kind = AssetRendition.Kind(rawValue: String(try context.parameter("kind"))) else {
          throw Failure(.notFound, "\(request.uri.path) does not exist")
        }
        return try await picture(
          id: context.parameter("id"), version: context.parameter("version"), kind, request, context)
      })
  }

  private func picture(
    id: Substring, version: Substring, _ kind: AssetRendition.Kind, _ request: Request, _ context: ServerContext
  ) async throws -> Response {
    if kind == .grid { return try await gridPicture(id: id, version: version).response }
    let asset = try await asset(id: id, version: version)
    let rendition = try await PHImageManager.default().rendition(kind, for: asset)
    guard let file = rendition.file else {
      return PictureAnswer(rendition, headers, isOfDamagedFile: try await isDamaged(asset)).response
    }
    return try await answer(file, of: asset).response(to: request, context)
  }

  /// Answers with a file whose URL changes with its content. If a file of the asset is known to be
  /// damaged, the answer is not kept.
  private func answer(_ reader: FileReader, of asset: PHAsset) async throws -> FileAnswer {
    let isDamaged = try await isDamaged(asset)
    return FileAnswer(
      reader: reader, tag: isDamaged ? nil : EntityTag(asset.renditionVersion),
      fields: [
        .contentType: ContentType.of(uniformTypeIdentifier: reader.uniformTypeIdentifier),
        .cacheControl: isDamaged ? "no-store" : PictureAnswer.immutableCacheControl,
      ], inFlight: inFlight)
  }

  private func isDamaged(_ asset: PHAsset) async throws -> Bool {
    try await Blocking.run { try asset.hasDamagedFiles() }
  }

  /// Returns a grid picture. If the picture is in the cache, the library isn't asked; if its asset
  /// is, the library is asked once.
  private func gridPicture(id: Substring, version: Substring) async throws -> PictureAnswer {
    let revision = confirmedRevision()
    let address = GridPictures.address(id: id, version: version)
    if let answer = pictures.picture(at: address, now: .now()) { return answer }
    let asset: PHAsset
    if let known = pictures.asset(id: id, revision: revision), known.renditionVersion == version {
      asset = known
    } else {
      asset = try await self.asset(id: id, version: version)
    }
    let rendition = try await PHImageManager.default().rendition(.grid, for: asset)
    let answer = PictureAnswer(rendition, headers, isOfDamagedFile: try await isDamaged(asset))
    if answer.isKept { pictures.insert(answer, at: address, revision: revision) }
    return answer
  }

  private func confirmedRevision() -> String {
    if let revision = pictures.revision(now: .now()) { return revision }
    let revision = library.currentChangeToken.stringValue
    pictures.confirm(revision: revision, now: .now())
    return revision
  }

  private func movie(
    id: Substring, version: Substring, _ request: Request, _ context: ServerContext
  ) async throws -> Response {
    let asset = try await asset(id: id, version: version)
    let manager = PHImageManager.default()
    let atHand = try await manager.playableMovieAtHand(for: asset)
    let reader: FileReader
    if let atHand {
      reader = atHand
    } else if request.method == .head {
      // Otherwise a `HEAD` request would cost minutes of encoding.
      return Response(status: .noContent, headers: [.cacheControl: "no-store"])
    } else if context.channel != nil {
      // Encoding is cancelled if the browser disconnects. The connection can't be used for another
      // request after that.
      reader = try await request.body.consumeWithCancellationOnInboundClose { [movieProgress] _ in
        try await manager.playableMovie(for: asset) { movieProgress?(asset, $0) }
      }
    } else {
      reader = try await manager.playableMovie(for: asset) { [movieProgress] in movieProgress?(asset, $0) }
    }
    return try await answer(reader, of: asset).response(to: request, context)
  }

  private func asset(id: Substring, version: Substring) async throws -> PHAsset {
    try await Blocking.run {
      let asset = try PHAsset.withID(id, in: library)
      guard asset.renditionVersion == version else {
        throw Failure(.notFound, "\(version) is not the version of asset \(id) any more")
      }
      return asset
    }
  }
}

import Foundation
import HTTPTypes
import Hummingbird
import NIOCore
import Photos

/// Answers with pictures and movies. Their URLs contain a version and change with the content.
struct RenditionRoutes: Sendable {
  /// The cache of the owner's grid. `GridPictureHandler` answers from it before a request reaches
  /// these routes.
  let pictures: GridPictures
  let inFlight: BytesInFlight
  let headers: SecurityHeaders
  let movieProgress: (@Sendable (PHAsset, Double) -> Void)?
  private let movies = MoviesInProgress()

  init(
    pictures: GridPictures, inFlight: BytesInFlight, headers: SecurityHeaders,
    movieProgress: (@Sendable (PHAsset, Double) -> Void)?
  ) {
    self.pictures = pictures
    self.inFlight = inFlight
    self.headers = headers
    self.movieProgress = movieProgress
  }

  func add(to routes: RouterGroup<ServerContext>) {
    routes.endpoint(
      "api/v1/renditions/:id/:version/video",
      get: { request, context in
        try await movie(id: context.parameter("id"), version: context.parameter("version"), request, context)
      })
    routes.endpoint(
      "api/v1/renditions/:id/:version/:kind",
      get: { request, context in
        guard let kind = AssetRendition.Kind(rawValue: String(try context.parameter("kind"))) else {
          throw Failure(.notFound, "\(request.uri.path) does not exist")
        }
        return try await picture(
          id: context.parameter("id"), version: context.parameter("version"), kind: kind, request, context)
      })
  }

  private func picture(
    id: Substring, version: Substring, kind: AssetRendition.Kind, _ request: Request, _ context: ServerContext
  ) async throws -> Response {
    let library = try context.requireLibrary()
    if kind == .grid, library.client == nil {
      return try await gridPicture(id: id, version: version, library, context).response
    }
    let asset = try await asset(id: id, version: version, library)
    let (rendition, mayBeKept) = try await rendition(kind, of: asset, context)
    guard let file = rendition.file else {
      return PictureAnswer(rendition, headers, mayBeKept: mayBeKept).response
    }
    return try await answer(file, of: asset, mayBeKept: mayBeKept, context).response(to: request, context)
  }

  /// Makes a picture, and finds out whether browsers may keep it.
  private func rendition(
    _ kind: AssetRendition.Kind, of asset: PHAsset, _ context: ServerContext
  ) async throws -> (AssetRendition, mayBeKept: Bool) {
    try await context.keepingAccess(to: asset.uuid) {
      (try await PHImageManager.default().rendition(kind, for: asset), try await mayBeKept(asset))
    }
  }

  /// Answers with a file whose URL changes with its content.
  private func answer(
    _ reader: FileReader, of asset: PHAsset, mayBeKept: Bool, _ context: ServerContext
  ) -> FileAnswer {
    var fields = PictureAnswer.cachingFields(mayBeKept: mayBeKept)
    fields[.contentType] = ContentType.of(uniformTypeIdentifier: reader.uniformTypeIdentifier)
    return FileAnswer(
      reader: reader, tag: mayBeKept ? EntityTag(asset.renditionVersion) : nil, fields: fields, inFlight: inFlight,
      checkAccess: { try await context.checkAccess(to: asset.uuid) })
  }

  /// Returns whether browsers may keep the asset's pictures. Damaged files may become whole, and
  /// hidden assets are locked again.
  private func mayBeKept(_ asset: PHAsset) async throws -> Bool {
    guard !asset.isHidden else { return false }
    return try await Blocking.run { try !asset.hasDamagedFiles() }
  }

  /// Returns a grid picture. If the picture is in the cache, the library isn't asked.
  private func gridPicture(
    id: Substring, version: Substring, _ library: PHPhotoLibrary, _ context: ServerContext
  ) async throws -> PictureAnswer {
    let revision = try await confirmedRevision(of: library)
    let address = GridPictures.address(id: id, version: version)
    if let answer = pictures.picture(at: address) { return answer }
    let asset: PHAsset
    if let known = pictures.asset(id: id, revision: revision), known.renditionVersion == version {
      asset = known
    } else {
      asset = try await self.asset(id: id, version: version, library)
    }
    let (rendition, mayBeKept) = try await rendition(.grid, of: asset, context)
    let answer = PictureAnswer(rendition, headers, mayBeKept: mayBeKept)
    if answer.isKept { pictures.insert(answer, at: address, revision: revision) }
    return answer
  }

  private func confirmedRevision(of library: PHPhotoLibrary) async throws -> String {
    if let revision = pictures.revision { return revision }
    let revision = try await Blocking.run { library.currentChangeToken.stringValue }
    pictures.confirm(revision: revision)
    return revision
  }

  private func movie(
    id: Substring, version: Substring, _ request: Request, _ context: ServerContext
  ) async throws -> Response {
    let asset = try await asset(id: id, version: version, context.requireLibrary())
    let manager = PHImageManager.default()
    // A browser that plays a movie asks again. One that copies a movie has given it up.
    let isOnce = request.uri.queryParameters["once"] != nil
    let found = try await context.keepingAccess(to: asset.uuid) { () -> (reader: FileReader, mayBeKept: Bool)? in
      var reader = try await manager.existingPlayableMovie(for: asset)
      // Otherwise a `HEAD` request would cost minutes of encoding.
      if reader == nil, request.method != .head {
        // Encoding is canceled if the browser disconnects.
        reader = try await context.whileClientStays { [movies, movieProgress] in
          defer { movies.end(asset) }
          return try await manager.playableMovie(for: asset, endsAtOnce: isOnce) {
            movies.report($0, of: asset)
            movieProgress?(asset, $0)
          }
        }
      }
      guard let reader else { return nil }
      return (reader, try await mayBeKept(asset))
    }
    guard let found else {
      var fields: HTTPFields = [.cacheControl: "no-store"]
      fields[.progress] = movies.progress(of: asset).map { String($0) }
      return Response(status: .noContent, headers: fields)
    }
    return try await answer(found.reader, of: asset, mayBeKept: found.mayBeKept, context)
      .response(to: request, context)
  }

  private func asset(
    id: Substring, version: Substring, _ library: PHPhotoLibrary
  ) async throws -> PHAsset {
    try await Blocking.run {
      let asset = try PHAsset.withID(id, in: library)
      guard asset.renditionVersion == version else {
        throw Failure(.notFound, "\(version) is not the version of asset \(id) any more")
      }
      return asset
    }
  }
}

import HTTPTypes
import Hummingbird
import Photos

/// Answers with originals, byte for byte, as downloads under their own names. Anybody may have made
/// the files, so a browser gets them as pictures, movies or downloads only.
struct ResourceRoutes: Sendable {
  let inFlight: BytesInFlight

  func add(to routes: RouterGroup<ServerContext>) {
    routes.endpoint(
      "api/v1/resources/:id/:index",
      get: { request, context in
        guard let index = Int(try context.parameter("index")), index >= 0 else {
          throw Failure(.notFound, "\(request.uri.path) does not exist")
        }
        if let destination = request.headers[.secFetchDest], !Self.destinations.contains(destination) {
          throw Failure(.forbidden, "an original is a picture, a movie or a download, but not a \(destination)")
        }
        return try await resource(id: context.parameter("id"), index: index, request, context)
      })
  }

  /// The values of `Sec-Fetch-Dest` with which originals are sent. A script that reads bytes sends
  /// `empty`, and a link to a download sends `document` or `empty`.
  private static let destinations: Set = ["empty", "document", "image", "video", "audio"]

  private func resource(
    id: Substring, index: Int, _ request: Request, _ context: ServerContext
  ) async throws -> Response {
    let library = try context.requireLibrary()
    let (resource, reader, isDamaged, isHidden) = try await Blocking.run {
      let asset = try PHAsset.withID(id, in: library)
      let resources = try asset.storedResources
      guard resources.indices.contains(index) else {
        throw Failure(.notFound, "asset \(id) has \(resources.count) resources, and none with the number \(index)")
      }
      let reader = try PHAssetResourceManager.default().reader(for: resources[index])
      return (resources[index], reader, try asset.hasDamagedFiles(), asset.isHidden)
    }
    return try await FileAnswer(
      reader: reader, tag: isDamaged ? nil : EntityTag(resource.sha256),
      fields: [
        .contentType: ContentType.of(uniformTypeIdentifier: resource.uniformTypeIdentifier),
        .contentDisposition: ContentDisposition.attachment(filename: resource.originalFilename),
        .contentSecurityPolicy: SecurityHeaders.originalPolicy,
        .cacheControl: isDamaged || isHidden ? "no-store" : "private, no-cache",
      ], inFlight: inFlight, checkAccess: { [id = String(id)] in try await context.checkAccess(to: id) }
    ).response(to: request, context)
  }
}

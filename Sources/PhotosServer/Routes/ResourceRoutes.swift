import HTTPTypes
import Hummingbird
import Photos

/// Answers with originals, byte for byte, as downloads under their own names.
struct ResourceRoutes: Sendable {
  let library: PHPhotoLibrary
  let inFlight: BytesInFlight

  func add(to routes: RouterGroup<ServerContext>) {
    routes.endpoint(
      "resources/:id/:index",
      get: { request, context in
        guard let index = Int(try context.parameter("index")), index >= 0 else {
          throw Failure(.notFound, "\(request.uri.path) does not exist")
        }
        return try await resource(id: context.parameter("id"), index: index, request, context)
      })
  }

  private func resource(
    id: Substring, index: Int, _ request: Request, _ context: ServerContext
  ) async throws -> Response {
    let (resource, reader, isDamaged) = try await Blocking.run {
      let asset = try PHAsset.withID(id, in: library)
      let resources = asset.storedResources
      guard resources.indices.contains(index) else {
        throw Failure(.notFound, "asset \(id) has \(resources.count) resources, and none with the number \(index)")
      }
      let reader = try PHAssetResourceManager.default().reader(for: resources[index])
      return (resources[index], reader, try asset.hasDamagedFiles())
    }
    return try await FileAnswer(
      reader: reader, tag: isDamaged ? nil : EntityTag(resource.sha256),
      fields: [
        .contentType: ContentType.of(uniformTypeIdentifier: resource.uniformTypeIdentifier),
        .contentDisposition: ContentDisposition.attachment(filename: resource.originalFilename),
        .contentSecurityPolicy: SecurityHeaders.originalPolicy,
        .cacheControl: isDamaged ? "no-store" : "private, no-cache",
      ], inFlight: inFlight
    ).response(to: request, context)
  }
}

import Foundation
import HTTPTypes
import Hummingbird
import Photos

/// Answers requests about the library itself and about one asset.
struct LibraryRoutes: Sendable {
  let lists: AssetLists

  func add(to routes: RouterGroup<ServerContext>) {
    routes.endpoint("api/v1/library", get: { _, context in try await library(context.requireLibrary()) })
    routes.endpoint(
      "api/v1/assets/:id",
      get: { _, context in try await asset(id: context.parameter("id"), context.requireLibrary()) })
  }

  private func library(_ library: PHPhotoLibrary) async throws -> Response {
    let all = try await lists.list(.collection("userLibrary", order: nil), in: library).assets.value()
    let (status, isReadable) = try await Blocking.run {
      let status = LibraryAnswer.Status(
        readWrite: try library.readAuthorizationStatus(for: .readWrite).name,
        addOnly: try library.readAuthorizationStatus(for: .addOnly).name)
      return (status, try library.isReadable())
    }
    // A client that sees nothing of the library does not learn its name either.
    let name = isReadable ? library.url.deletingPathExtension().lastPathComponent : ""
    let answer = LibraryAnswer(
      name: name, assetCount: all.count, revision: all.revision, status: status, features: Self.features,
      isOwner: library.client == nil)
    return Response(json: answer, [.cacheControl: Self.notKept])
  }

  private static let features = ["changes", "downloads", "search", "undo", "uploads"]

  private func asset(id: Substring, _ library: PHPhotoLibrary) async throws -> Response {
    let answer = try await Blocking.run {
      // The parts are read one after another. They are read again if a commit came between them,
      // but not for ever while an import commits.
      var token = library.currentChangeToken
      for _ in 1..<Self.readings {
        let answer = try AssetAnswer(PHAsset.withID(id, in: library))
        let present = library.currentChangeToken
        if present == token { return answer }
        token = present
      }
      return try AssetAnswer(PHAsset.withID(id, in: library))
    }
    return Response(json: answer, [.cacheControl: Self.notKept])
  }

  /// The number of times that an asset is read at most.
  private static let readings = 8
  private static let notKept = "private, no-store"
}

extension PHAsset {
  /// Returns the asset with a UUID, even if it is hidden, and for the owner also if it is in
  /// Recently Deleted. Throws 404 if there is none.
  static func withID(_ id: Substring, in library: PHPhotoLibrary) throws -> PHAsset {
    guard let asset = try PHAsset.fetchAsset(withUUID: String(id), in: library) else { throw unknown(id) }
    return asset
  }

  /// The answer to a request about an asset that the requester does not see.
  static func unknown(_ id: Substring) -> Failure { Failure(.notFound, "there is no asset \(id)") }
}

import Essentials
import Foundation
import HTTPTypes
import Hummingbird
import Photos

/// Answers `/api/v1/uploads` and `/api/v1/imports`.
struct UploadRoutes: Sendable {
  let uploads: Uploads
  let imports: Imports

  private static let path = "/api/v1/uploads"
  private static let partialUpload = "application/partial-upload"
  /// The number of files in one request.
  private static let largestCount = 1000
  private static let bodyLimit = 1 << 20

  init(_ uploads: Uploads) {
    self.uploads = uploads
    imports = Imports(uploads)
  }

  func add(to routes: RouterGroup<ServerContext>) {
    routes.endpoint(
      "api/v1/uploads", post: { request, context in try await create(request, context) },
      options: { _, _ in
        Response(
          status: .noContent,
          headers: [
            .allow: "POST, OPTIONS", .acceptPatch: Self.partialUpload, .uploadLimit: uploads.limitField(nil),
          ])
      })
    routes.endpoint("api/v1/uploads/check", post: { request, context in try await check(request, context) })
    routes.endpoint(
      "api/v1/uploads/:id",
      get: { _, context in
        let state = try await uploads.state(of: id(context), by: context.requireAskerName())
        return Response(status: .noContent, headers: fields(of: state))
      },
      patch: { request, context in try await append(request, context) },
      delete: { _, context in
        try await uploads.delete(id(context), by: context.requireAskerName())
        return Response(status: .noContent, headers: [.cacheControl: "no-store"])
      })
    routes.endpoint("api/v1/imports", post: { request, context in try await makeAssets(request, context) })
  }

  private func id(_ context: ServerContext) throws -> String {
    try UploadID.checked(context.parameter("id"))
  }

  private func create(_ request: Request, _ context: ServerContext) async throws -> Response {
    let library = try context.requireLibrary()
    try await Blocking.run { try library.require(.adding) }
    let state = try await uploads.create(UploadFields(request.headers), incoming(request, context))
    var fields = fields(of: state)
    fields[.location] = "\(Self.path)/\(state.id)"
    return Response(status: .created, json: ["upload": state.id], fields)
  }

  private func append(_ request: Request, _ context: ServerContext) async throws -> Response {
    let library = try context.requireLibrary()
    try await Blocking.run { try library.require(.adding) }
    try request.requireType(Self.partialUpload)
    let state = try await uploads.append(
      UploadFields(request.headers), to: id(context), incoming(request, context))
    let fields = fields(of: state)
    guard state.isComplete else { return Response(status: .noContent, headers: fields) }
    return Response(json: ["upload": state.id], fields)
  }

  private func incoming(_ request: Request, _ context: ServerContext) throws -> Uploads.Incoming {
    let library = try context.requireLibrary()
    return Uploads.Incoming(asker: try context.requireAskerName(), body: request.body, channel: context.channel) {
      try await context.requireValidAsker()
      try await Blocking.run { try library.require(.adding) }
    }
  }

  private func fields(of state: Uploads.State) -> HTTPFields {
    var fields: HTTPFields = [
      .uploadOffset: String(state.offset), .uploadComplete: state.isComplete ? "?1" : "?0",
      .uploadLimit: uploads.limitField(state), .cacheControl: "no-store",
    ]
    fields[.uploadLength] = state.length.map(String.init)
    return fields
  }

  // MARK: Known files

  private struct CheckBody: Decodable {
    struct File: Decodable {
      var sha256: String
      var bytes: Int
    }
    var files: [File]
  }

  private struct CheckAnswer: Encodable { var known: [String?] }

  private func check(_ request: Request, _ context: ServerContext) async throws -> Response {
    let library = try context.requireLibrary()
    let files = try await request.json(CheckBody.self, upTo: Self.bodyLimit).files
    guard files.count <= Self.largestCount else {
      throw Failure(.badRequest, "files: a request may name at most \(Self.largestCount) files")
    }
    let hashes = try files.map { file in
      guard let sha256 = [UInt8](hexadecimal: file.sha256), sha256.count == 32 else {
        throw Failure(.badRequest, "sha256 has to be 64 hexadecimal digits, not \(file.sha256.prefix(80))")
      }
      return Data(sha256)
    }
    let known = try await Blocking.run { try library.assets(withFiles: hashes) }
    return Response(json: CheckAnswer(known: known), [.cacheControl: "private, no-store"])
  }

  // MARK: Imports

  private struct ImportBody: Decodable {
    var uploads: [String]
    var album: String?
    var bringsBackDeleted: Bool?
  }

  private struct ImportAnswer: Encodable {
    struct File: Encodable {
      var upload: String
      var name: String
      var outcome: UploadRecord.Outcome.Kind
      var asset: String?
      var reason: String?
    }
    var revision: String?
    var files: [File]
  }

  private func makeAssets(_ request: Request, _ context: ServerContext) async throws -> Response {
    let library = try context.requireLibrary()
    let asker = try context.requireAskerName()
    try await Blocking.run { try library.require(.adding) }
    let body = try await request.json(ImportBody.self, upTo: Self.bodyLimit)
    let ids = try body.uploads.map { try UploadID.checked($0) }
    guard (1...Self.largestCount).contains(ids.count), Set(ids).count == ids.count else {
      throw Failure(.badRequest, "uploads has to have 1 to \(Self.largestCount) different identifiers")
    }
    let album = try await Blocking.run { try body.album.map { try library.requireAlbum($0) } }
    let imported = try await imports.run(
      .init(uploads: ids, album: album, bringsBackDeleted: body.bringsBackDeleted ?? false), by: asker, in: library)
    try await context.requireValidAsker()
    // A client that may only add learns no identifiers, and nobody those of locked photos.
    let (canRead, seen) = try await Blocking.run {
      guard try library.isReadable() else { return (false, Set<String>()) }
      let options = PHFetchOptions()
      options.photoLibrary = library
      options.includeHiddenAssets = true
      options.includeAllBurstAssets = true
      let added = imported.files.compactMap(\.outcome.asset)
      let found = try PHAsset.fetchAssets(withLocalIdentifiers: added, options: options).all()
      return (true, Set(found.map(\.uuid)))
    }
    let answer = ImportAnswer(
      revision: canRead ? imported.revision.stringValue : nil,
      files: zip(ids, imported.files).map { id, file in
        .init(
          upload: id, name: file.name, outcome: file.outcome.kind,
          asset: file.outcome.asset.flatMap { seen.contains($0) ? $0 : nil },
          reason: file.outcome.reason)
      })
    return Response(json: answer, [.cacheControl: "private, no-store"])
  }
}

extension PHPhotoLibrary {
  /// Returns the album with an identifier. Throws unless the asker may add to it.
  fileprivate func requireAlbum(_ id: String) throws -> PHAssetCollection {
    try require(.albums)
    let options = PHFetchOptions()
    options.photoLibrary = self
    let found = PHAssetCollection.fetchAssetCollections(withLocalIdentifiers: [id], options: options)
    guard let album = try found.first() else { throw Failure(.notFound, "there is no album \(id)") }
    guard try album.isAllowed(.addContent) else {
      throw Failure(.unprocessableContent, "album: nothing can be added to “\(album.localizedTitle ?? id)”")
    }
    return album
  }
}

import Foundation
import HTTPTypes
import Hummingbird
import NIOCore
import Photos

/// Pictures and movies, whose addresses change when they do.
struct RenditionRoutes: Sendable {
  let library: PHPhotoLibrary
  /// The grid's pictures at hand, which `GridPictureHandler` answers with before a request comes here.
  let pictures: GridPictures

  func picture(id: Substring, version: Substring, _ kind: PHRenditionKind) async throws -> Response {
    guard kind == .grid else {
      return PictureAnswer(try await rendition(kind, id: id, version: version)).response
    }
    let revision = library.currentChangeToken.stringValue
    pictures.confirm(revision: revision, now: .now())
    let address = GridPictures.address(id: id, version: version)
    if let answer = pictures.answer(at: address, now: .now()) { return answer.response }
    let answer = PictureAnswer(try await rendition(.grid, id: id, version: version))
    pictures.insert(answer, at: address, revision: revision)
    return answer.response
  }

  func movie(id: Substring, version: Substring, _ request: Request) async throws -> Response {
    let reader = try await PHImageManager.default().playableMovie(for: asset(id: id, version: version))
    return FileAnswer(
      reader: reader, tag: EntityTag("\(version)"),
      fields: [
        .contentType: ContentType.of(uniformTypeIdentifier: reader.uniformTypeIdentifier),
        .cacheControl: PictureAnswer.keptForEver,
      ]
    ).response(to: request)
  }

  private func rendition(_ kind: PHRenditionKind, id: Substring, version: Substring) async throws -> PHRendition {
    try await PHImageManager.default().rendition(kind, for: asset(id: id, version: version))
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

/// A picture as it is answered with: its headers, and its bytes.
struct PictureAnswer: Sendable {
  let fields: HTTPFields
  let body: ByteBuffer

  /// In the browser of this machine's user; no cache that others share.
  static let keptForEver = "private, max-age=31536000, immutable"

  init(_ rendition: PHRendition) {
    var fields: HTTPFields = [
      .contentType: ContentType.of(uniformTypeIdentifier: rendition.uniformTypeIdentifier),
      .cacheControl: Self.keptForEver,
    ]
    if rendition.uniformTypeIdentifier == "public.svg-image" {
      fields[.contentSecurityPolicy] = SecurityHeaders.drawnPicturePolicy
    }
    SecurityHeaders.add(to: &fields)
    fields[.contentLength] = String(rendition.data.count)
    self.init(fields: fields, body: ByteBuffer(bytes: rendition.data))
  }

  init(fields: HTTPFields, body: ByteBuffer) {
    self.fields = fields
    self.body = body
  }

  var response: Response { Response(status: .ok, headers: fields, body: ResponseBody(byteBuffer: body)) }
}

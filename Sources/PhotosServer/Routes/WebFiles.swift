import Foundation
import HTTPTypes
import Hummingbird
import NIOCore

/// The web app's files, as they are on the disk now.
struct WebFiles: Sendable {
  private let folder: String

  init(folder: URL) { self.folder = folder.resolvingSymlinksInPath().path }

  /// `path` as `WebPath` gives it.
  func file(_ path: String, _ request: Request) async throws -> Response {
    let file = try await Blocking.run { try load(path) }
    let fields: HTTPFields = [
      .contentType: ContentType.of(filename: path), .cacheControl: "no-cache", .eTag: file.tag.value,
      .lastModified: file.lastModified,
    ]
    let isHeld =
      request.headers[.ifNoneMatch].map(file.tag.isNamed(in:))
      ?? (request.headers[.ifModifiedSince] == file.lastModified)
    if isHeld { return Response(status: .notModified, headers: fields) }
    return Response(status: .ok, headers: fields, body: ResponseBody(byteBuffer: file.body))
  }

  private struct File {
    var tag: EntityTag
    var lastModified: String
    var body: ByteBuffer
  }

  private func load(_ path: String) throws -> File {
    let url = URL(fileURLWithPath: "\(folder)/\(path)").resolvingSymlinksInPath()
    // A symbolic link doesn't lead out of the folder either.
    guard url.path.hasPrefix(folder + "/"),
      let attributes = try? FileManager.default.attributesOfItem(atPath: url.path),
      attributes[.type] as? FileAttributeType == .typeRegular, let date = attributes[.modificationDate] as? Date,
      let data = try? Data(contentsOf: url)
    else { throw Failure(.notFound, "there is no file \(path)") }
    return File(
      tag: EntityTag("\(Int(date.timeIntervalSince1970 * 1000))-\(data.count)"), lastModified: HTTPDate.string(date),
      body: ByteBuffer(bytes: data))
  }
}

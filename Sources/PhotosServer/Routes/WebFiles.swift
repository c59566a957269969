import Foundation
import HTTPTypes
import Hummingbird
import NIOCore

/// Answers with the web app's files. Each request reads its file from the disk.
struct WebFiles: Sendable {
  private let folder: String

  init(folder: URL) { self.folder = folder.resolvingSymlinksInPath().path }

  /// Answers with one file. `path` is a result of `WebPath.file(of:)`.
  func file(_ path: String, _ request: Request) async throws -> Response {
    let file = try await Blocking.run { try load(path) }
    let fields: HTTPFields = [
      .contentType: ContentType.of(filename: path), .cacheControl: "no-cache", .eTag: file.tag.value,
      .lastModified: file.lastModified,
    ]
    let isHeld =
      request.headers[.ifNoneMatch].map(file.tag.isListed(in:))
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
    // Symbolic links that lead out of the folder are refused.
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

import Foundation
import HTTPTypes
import Hummingbird
import HummingbirdCore
import Photos
import Synchronization

@testable import PhotosServer

/// A server that is called without a socket. Its new library is removed with it.
final class TestServer: Sendable {
  let folder: URL
  let library: PHPhotoLibrary
  private let responder: ServerResponder

  static let port = 2839

  /// Creates a server of `library`, or of a new library.
  init(library: PHPhotoLibrary? = nil, limits: ServerLimits = ServerLimits(connections: 16)) throws {
    folder = FileManager.default.temporaryDirectory.appendingPathComponent("PhotosServerTests-\(UUID().uuidString)")
    let web = folder.appendingPathComponent("Web")
    try FileManager.default.createDirectory(
      at: web.appendingPathComponent("elements"), withIntermediateDirectories: true)
    try Data("<!doctype html>".utf8).write(to: web.appendingPathComponent("index.html"))
    try Data("export {}".utf8).write(to: web.appendingPathComponent("elements/photo-grid.js"))
    try Data("a secret".utf8).write(to: folder.appendingPathComponent("secret.txt"))
    self.library = try library ?? PHPhotoLibrary(url: folder.appendingPathComponent("Summer.calotype"))
    responder = try buildApplication(
      library: self.library, configuration: .init(port: Self.port, webFolder: web), limits: limits
    ).responder
  }

  deinit { try? FileManager.default.removeItem(at: folder) }

  var webFolder: URL { folder.appendingPathComponent("Web") }

  struct Answer {
    var status: Int
    var fields: HTTPFields
    var body: Data
    var text: String { String(decoding: body, as: UTF8.self) }

    func field(_ name: String) -> String? { HTTPField.Name(name).flatMap { fields[$0] } }
  }

  var token: String { responder.gate.token.value }

  /// Sends a request and returns the response. If `isSignedIn` is true, the request has the token,
  /// like that of a program.
  func ask(
    _ path: String, _ fields: [String: String] = [:], method: String = "GET", host: String? = "localhost:2839",
    isSignedIn: Bool = true
  ) async throws -> Answer {
    let response = try await response(to: path, fields, method: method, host: host, isSignedIn: isSignedIn)
    let written = WrittenBody()
    try await response.body.write(written)
    return Answer(status: response.status.code, fields: response.headers, body: written.data)
  }

  /// Returns the response without reading its body.
  func response(
    to path: String, _ fields: [String: String] = [:], method: String = "GET", host: String? = "localhost:2839",
    isSignedIn: Bool = true
  ) async throws -> Response {
    var headers = HTTPFields()
    if isSignedIn { headers[.authorization] = "Bearer \(token)" }
    for (name, value) in fields {
      if let name = HTTPField.Name(name) { headers[name] = value }
    }
    let head = HTTPRequest(
      method: .init(method) ?? .get, scheme: "http", authority: host, path: path, headerFields: headers)
    return try await responder.respond(
      to: Request(head: head, body: RequestBody(buffer: ByteBuffer())), context: .init())
  }
}

private final class WrittenBody: ResponseBodyWriter {
  private let bytes = Mutex(Data())

  var data: Data { bytes.withLock { $0 } }
  func write(_ buffer: ByteBuffer) async throws { bytes.withLock { $0 += Data(buffer.readableBytesView) } }
  func finish(_ trailers: HTTPFields?) async throws {}
}

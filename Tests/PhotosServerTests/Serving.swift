import Foundation
import Photos
import Testing

@testable import PhotosServer

/// Serves the library while `body` runs, and then stops the server.
func serving<Value: Sendable>(
  _ server: TestServer, limits: ServerLimits? = nil, movieProgress: (@Sendable (PHAsset, Double) -> Void)? = nil,
  _ body: @escaping @Sendable (URL) async throws -> Value
) async throws -> Value {
  let photosServer = PhotosServer(
    library: server.library,
    configuration: .init(port: 0, webFolder: server.webFolder, movieProgress: movieProgress), limits: limits)
  let (urls, ready) = AsyncStream.makeStream(of: URL.self)
  let running = Task { try await photosServer.run { ready.yield($0) } }
  var iterator = urls.makeAsyncIterator()
  let url = try #require(await iterator.next())
  let result = await Task { try await body(url) }.result
  running.cancel()
  _ = await running.result
  return try result.get()
}

/// Returns the header fields that a program with the server's address sends.
func head(_ url: URL) -> String {
  let token = url.query?.split(separator: "=").last ?? ""
  return "Host: 127.0.0.1:\(url.port ?? 0)\r\nAuthorization: Bearer \(token)\r\n"
}

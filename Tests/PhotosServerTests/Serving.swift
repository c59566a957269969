import Foundation
import Photos
import Testing

@testable import PhotosServer

/// Serves the library while `body` runs, and then stops the server. The address that `body` gets
/// contains the token of a session.
func serving<Value: Sendable>(
  _ server: TestServer, limits: ServerLimits? = nil, movieProgress: (@Sendable (PHAsset, Double) -> Void)? = nil,
  _ body: @escaping @Sendable (URL) async throws -> Value
) async throws -> Value {
  let photosServer = PhotosServer(
    library: server.library,
    configuration: .init(port: 0, webFolder: server.webFolder, movieProgress: movieProgress), limits: limits)
  let (addresses, ready) = AsyncStream.makeStream(of: URL.self)
  let running = Task { try await photosServer.run { ready.yield($0.address) } }
  var iterator = addresses.makeAsyncIterator()
  let port = try #require(await iterator.next()?.port)
  let url = try signedInURL(of: server.library, port: port)
  let result = await Task { try await body(url) }.result
  running.cancel()
  _ = await running.result
  return try result.get()
}

/// Begins a session, and returns an address with its token for `head`.
func signedInURL(of library: PHPhotoLibrary, port: Int) throws -> URL {
  let sessions = Sessions(library: library, clock: { Date() }, random: .system)
  let client = SignInClient(address: "127.0.0.1", device: "A test")
  let token = try sessions.begin(of: library.signIns.owner().id, .ownBrowser, in: client, replacing: nil).token
  return try #require(URL(string: "http://127.0.0.1:\(port)/?token=\(token.text)"))
}

/// Returns the header fields that a signed-in program sends.
func head(_ url: URL) -> String {
  let token = url.query?.split(separator: "=").last ?? ""
  let port = url.port ?? 0
  let cookie = SessionCookie(isSecure: true, port: ServerPort(port)).name
  return "Host: 127.0.0.1:\(port)\r\nCookie: \(cookie)=\(token)\r\n"
}

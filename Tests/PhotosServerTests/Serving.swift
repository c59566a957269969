import Foundation
import Photos
import Synchronization
import TestSupport
import Testing

@testable import PhotosServer

/// Serves the library while `body` runs, and then stops the server. The address that `body` gets
/// contains the token of a session.
func serving<Value: Sendable>(
  _ server: TestServer, limits: ServerLimits? = nil, environment: ServerEnvironment = ServerEnvironment(),
  movieProgress: (@Sendable (PHAsset, Double) -> Void)? = nil,
  _ body: @escaping @Sendable (URL) async throws -> Value
) async throws -> Value {
  let photosServer = PhotosServer(
    library: server.library,
    configuration: .init(port: 0, webFolder: server.webFolder, movieProgress: movieProgress), limits: limits,
    environment: environment)
  let (addresses, ready) = AsyncStream.makeStream(of: URL.self)
  let run = Task {
    // A server that can't start is not waited for.
    defer { ready.finish() }
    try await photosServer.run { ready.yield($0.address) }
  }
  return try await whileRunning(run, addresses) { address in
    try await body(signedInURL(of: server.library, port: #require(address.port)))
  }
}

/// Serves the library as `serving` does, without the services around the server, and gives `body`
/// the server's parts.
func listening<Value: Sendable>(
  _ server: TestServer, limits: ServerLimits, environment: ServerEnvironment = ServerEnvironment(),
  _ body: @escaping @Sendable (URL, BuiltServer) async throws -> Value
) async throws -> Value {
  let (ports, ready) = AsyncStream.makeStream(of: Int.self)
  let built = try buildApplication(
    library: server.library, configuration: .init(port: 0, webFolder: server.webFolder), limits: limits,
    environment: environment
  ) { ready.yield($0.site.port.value) }
  let run = Task {
    // A server that can't start is not waited for.
    defer { ready.finish() }
    try await built.application.run()
  }
  return try await whileRunning(run, ports) { port in
    try await body(signedInURL(of: server.library, port: port), built)
  }
}

/// Calls `body` when a server listens, and then stops the server. `news` has an element when it
/// listens, and ends with it.
private func whileRunning<Ready: Sendable, Value: Sendable>(
  _ server: Task<Void, any Error>, _ news: AsyncStream<Ready>, _ body: @escaping @Sendable (Ready) async throws -> Value
) async throws -> Value {
  defer { server.cancel() }
  let first = try await result(of: Task { await news.first { _ in true } }, "the server's start").get()
  guard let first else {
    try await server.value
    throw WaitedInVain("the address of a server that has ended", within: .zero)
  }
  let answer = await Task { try await body(first) }.result
  server.cancel()
  _ = try await result(of: server, "the server's end")
  return try answer.get()
}

/// Waits until a condition is true. Meanwhile the thread is free for the tasks of a server.
func wait(for what: String, _ condition: () async throws -> Bool) async throws { try await eventually(what, condition) }

/// Waits for the end of a task, and returns its result.
func result<Value: Sendable, Failure>(
  of task: Task<Value, Failure>, _ what: String
) async throws -> Result<Value, Failure> {
  try await answer(what) { done in Task { done(await task.result) } }
}

/// A number that several tasks change.
final class Counter: Sendable {
  private let state = Mutex((count: 0, most: 0))

  var count: Int { state.withLock(\.count) }
  /// The largest number so far.
  var most: Int { state.withLock(\.most) }

  func add(_ number: Int) {
    state.withLock {
      $0.count += number
      $0.most = max($0.most, $0.count)
    }
  }
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

import Foundation
import Logging
import Photos
import Synchronization
import Testing

@testable import PhotosServer

@Suite struct LogTests {
  @Test func `U-18: no secret is logged, however much is`() async throws {
    let server = try TestServer()
    try server.setPassword("a river in the night")
    let log = CollectedLog()
    var environment = ServerEnvironment()
    environment.passwordParameters = .cheap
    environment.logger = Logger(label: "test") { _ in log }
    environment.logger.logLevel = .trace
    let (ports, ready) = AsyncStream.makeStream(of: SignInService.self)
    let built = try buildApplication(
      library: server.library, configuration: .init(port: 0, webFolder: server.webFolder),
      limits: ServerLimits(connections: 16), environment: environment
    ) { ready.yield($0) }
    let running = Task { try await built.application.run() }
    var iterator = ports.makeAsyncIterator()
    let signIn = try #require(await iterator.next())
    let port = signIn.site.port.value
    let link = try signIn.makeOwnerLink().fragment ?? ""
    let url = try signedInURL(of: server.library, port: port)
    let token = try #require(url.query?.split(separator: "=").last)
    let json = "Host: 127.0.0.1:\(port)\r\nOrigin: http://127.0.0.1:\(port)\r\nContent-Type: application/json\r\n"
    func post(_ path: String, _ body: String, _ fields: String) -> String {
      "POST \(path) HTTP/1.1\r\n\(fields)Content-Length: \(body.utf8.count)\r\n\r\n\(body)"
    }
    let answers = try RawConnection(port: port).exchange([
      post("/api/v1/session/link", #"{"link":"\#(link)"}"#, json),
      post("/api/v1/session/password", #"{"password":"a river in the night"}"#, json),
      post("/api/v1/session/password", #"{"password":"a wrong river"}"#, json),
      post("/api/v1/session/password", #"{"password":"unfinished river"#, json),
      "GET /api/v1/collections/userLibrary/assets?search=a+private+search HTTP/1.1\r\n\(head(url))\r\n",
      "GET /api/v1/nothing?search=a+private+search HTTP/1.1\r\n\(head(url))Connection: close\r\n\r\n",
    ])
    #expect(answers.map(\.status) == [204, 204, 401, 400, 200, 404])
    let session = "GET /picker/v1/sessions/a-private-session HTTP/1.1\r\n\(head(url))Connection: close\r\n\r\n"
    #expect(try RawConnection(port: port).exchange([session]).map(\.status) == [404])
    let searches = APIDocument.readings.map {
      "GET \($0.path)?q=a+private+search&where=private HTTP/1.1\r\n\(head(url))"
    }
    for search in searches { _ = try RawConnection(port: port).exchange(["\(search)Connection: close\r\n\r\n"]) }
    running.cancel()
    _ = await running.result
    let text = log.text
    #expect(!text.isEmpty)
    for secret in [link, String(token), "river", "private", "__Host-calotype"] { #expect(!text.contains(secret)) }
  }
}

/// A log that collects everything that is written to it.
private final class CollectedLog: LogHandler, Sendable {
  private let collected = Mutex("")

  var text: String { collected.withLock { $0 } }
  var metadata: Logger.Metadata {
    get { [:] }
    set {}
  }
  var logLevel: Logger.Level {
    get { .trace }
    set {}
  }

  subscript(metadataKey _: String) -> Logger.Metadata.Value? {
    get { nil }
    set { collected.withLock { $0 += "\(String(describing: newValue))\n" } }
  }

  func log(event: LogEvent) {
    let error = event.error.map { "\($0)" } ?? ""
    collected.withLock { $0 += "\(event.level) \(event.message) \(event.metadata ?? [:]) \(error)\n" }
  }
}

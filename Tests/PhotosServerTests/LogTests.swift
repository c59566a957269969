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
    let secrets = try await listening(server, limits: ServerLimits(connections: 16), environment: environment) {
      try sendSecrets($0, $1.signIn)
    }
    let text = log.text
    #expect(!text.isEmpty)
    for secret in secrets + ["river", "private", "__Host-calotype"] { #expect(!text.contains(secret)) }
  }

  /// Sends requests with secrets, and returns those that are random.
  private func sendSecrets(_ url: URL, _ signIn: SignInService) throws -> [String] {
    let port = try #require(url.port)
    let link = try signIn.makeOwnerLink().fragment ?? ""
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
    return [link, String(token)]
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

import Foundation
import HTTPTypes
import Hummingbird
import HummingbirdCore
import Logging
import Photos
import Synchronization
import Testing

@testable import PhotosServer

/// A server that is called without a socket. Its new library is removed with it.
final class TestServer: Sendable {
  let folder: URL
  let library: PHPhotoLibrary
  let clock = TestClock()
  let signIn: SignInService
  /// The open streams of changes.
  let feed: ChangeFeed
  /// The requests that wait for the owner.
  let polls: LongPolls
  let uploads: Uploads
  /// The paths of all routes.
  let routes: [String]
  private let responder: RouterResponder<ServerContext>
  private let pickerResponder: RouterResponder<ServerContext>
  private let token: String

  static let port = 2839

  /// Creates a server of `library`, or of a new library.
  init(
    library: PHPhotoLibrary? = nil, limits: ServerLimits = ServerLimits(connections: 16), host: String = "127.0.0.1",
    publicURL: String? = nil, proxies: [String] = [], allowsUnencrypted: Bool = false,
    passwordParameters: PasswordHash.Parameters = .cheap, passwordWork: PasswordWork = PasswordWork()
  ) throws {
    folder = FileManager.default.temporaryDirectory.appendingPathComponent("PhotosServerTests-\(UUID().uuidString)")
    let web = folder.appendingPathComponent("Web")
    for name in ["elements", "sign-in"] {
      try FileManager.default.createDirectory(
        at: web.appendingPathComponent(name), withIntermediateDirectories: true)
    }
    try Data("<!doctype html>".utf8).write(to: web.appendingPathComponent("index.html"))
    try Data("export {}".utf8).write(to: web.appendingPathComponent("elements/photo-grid.js"))
    try Data("/* */".utf8).write(to: web.appendingPathComponent("sign-in/start.js"))
    try FileManager.default.copyItem(at: APIDocument.file, to: web.appendingPathComponent("openapi.json"))
    // Tests of all requests ask for `photos`, and find this city.
    try Data(#"{"scale":1,"countries":[],"cities":[["Photos",0,0]]}"#.utf8)
      .write(to: web.appendingPathComponent("world.json"))
    try Data("a secret".utf8).write(to: folder.appendingPathComponent("secret.txt"))
    self.library = try library ?? PHPhotoLibrary(url: folder.appendingPathComponent("Summer.calotype"))
    var environment = ServerEnvironment()
    environment.set(clock)
    environment.passwordParameters = passwordParameters
    environment.passwordWork = passwordWork
    let built = try buildApplication(
      library: self.library,
      configuration: .init(
        host: host, port: Self.port, webFolder: web, publicURL: publicURL.flatMap(URL.init(string:)),
        trustedProxies: proxies, allowsUnencrypted: allowsUnencrypted), limits: limits, environment: environment)
    routes = built.routes
    responder = built.application.responder
    pickerResponder = built.pickerResponder
    signIn = built.signIn
    feed = built.changes.feed
    polls = built.polls
    uploads = built.uploads
    let client = SignInClient(address: "127.0.0.1", device: "A test")
    token = try signIn.sessions.begin(
      of: self.library.signIns.owner().id, .ownBrowser, in: client, replacing: nil
    ).token.text
  }

  deinit { try? FileManager.default.removeItem(at: folder) }

  var webFolder: URL { folder.appendingPathComponent("Web") }

  struct Problem: Decodable {
    var type: String
    var title: String
    var status: Int
    var detail: String
    var phPhotosErrorCode: Int?
  }

  struct Answer {
    var status: Int
    var fields: HTTPFields
    var body: Data
    var text: String { String(decoding: body, as: UTF8.self) }

    /// The problem document, if the answer is an error.
    var problem: Problem? {
      field("Content-Type") == "application/problem+json" ? try? JSONDecoder().decode(Problem.self, from: body) : nil
    }

    func field(_ name: String) -> String? { HTTPField.Name(name).flatMap { fields[$0] } }

    /// The cookies that the answer sets, with their attributes.
    var cookies: [String] { fields[values: .setCookie] }

    /// The names and values of the cookies, as the browser sends them back.
    var cookieField: String { cookies.map { String($0.prefix { $0 != ";" }) }.joined(separator: "; ") }
  }

  /// The `Cookie` field of the browser that is signed in.
  var cookie: String { "\(signIn.site.cookie.name)=\(token)" }

  /// Sends a request and returns the response. If `isSignedIn` is true, the request has the cookie
  /// of a session.
  func ask(
    _ path: String, _ fields: [String: String] = [:], method: String = "GET", host: String? = "localhost:2839",
    body: String = "", bytes: Data? = nil, peer: String = "127.0.0.1", isSignedIn: Bool = true
  ) async throws -> Answer {
    let response = try await response(
      to: path, fields, method: method, host: host, body: body, bytes: bytes, peer: peer, isSignedIn: isSignedIn)
    let written = WrittenBody()
    try await response.body.write(written)
    return Answer(status: response.status.code, fields: response.headers, body: written.data)
  }

  /// Sends a request to the socket for pickers.
  func askAsProgram(_ path: String, method: String = "GET", json: String = "") async throws -> Answer {
    let head = HTTPRequest(
      method: .init(method) ?? .get, scheme: "http", authority: "localhost", path: path,
      headerFields: [.contentType: "application/json"])
    let response = try await pickerResponder.respond(
      to: Request(head: head, body: RequestBody(buffer: ByteBuffer(string: json))),
      context: ServerContext(logger: Logger(label: "test"), peer: ""))
    let written = WrittenBody()
    try await response.body.write(written)
    return Answer(status: response.status.code, fields: response.headers, body: written.data)
  }

  /// Returns the response without reading its body.
  func response(
    to path: String, _ fields: [String: String] = [:], method: String = "GET", host: String? = "localhost:2839",
    body: String = "", bytes: Data? = nil, stream: RequestBody? = nil, peer: String = "127.0.0.1",
    isSignedIn: Bool = true
  ) async throws -> Response {
    var headers = HTTPFields()
    if isSignedIn { headers[.cookie] = cookie }
    // A change has to come from a page of the server.
    if method != "GET", method != "HEAD", fields["Sec-Fetch-Site"] == nil, fields["Origin"] == nil {
      headers[.secFetchSite] = "same-origin"
    }
    for (name, value) in fields {
      if let name = HTTPField.Name(name) { headers[name] = value }
    }
    let head = HTTPRequest(
      method: .init(method) ?? .get, scheme: "http", authority: host, path: path, headerFields: headers)
    return try await responder.respond(
      to: Request(
        head: head,
        body: stream ?? RequestBody(buffer: bytes.map { ByteBuffer(bytes: $0) } ?? ByteBuffer(string: body))),
      context: ServerContext(logger: Logger(label: "test"), peer: peer))
  }

  /// Sends JSON and returns the response.
  func post(
    _ path: String, json: String, _ fields: [String: String] = [:], method: String = "POST",
    host: String? = "localhost:2839", peer: String = "127.0.0.1", isSignedIn: Bool = false
  ) async throws -> Answer {
    try await ask(
      path, fields.merging(["Content-Type": "application/json"]) { $1 }, method: method, host: host, body: json,
      peer: peer, isSignedIn: isSignedIn)
  }

  /// Sends a form and returns the response.
  func post(
    _ path: String, form: String, _ fields: [String: String] = [:], host: String? = "localhost:2839",
    isSignedIn: Bool = false
  ) async throws -> Answer {
    try await ask(
      path, fields.merging(["Content-Type": "application/x-www-form-urlencoded"]) { $1 }, method: "POST", host: host,
      body: form, isSignedIn: isSignedIn)
  }

  /// Sets the owner's password.
  func setPassword(_ password: String, _ parameters: PasswordHash.Parameters = .cheap) throws {
    let hash = try PasswordHash(of: password, salt: Data(1...16), parameters)
    let owner = try library.signIns.owner()
    #expect(try library.signIns.setPasswordHash(hash.text, of: owner.id, replacing: owner.passwordHash))
  }
}

extension ServerLimits {
  /// Limits with which no stream looks in a test whether its session goes on.
  static var withoutChecks: ServerLimits {
    var limits = ServerLimits(connections: 16)
    limits.streams.check = .seconds(86_400)
    return limits
  }
}

extension PasswordHash.Parameters {
  /// Parameters for tests in which the time doesn't matter.
  static let cheap = PasswordHash.Parameters(logRounds: 4, blockSize: 1, parallelism: 1)
}

/// A clock that a test sets.
final class TestClock: Sendable {
  private let start: Date
  private let startTime = ContinuousClock.now
  /// The time that the machine was awake does not go on.
  let awakeTime = SuspendingClock.now
  private let elapsed = Mutex(0.0)

  init(_ start: Date = Date(timeIntervalSince1970: 1_800_000_000)) { self.start = start }

  var now: Date { start + elapsed.withLock(\.self) }
  var time: ContinuousClock.Instant { startTime + .seconds(elapsed.withLock(\.self)) }
  func advance(_ seconds: TimeInterval) { elapsed.withLock { $0 += seconds } }
}

extension ServerEnvironment {
  /// Makes a server live by a test's clock.
  mutating func set(_ testClock: TestClock) {
    clock = { testClock.now }
    time = { testClock.time }
    awakeTime = { testClock.awakeTime }
  }

  /// The environment of a server that lives by a test's clock.
  static func living(by clock: TestClock) -> ServerEnvironment {
    var environment = ServerEnvironment()
    environment.set(clock)
    return environment
  }
}

private final class WrittenBody: ResponseBodyWriter {
  private let bytes = Mutex(Data())

  var data: Data { bytes.withLock { $0 } }
  func write(_ buffer: ByteBuffer) async throws { bytes.withLock { $0 += Data(buffer.readableBytesView) } }
  func finish(_ trailers: HTTPFields?) async throws {}
}

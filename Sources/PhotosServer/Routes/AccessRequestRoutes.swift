import Foundation
import HTTPTypes
import Hummingbird
import Photos

/// Answers clients that ask for access. They need no session and no token, and pages of any origin
/// may ask.
struct AccessRequestRoutes: Sendable {
  let access: AccessService
  let polls: LongPolls

  func add(to routes: RouterGroup<ServerContext>) {
    routes.endpoint("api/v1/access/requests", post: { request, context in try await ask(request, context) })
    routes.endpoint("api/v1/access/requests/:id", get: { request, context in try await wait(request, context) })
  }

  private func ask(_ request: Request, _ context: ServerContext) async throws -> Response {
    let origin = request.headers[.origin]
    if let origin, !WebOrigin.isValid(origin) {
      throw Failure(.unprocessableContent, "Origin: \(origin) can't be a client; it has to be like https://example.com")
    }
    try access.admit(origin: origin, address: context.client.address)
    let body = try await request.json(WishBody.self)
    let wish = try body.wish(
      origin: origin, known: try await client(of: request, context), address: context.client.address)
    let receipt = try await Blocking.commit { [access] in try access.ask(wish) }
    return Response(
      status: .created, json: ReceiptAnswer(request: receipt.id, secret: receipt.secret, code: receipt.code),
      [.cacheControl: "no-store"])
  }

  /// Returns the client that a program proves to be by its token; `nil` without a token.
  private func client(of request: Request, _ context: ServerContext) async throws -> LibraryClient? {
    guard request.headers[.origin] == nil, let text = request.bearer else { return nil }
    let sender = AccessTokens.Sender(address: context.client.address)
    let holder = try await Blocking.run { [access] in
      try AccessToken(text).flatMap { try access.tokens.holder(of: $0, from: sender) }
    }
    guard let holder else { throw AskerMiddleware.refusal }
    return holder.asking.client
  }

  private func wait(_ request: Request, _ context: ServerContext) async throws -> Response {
    let id = String(try context.parameter("id"))
    let secret = request.bearer.map(String.init) ?? ""
    let origin = request.headers[.origin]
    let address = NetworkAddress.network(of: context.client.address)
    var looks = 0
    let progress = try await LongPoll.wait(request, context, in: polls, about: id, by: address) {
      let readsClients = looks.isMultiple(of: LongPoll.looksPerReading)
      looks += 1
      let progress = try await Blocking.run { [access] in
        try access.progress(of: id, secret: secret, origin: origin, readsClients: readsClients)
      }
      guard let progress else { throw Failure(.notFound, "there is no request \(id) with this secret") }
      return (progress, isDone: progress.status != nil)
    }
    // A client that has left did not get here. It gets its token when it asks again. `HEAD` has no
    // body, so the token would be lost.
    let takesToken = progress.status != nil && request.method != .head
    let token = try await Blocking.commit { [access] in
      try takesToken ? access.takeToken(of: id, secret: secret, origin: origin) : nil
    }
    let answer = ProgressAnswer(status: progress.status.map { "\($0)" } ?? "waiting", token: token?.text)
    return Response(json: answer, [.cacheControl: "no-store"])
  }
}

/// Waits for an answer as long as a request says.
enum LongPoll {
  static let longest = 60
  private static let interval = Duration.milliseconds(200)
  /// The number of looks in memory for each reading of the library. A decision of another process
  /// is found only by reading.
  static let looksPerReading = 10

  /// Calls `read` until it is done, until the seconds in the parameter `wait` are over, until the
  /// client has left, or until it has to make room for others in `polls`.
  static func wait<Value: Sendable>(
    _ request: Request, _ context: ServerContext, in polls: LongPolls, about topic: String, by sender: String,
    seconds standard: Int = 0, for read: () async throws -> (Value, isDone: Bool)
  ) async throws -> Value {
    // Only one who may know the answer takes a place.
    let (value, isDone) = try await read()
    if isDone { return value }
    let place = polls.begin(topic, by: sender)
    defer { polls.end(place) }
    return try await wait(request, context, seconds: standard, while: { polls.goesOn(place) }, for: read)
  }

  /// Calls `read` until it is done, until the seconds in the parameter `wait` are over, until the
  /// client has left, or until `isWanted` returns false. Without the parameter, it waits for
  /// `standard` seconds.
  static func wait<Value: Sendable>(
    _ request: Request, _ context: ServerContext, seconds standard: Int = 0, while isWanted: () -> Bool = { true },
    for read: () async throws -> (Value, isDone: Bool)
  ) async throws -> Value {
    let text = request.uri.queryParameters["wait"] ?? "\(standard)"
    guard let seconds = Int(text), (0...longest).contains(seconds) else {
      throw Failure(.badRequest, "wait has to be a number of seconds from 0 to \(longest)")
    }
    return try await context.whileClientStays {
      try await wait(seconds: seconds, by: context.time, while: isWanted, for: read)
    }
  }

  /// Calls `read` until it is done, until the seconds are over, or until `isWanted` returns false.
  static func wait<Value>(
    seconds: Int, by time: @Sendable () -> ContinuousClock.Instant, while isWanted: () -> Bool = { true },
    for read: () async throws -> (Value, isDone: Bool)
  ) async throws -> Value {
    let end = time() + .seconds(seconds)
    while true {
      let (value, isDone) = try await read()
      try Task.checkCancellation()
      if isDone || time() >= end || !isWanted() { return value }
      try await Task.sleep(for: interval)
    }
  }
}

private struct WishBody: Decodable {
  var name: String?
  var level: String?
  var usageDescription: String?
  var identifier: String?

  /// `known` is the client that the sender has proved to be by its token.
  func wish(origin: String?, known: LibraryClient?, address: String) throws -> AccessRequests.Wish {
    let name = try text(self.name, of: "name", limit: ClientTexts.longestName)
    let reason = try text(usageDescription, of: "usageDescription", limit: ClientTexts.longestUsageDescription)
    guard let level = PHAccessLevel(name: level ?? "") else {
      throw Failure(.unprocessableContent, "level: it has to be readWrite or addOnly")
    }
    let identifier = try self.identifier.map { try text($0, of: "identifier", limit: ClientTexts.longestName) } ?? name
    return AccessRequests.Wish(
      // A program without a token proves no identity. Its identifier must not be that of a client
      // that has.
      client: known
        ?? LibraryClient(identifier: origin ?? ClientKind.program.prefix + identifier, name: name),
      isProven: known != nil || origin != nil, origin: origin, address: NetworkAddress.network(of: address),
      level: level, usageDescription: reason)
  }

  private func text(_ given: String?, of key: String, limit: Int) throws -> String {
    let text = ForeignText.cleaned(given ?? "", limit: limit)
    guard !text.isEmpty else { throw Failure(.unprocessableContent, "\(key): this key is missing") }
    return text
  }
}

private struct ReceiptAnswer: Encodable {
  var request: String
  var secret: String
  var code: String
}

private struct ProgressAnswer: Encodable {
  var status: String
  var token: String?
}

import Foundation
import HTTPTypes
import Hummingbird
import Photos

/// Answers the owner, who decides about clients, and clients about themselves.
struct AccessRoutes: Sendable {
  let access: AccessService
  let signIn: SignInService
  let polls: LongPolls

  func add(to routes: RouterGroup<ServerContext>) {
    routes.endpoint(
      "api/v1/access",
      get: { _, context in
        _ = try context.requireSession()
        let library = try context.requireLibrary()
        return Response(json: try await Blocking.run { [access] in try access.list(in: library) }, Self.notKept)
      })
    routes.endpoint(
      "api/v1/access/requests/:id/answer", post: { request, context in try await answer(request, context) })
    routes.endpoint(
      "api/v1/access/clients/:id", patch: { request, context in try await change(request, context) },
      delete: { _, context in try await forget(context) })
    routes.endpoint(
      "api/v1/access/clients/:id/selection", get: { _, context in try await selection(context) },
      put: { request, context in try await select(request, context) })
    routes.endpoint(
      "api/v1/access/selections/:id",
      delete: { _, context in
        _ = try context.requireSession()
        try access.cancelSelection(String(context.parameter("id")))
        return Response(status: .noContent)
      })
    routes.endpoint("api/v1/access/tokens", post: { request, context in try await makeKey(request, context) })
    routes.endpoint("api/v1/access/tokens/:id", delete: { _, context in try await revoke(context) })
    routes.endpoint(
      "api/v1/access/selection/request", post: { _, context in try await askForSelection(context) })
    routes.endpoint(
      "api/v1/access/selection/request/:id",
      get: { request, context in try await waitForSelection(request, context) })
  }

  /// Adds the request that also strangers may make.
  func addStatus(to routes: RouterGroup<ServerContext>) {
    routes.endpoint(
      "api/v1/access/status",
      get: { _, context in
        let library = context.library
        return Response(
          json: try await Blocking.run {
            StatusAnswer(
              readWrite: "\(try library?.readAuthorizationStatus(for: .readWrite) ?? .notDetermined)",
              addOnly: "\(try library?.readAuthorizationStatus(for: .addOnly) ?? .notDetermined)")
          }, Self.notKept)
      })
  }

  private static let notKept: HTTPFields = [.cacheControl: "private, no-store"]

  // MARK: The owner

  private func answer(_ request: Request, _ context: ServerContext) async throws -> Response {
    let session = try context.requireSession()
    let body = try await request.json(AnswerBody.self, upTo: Self.bodyLimit)
    guard let answer = AccessService.Answer(rawValue: body.answer) else {
      let known = AccessService.Answer.allCases.map(\.rawValue).joined(separator: ", ")
      throw Failure(.unprocessableContent, "answer: it has to be one of \(known)")
    }
    if answer.gives { try await signIn.requireRecentAuthentication(of: session) }
    let id = String(try context.parameter("id"))
    let assets = try await assets(body.assets, context)
    let library = try context.requireLibrary()
    try await Blocking.commit { [access] in try access.answer(id, answer, assets: assets ?? [], in: library) }
    return Response(status: .noContent)
  }

  private func change(_ request: Request, _ context: ServerContext) async throws -> Response {
    let session = try context.requireSession()
    let body = try await request.json([String: String].self)
    var statuses: [PHAccessLevel: PHAuthorizationStatus] = [:]
    for (key, value) in body {
      guard let level = PHAccessLevel(name: key) else {
        throw Failure(.unprocessableContent, "\(key): this key is not known here; known are readWrite, addOnly")
      }
      guard let status = PHAuthorizationStatus(name: value), level == .readWrite || status != .limited else {
        throw Failure(.unprocessableContent, "\(key): “\(value)” is no status of this level")
      }
      statuses[level] = status
    }
    if statuses.values.contains(where: { $0 == .authorized || $0 == .limited }) {
      try await signIn.requireRecentAuthentication(of: session)
    }
    let number = try clientNumber(context)
    let library = try context.requireLibrary()
    let answer = try await Blocking.commit { [access, statuses] in
      try access.describe(access.change(access.client(number), statuses), in: library)
    }
    return Response(json: answer, Self.notKept)
  }

  private func forget(_ context: ServerContext) async throws -> Response {
    _ = try context.requireSession()
    let number = try clientNumber(context)
    try await Blocking.commit { [access] in try access.forget(access.client(number)) }
    return Response(status: .noContent)
  }

  private func selection(_ context: ServerContext) async throws -> Response {
    _ = try context.requireSession()
    let number = try clientNumber(context)
    let library = try context.requireLibrary()
    let assets = try await Blocking.run { [access] in
      let result = try library.selectedAssets(for: access.client(number).client)
      if let error = result.error { throw error }
      return (0..<result.count).map { result.object(at: $0).uuid }
    }
    return Response(json: SelectionAnswer(assets: assets), Self.notKept)
  }

  private func select(_ request: Request, _ context: ServerContext) async throws -> Response {
    try await signIn.requireRecentAuthentication(of: context.requireSession())
    let body = try await request.json(SelectionBody.self, upTo: Self.bodyLimit)
    let number = try clientNumber(context)
    let library = try context.requireLibrary()
    let client = try await Blocking.run { [access] in try access.client(number) }
    // The page may have read the selection before the Hidden album was locked.
    let concealed = try await Blocking.run { try library.concealedSelection(of: client.client) }
    let assets = try await assets(body.assets, except: concealed, context)
    let answer = try await Blocking.commit { [access] in
      let added = try access.select(assets ?? [], for: client, in: library)
      return AddedAnswer(
        added: added.map(\.uuid), selectedCount: try library.selectedAssetCount(of: client.client))
    }
    return Response(json: answer, Self.notKept)
  }

  private func makeKey(_ request: Request, _ context: ServerContext) async throws -> Response {
    try await signIn.requireRecentAuthentication(of: context.requireSession())
    let body = try await request.json(KeyBody.self, upTo: Self.bodyLimit)
    let name = ForeignText.cleaned(body.name, limit: ClientTexts.longestName)
    guard !name.isEmpty else { throw Failure(.unprocessableContent, "name: it is empty") }
    guard let level = PHAccessLevel(name: body.level) else {
      throw Failure(.unprocessableContent, "level: it has to be readWrite or addOnly")
    }
    guard level == .readWrite || body.assets == nil else {
      throw Failure(.unprocessableContent, "assets: access that only adds can't be limited")
    }
    let assets = try await assets(body.assets, context)
    let library = try context.requireLibrary()
    let (token, client) = try await Blocking.commit { [access] in
      try access.makeKey(named: name, level, limitedTo: assets, in: library)
    }
    return Response(
      status: .created, json: KeyAnswer(token: token.text, client: String(client.id)), Self.notKept)
  }

  private func revoke(_ context: ServerContext) async throws -> Response {
    _ = try context.requireSession()
    let id = String(try context.parameter("id"))
    guard try await Blocking.commit({ [access] in try access.revoke(token: id) }) else {
      throw Failure(.notFound, "there is no token \(id)")
    }
    return Response(status: .noContent)
  }

  /// The largest body with a selection.
  private static let bodyLimit = 4 << 20

  private func clientNumber(_ context: ServerContext) throws -> Int64? { Int64(try context.parameter("id")) }

  // MARK: Clients

  private func askForSelection(_ context: ServerContext) async throws -> Response {
    let client = try requireClient(context)
    let id = try await Blocking.commit { [access] in try access.askForSelection(client) }
    guard let id else { return Response(json: SelectionProgress(status: "done", added: []), Self.notKept) }
    return Response(status: .created, json: SelectionProgress(request: id, status: "waiting"), Self.notKept)
  }

  private func waitForSelection(_ request: Request, _ context: ServerContext) async throws -> Response {
    let client = try requireClient(context)
    let id = String(try context.parameter("id"))
    var looks = 0
    let progress = try await LongPoll.wait(request, context, in: polls, about: id, by: client.identifier) {
      let readsClient = looks.isMultiple(of: LongPoll.looksPerReading)
      looks += 1
      let state = try await Blocking.run { [access] in
        try access.selection(id, of: client, readsClient: readsClient)
      }
      switch state {
      case .unknown: throw Failure(.notFound, "there is no request \(id)")
      case .waiting: return (SelectionProgress(request: id, status: "waiting"), isDone: false)
      case .done(let added):
        // The token may have been revoked meanwhile. The client must not learn of new assets then.
        if !added.isEmpty { try await context.requireValidAsker() }
        return (SelectionProgress(request: id, status: "done", added: added), isDone: true)
      }
    }
    return Response(json: progress, Self.notKept)
  }

  /// Returns the assets that a request names, as the owner's session sees them, without the
  /// identifiers in `excluded`; `nil` if it names none.
  private func assets(
    _ value: JSONValue?, except excluded: Set<String> = [], _ context: ServerContext
  ) async throws -> [PHAsset]? {
    guard let value else { return nil }
    var selection = try AssetSelection(JSONPlace(value: value, path: "assets"))
    if case .listed(let names) = selection { selection = .listed(names.filter { !excluded.contains($0.uuid) }) }
    let library = try context.requireLibrary()
    return try await PatternQueue.shared.run([selection.predicate], for: nil) { [selection] in
      try selection.assets(in: library)
    }
  }

  private func requireClient(_ context: ServerContext) throws -> LibraryClient {
    guard case .client(let asking) = context.asker else {
      throw Failure(.forbidden, "only a client may do this, with its token")
    }
    return asking.client
  }
}

private struct AnswerBody: Decodable {
  var answer: String
  var assets: JSONValue?
}

private struct SelectionBody: Decodable { var assets: JSONValue }

private struct KeyBody: Decodable {
  var name: String
  var level: String
  var assets: JSONValue?
}

private struct StatusAnswer: Encodable {
  var readWrite: String
  var addOnly: String
}

private struct SelectionAnswer: Encodable { var assets: [String] }

private struct AddedAnswer: Encodable {
  var added: [String]
  var selectedCount: Int
}

private struct KeyAnswer: Encodable {
  var token: String
  var client: String
}

private struct SelectionProgress: Encodable {
  var request: String?
  var status: String
  var added: [String]?
}

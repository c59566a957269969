import HTTPTypes
import Hummingbird
import Photos
import PhotosUI

/// Answers programs at the account's socket for pickers, which has no other routes. Over the
/// network, answers programs on other machines, and pages of other origins without a window.
struct ProgramPickerRoutes: Sendable {
  let pickers: PickerService
  let inFlight: BytesInFlight
  /// Limits the requests that wait, over the network.
  var polls: LongPolls?
  private let work = PictureWork()
  private var isOverNetwork: Bool { polls != nil }

  /// The time that a request for news waits.
  private static let pollTimeoutInSeconds = 25
  /// The size of a configuration with a hundred thousand identifiers: a program may see that many.
  static let bodyLimit = 8 << 20
  private static let notKept: HTTPFields = [.cacheControl: "private, no-store"]

  func add(to routes: some RouterMethods<ServerContext>) {
    routes.endpoint("picker/v1/sessions", post: { request, context in try await begin(request, context) })
    routes.endpoint(
      "picker/v1/sessions/:session",
      get: { request, context in try await news(request, context) },
      delete: { request, context in
        pickers.remove(try session(request, context))
        return Response(status: .noContent)
      })
    if !isOverNetwork {
      routes.endpoint(
        "picker/v1/sessions/:session/commands",
        post: { request, context in
          let command = try await request.jsonPlace(limit: Self.bodyLimit).value
          try pickers.command(command, to: session(request, context))
          return Response(status: .noContent)
        })
    }
    routes.endpoint(
      "picker/v1/sessions/:session/items/:item/:kind",
      get: { request, context in try await file(request, context) })
  }

  private func asker(_ request: Request, _ context: ServerContext) throws -> PickerAsker {
    guard isOverNetwork else { return .ownUser }
    let origin = request.headers[.origin]
    if let origin, !WebOrigin.isValid(origin) {
      throw Failure(.unprocessableContent, "Origin: \(origin) can't pick; it has to be like https://example.com")
    }
    return PickerAsker(origin: origin, address: context.client.address)
  }

  private func session(_ request: Request, _ context: ServerContext) throws -> PickerSessions.Session {
    try pickers.session(String(context.parameter("session")), of: asker(request, context))
  }

  private func begin(_ request: Request, _ context: ServerContext) async throws -> Response {
    let asker = try asker(request, context)
    let limit = isOverNetwork ? Request.bodyLimit : Self.bodyLimit
    let keys: Set = ["configuration", "clientName"]
    let fields = try await request.jsonPlace(limit: limit, depthLimit: PickerConfigurationCheck.depthLimit)
      .fields(isOverNetwork ? keys : keys.union(["process"]))
    let configuration = try fields.require("configuration").value
    // A page is called by its origin.
    let name = asker.origin == nil ? try fields.require("clientName").string() : ""
    let process = try fields["process"]?.integer(in: 1...Int(Int32.max))
    let opened = try await Blocking.run { [pickers] in
      try pickers.begin(configuration, clientName: name, process: process, asker: asker)
    }
    return Response(status: .created, json: opened, Self.notKept)
  }

  private struct News<Item: Encodable>: Encodable {
    var revision: Int
    var state: PickerSessions.State
    var items: [Item]?
  }

  /// Waits until the session has another revision than the program knows.
  private func news(_ request: Request, _ context: ServerContext) async throws -> Response {
    let known = Int(request.uri.queryParameters["since"] ?? "0")
    func read() throws -> (PickerSessions.Session, isDone: Bool) {
      let found = try session(request, context)
      return (found, isDone: found.revision != known)
    }
    let news: PickerSessions.Session
    if let polls {
      news = try await LongPoll.wait(
        request, context, in: polls, about: "picker \(try session(request, context).id)",
        by: NetworkAddress.network(of: context.client.address), seconds: Self.pollTimeoutInSeconds, for: read)
    } else {
      news = try await LongPoll.wait(request, context, seconds: Self.pollTimeoutInSeconds, for: read)
    }
    return try await Blocking.run { [pickers, isOverNetwork] in
      let (revision, state) = (news.revision, news.state)
      guard isOverNetwork else {
        return Response(json: News(revision: revision, state: state, items: try pickers.items(of: news)), Self.notKept)
      }
      let items = try pickers.sharedItems(of: news)
      return Response(json: News(revision: revision, state: state, items: items), Self.notKept)
    }
  }

  private func file(_ request: Request, _ context: ServerContext) async throws -> Response {
    let session = try session(request, context)
    let item = try context.parameter("item").removingPercentEncoding ?? ""
    let asset = try await Blocking.run { [pickers] in try pickers.pickedAsset(item, in: session) }
    let name = try context.parameter("kind")
    guard let kind = PickedItem.Kind(rawValue: String(name)) else {
      throw Failure(.notFound, "\(name): there is no such kind of file")
    }
    let file = PickedFile(
      asset: asset, kind: kind, work: work,
      // A program of the library's user may load all of its items at once, and none is refused.
      takePlace: { [work, isOverNetwork] in try isOverNetwork ? work.begin(for: session.id) : nil },
      inFlight: inFlight,
      checkAccess: { [pickers] in
        guard try await Blocking.run({ try pickers.goesOn(asset, of: session) }) else {
          throw Failure(.notFound, "\(item): it is not shared any more")
        }
      })
    var response = try await file.response(to: request, context)
    response.headers[.cacheControl] = "private, no-store"
    return response
  }
}

import HTTPTypes
import Hummingbird
import Photos

/// Answers the window that shows a program's picker. The owner has to be signed in.
struct PickerWindowRoutes: Sendable {
  let pickers: PickerService

  private static let notKept: HTTPFields = [.cacheControl: "private, no-store"]

  func add(to routes: RouterGroup<ServerContext>) {
    routes.endpoint("picker/v1/windows/:id", get: { _, context in try show(context) })
    routes.endpoint("picker/v1/windows/:id/code", post: { request, context in try await confirm(request, context) })
    routes.endpoint("picker/v1/windows/:id/answer", post: { request, context in try await answer(request, context) })
  }

  /// Adds the request with which an open window waits.
  func addWaiting(to routes: RouterGroup<ServerContext>) {
    routes.endpoint(
      "picker/v1/windows/:id/commands", get: { request, context in try await commands(request, context) })
  }

  private func session(_ context: ServerContext, isHidden: Bool? = nil) throws -> PickerSessions.Session {
    _ = try context.requireSession()
    return try pickers.openWindow(of: String(context.parameter("id")), isHidden: isHidden)
  }

  private struct Shown: Encodable {
    var configuration: JSONValue
    var clientName: String
    /// The web origin; `nil` for a program.
    var origin: String?
    /// The address of a program on another machine.
    var address: String?
    /// Whether the person has to type the two digits that the program shows.
    var needsCode: Bool
    /// Whether the choice decides what the program may see.
    var choosesAccess: Bool
    /// Whether nobody has answered yet.
    var isOpen: Bool
  }

  private func show(_ context: ServerContext) throws -> Response {
    let session = try session(context)
    let shown = Shown(
      configuration: session.request.configuration, clientName: session.clientName, origin: session.asker.origin,
      address: session.asker.address, needsCode: !session.isConfirmed,
      choosesAccess: session.request.choosesAccess, isOpen: !session.state.isFinal)
    return Response(json: shown, Self.notKept)
  }

  private func confirm(_ request: Request, _ context: ServerContext) async throws -> Response {
    _ = try session(context)
    let code = try await request.jsonPlace().fields(["code"]).require("code").string()
    try pickers.confirm(String(context.parameter("id")), code: code)
    return Response(status: .noContent)
  }

  private struct Commands: Encodable {
    var commands: [JSONValue]
    /// The number of all commands so far, from which the next request goes on.
    var next: Int
    /// Whether the window is not needed any more.
    var isClosed: Bool
  }

  /// Waits for commands of the program. As long as a window waits, it counts as open. The parameter
  /// `hidden` (1 or 0) says whether the person can't see it, until another request says so.
  private func commands(_ request: Request, _ context: ServerContext) async throws -> Response {
    if let hidden = request.uri.queryParameters["hidden"] { _ = try session(context, isHidden: hidden == "1") }
    let known = max(0, Int(request.uri.queryParameters["since"] ?? "0") ?? 0)
    let shown = try await LongPoll.wait(request, context) {
      let found = try session(context)
      return (found, isDone: found.isClosed || found.commands.count > known)
    }
    let commands = Commands(
      commands: Array(shown.commands.dropFirst(known)), next: shown.commands.count, isClosed: shown.isClosed)
    return Response(json: commands, Self.notKept)
  }

  private func answer(_ request: Request, _ context: ServerContext) async throws -> Response {
    _ = try context.requireSession()
    let id = String(try context.parameter("id"))
    let answer = try PickerAnswer(try await request.jsonPlace(limit: ProgramPickerRoutes.bodyLimit))
    try await Blocking.commit { [pickers] in try pickers.answer(id, answer) }
    return Response(status: .noContent)
  }
}

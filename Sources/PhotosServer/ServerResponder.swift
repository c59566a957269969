import Foundation
import HTTPTypes
import Hummingbird
import NIOCore
import Photos

/// Answers each request: asks the gate, finds the route, calls its handler, and adds the security
/// headers.
struct ServerResponder: HTTPResponder {
  /// The context that a handler gets with its request.
  struct Context: InitializableFromSource {
    /// The connection of the request. The client may close it at any time.
    let channel: (any Channel)?

    init(source: ApplicationRequestContextSource) { channel = source.channel }
    init() { channel = nil }

    /// Waits until the client has accepted everything that was written to it.
    func waitUntilAccepted() async throws { try await channel?.waitUntilAccepted() }
  }

  let gate: RequestGate
  let inFlight: BytesInFlight
  private let signIn: SignIn
  private let libraryRoutes: LibraryRoutes
  private let renditionRoutes: RenditionRoutes
  private let resourceRoutes: ResourceRoutes
  private let webFiles: WebFiles

  init(
    library: PHPhotoLibrary, _ configuration: PhotosServer.Configuration, gate: RequestGate, pictures: GridPictures,
    inFlight: BytesInFlight
  ) {
    self.gate = gate
    self.inFlight = inFlight
    signIn = SignIn(gate: gate)
    libraryRoutes = LibraryRoutes(library: library, timeline: Timeline(library: library), pictures: pictures)
    renditionRoutes = RenditionRoutes(
      library: library, pictures: pictures, inFlight: inFlight, movieProgress: configuration.movieProgress)
    resourceRoutes = ResourceRoutes(library: library, inFlight: inFlight)
    webFiles = WebFiles(folder: configuration.webFolder)
  }

  func respond(to request: Request, context: Context) async throws -> Response {
    // A client that sends requests and reads no answers has at most one of them in memory.
    try await context.waitUntilAccepted()
    var response: Response
    do { response = try await answer(request, context) } catch { response = Failure(error).response }
    SecurityHeaders.add(to: &response.headers)
    return request.method == .head ? response.createHeadResponse() : response
  }

  private func answer(_ request: Request, _ context: Context) async throws -> Response {
    let address = (request.head.path ?? "/").split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
    let route = Route(path: address[0])
    let query = address.count > 1 ? address[1] : ""
    guard request.headers[.secondHost] == nil else { throw Failure(.badRequest, "the request has two Host fields") }
    let claims = RequestGate.Claims(request.head)
    if let reason = gate.refusal(of: claims, isPrivate: route.isPrivate) { throw Failure(.forbidden, reason) }
    if let answer = signIn.answer(to: request, path: address[0], query: query) { return answer }
    guard gate.isSignedIn(claims) else { return SignIn.refusal(isPrivate: route.isPrivate) }
    guard request.method == .get || request.method == .head else {
      throw Failure(.methodNotAllowed, "the method \(request.method.rawValue) is not supported", [.allow: "GET, HEAD"])
    }
    switch route {
    case .library: return try await libraryRoutes.library()
    case .days: return try await libraryRoutes.days(request)
    case .assets: return try await libraryRoutes.assets(request, query: query)
    case .asset(let id): return try await libraryRoutes.asset(id: id)
    case .picture(let id, let version, let kind):
      return try await renditionRoutes.picture(id: id, version: version, kind, request, context)
    case .movie(let id, let version):
      return try await renditionRoutes.movie(id: id, version: version, request, context)
    case .resource(let id, let index): return try await resourceRoutes.resource(id: id, index: index, request, context)
    case .webFile(let path): return try await webFiles.file(path, request)
    case .nothing: throw Failure(.notFound, "\(address[0]) does not exist")
    }
  }
}

extension RequestGate.Claims {
  init(_ head: HTTPRequest) {
    let fields = head.headerFields
    self.init(
      host: head.authority, origin: fields[.origin], fetchSite: fields[.secFetchSite], fetchMode: fields[.secFetchMode],
      fetchDestination: fields[.secFetchDest], cookie: fields[.cookie], authorization: fields[.authorization])
  }
}

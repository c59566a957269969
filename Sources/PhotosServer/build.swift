import Foundation
import Hummingbird
import HummingbirdCore
import Logging
import NIOCore
import Photos

/// The world outside of the server. Tests replace it.
struct ServerEnvironment: Sendable {
  var clock: @Sendable () -> Date = { Date() }
  var random = RandomBytes.system
  var passwordParameters = PasswordHash.Parameters.standard
  var logger: Logger = {
    var logger = Logger(label: "calotype")
    logger.logLevel = .critical
    return logger
  }()
}

/// A server that was built, with the parts that tests look into.
struct BuiltServer {
  let application: Application<RouterResponder<ServerContext>>
  let signIn: SignInService
  let inFlight: BytesInFlight
}

/// Builds the server. The program runs it; tests send requests to it without a socket.
func buildApplication(
  library: PHPhotoLibrary, configuration: PhotosServer.Configuration, limits: ServerLimits,
  environment: ServerEnvironment = ServerEnvironment(),
  onReady: @escaping @Sendable (SignInService) -> Void = { _ in }
) throws -> BuiltServer {
  let (address, site) = try configuration.addresses()
  let signIn = try SignInService(
    library: library, site: site, random: environment.random, clock: environment.clock,
    parameters: environment.passwordParameters)
  let gate = RequestGate(site: site)
  let pictures = GridPictures()
  let connections = OpenConnections(limit: limits.connections)
  let inFlight = BytesInFlight(limit: limits.bytesInFlight)
  let application = Application(
    router: buildRouter(
      library: library, configuration, gate: gate, signIn: signIn, pictures: pictures, inFlight: inFlight),
    server: HTTPServerBuilder { responder in
      ServerChannel(
        http: HTTP1Channel(responder: responder), gate: gate, sessions: signIn.sessions, pictures: pictures,
        limits: limits, connections: connections, inFlight: inFlight)
    },
    configuration: ApplicationConfiguration(
      address: .hostname(address, port: configuration.port), reuseAddress: true,
      availableConnectionsDelegate: MaximumAvailableConnections(limits.connections)),
    onServerRunning: { channel in
      site.port.set(channel.localAddress?.port ?? configuration.port)
      onReady(signIn)
    }, logger: environment.logger)
  return BuiltServer(application: application, signIn: signIn, inFlight: inFlight)
}

/// Builds the routes, in groups by what a request needs: nothing, a session, or a session and a
/// page of this server.
private func buildRouter(
  library: PHPhotoLibrary, _ configuration: PhotosServer.Configuration, gate: RequestGate, signIn: SignInService,
  pictures: GridPictures, inFlight: BytesInFlight
) -> Router<ServerContext> {
  let router = Router(context: ServerContext.self)
  let headers = SecurityHeaders(isHTTPS: gate.site.isHTTPS)
  let web = WebFolder(configuration.webFolder).middleware
  let signInPages = SignInPages(signIn: signIn)
  let sessionRoutes = SessionRoutes(signIn: signIn)
  router.add(middleware: AnswerMiddleware(headers: headers))
  router.add(
    middleware: HostMiddleware(gate: gate, proxies: Set(configuration.trustedProxies)))

  let open = router.group().add(middleware: SiteMiddleware(gate: gate, isPage: true))
  signInPages.add(to: open)
  sessionRoutes.addSignIn(to: open)
  let openFiles = open.group().add(middleware: web)
  for path in ["favicon.svg", "sign-in/sign-in.css", "sign-in/start.js"] {
    openFiles.endpoint(RouterPath(path), get: notFound)
  }

  let content = router.group().add(middleware: SiteMiddleware(gate: gate, isPage: false))
    .add(middleware: SessionMiddleware(signIn: signIn, page: nil))
  sessionRoutes.add(to: content)
  LibraryRoutes(library: library, timeline: Timeline(library: library), pictures: pictures).add(to: content)
  RenditionRoutes(
    library: library, pictures: pictures, inFlight: inFlight, headers: headers,
    movieProgress: configuration.movieProgress
  ).add(to: content)
  ResourceRoutes(library: library, inFlight: inFlight).add(to: content)
  content.endpoint("api/**", get: notFound)

  let pages = router.group().add(middleware: SiteMiddleware(gate: gate, isPage: true))
    .add(middleware: SessionMiddleware(signIn: signIn, page: { try await signInPages.refusal() }))
  SessionPages(signIn: signIn).add(to: pages)
  let files = pages.group().add(middleware: web)
  files.endpoint("/", get: notFound)
  files.endpoint("**", get: notFound)
  return router
}

/// Answers a path that is nothing but perhaps a file.
private let notFound: @Sendable (Request, ServerContext) async throws -> Response = { _, _ in throw HTTPError(.notFound)
}

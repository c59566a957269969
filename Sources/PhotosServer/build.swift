import Foundation
import HTTPTypes
import Hummingbird
import HummingbirdCore
import Logging
import NIOCore
import Photos

/// The world outside of the server. Tests replace it.
struct ServerEnvironment: Sendable {
  var clock: @Sendable () -> Date = { Date() }
  /// The time by which intervals are measured.
  var time: @Sendable () -> ContinuousClock.Instant = { .now }
  /// The time by which a picker's window is silent. It stands still while the machine sleeps.
  var awakeTime: @Sendable () -> SuspendingClock.Instant = { .now }
  /// Waits before another attempt to get a socket in the account's folder.
  var socketPause: @Sendable () async throws -> Void = { try await Task.sleep(for: .seconds(3)) }
  var random = RandomBytes.system
  var passwordParameters = PasswordHash.Parameters.standard
  var passwordWork = PasswordWork()
  var logger: Logger = {
    var logger = Logger(label: "calotype")
    logger.logLevel = .critical
    return logger
  }()
}

/// A server that was built, with the parts that tests look into.
struct BuiltServer {
  let application: Application<RouterResponder<ServerContext>>
  /// The paths of the routes, with their parameters.
  let routes: [String]
  let signIn: SignInService
  let access: AccessService
  /// The requests for access and for pickers over the network that wait.
  let polls: LongPolls
  let inFlight: BytesInFlight
  let changes: ChangeService
  let uploads: Uploads
  let pickers: PickerService
  /// The answers at the account's socket for pickers.
  let pickerResponder: RouterResponder<ServerContext>
}

/// The services of a server, which its routes share.
private struct ServerParts {
  let library: PHPhotoLibrary
  let configuration: PhotosServer.Configuration
  let limits: ServerLimits
  let environment: ServerEnvironment
  let gate: RequestGate
  let signIn: SignInService
  let access: AccessService
  let polls: LongPolls
  let pictures: GridPictures
  let connections: OpenConnections
  let inFlight: BytesInFlight
  let changes: ChangeService
  let uploads: Uploads
  let downloads: Downloads
  let pickers: PickerService
  let handedOver: HandedOverFiles
}

/// Builds the server. The program runs it; tests send requests to it without a socket.
func buildApplication(
  library: PHPhotoLibrary, configuration: PhotosServer.Configuration, limits: ServerLimits,
  environment: ServerEnvironment = ServerEnvironment(),
  onReady: @escaping @Sendable (SignInService) -> Void = { _ in }
) throws -> BuiltServer {
  let (address, site) = try configuration.addresses()
  let handedOver = HandedOverFiles(
    clock: environment.clock, random: environment.random,
    space: CopySpace(byteLimit: limits.handedOverBytes, fileLimit: limits.handedOverFiles))
  let pickers = PickerService(
    library: library, site: site, clock: environment.clock, awakeTime: environment.awakeTime,
    random: environment.random)
  let access = AccessService(library: library, random: environment.random, clock: environment.clock)
  let signIn = SignInService(
    library: library, site: site, random: environment.random, clock: environment.clock,
    parameters: environment.passwordParameters, work: environment.passwordWork,
    didEndSession: { [events = access.events] in events.send(.ending) },
    didSignOutEverywhere: {
      handedOver.removeAll()
      pickers.removeShared()
    })
  let polls = LongPolls(limit: limits.connections / 4, limitOfSender: limits.pollsOfSender)
  let gate = RequestGate(site: site)
  let pictures = GridPictures(time: environment.time)
  let inFlight = BytesInFlight(limit: limits.bytesInFlight)
  let connections = OpenConnections(
    limit: limits.connections, inFlight: inFlight, proxies: Set(configuration.trustedProxies))
  let changes = ChangeService(
    library: library, access: access, signIn: signIn, times: limits.streams, clock: environment.clock)
  let uploads = Uploads(
    library: library, limits: limits, clock: environment.clock, time: environment.time, random: environment.random)
  let downloads = Downloads(clock: environment.clock, random: environment.random)
  let parts = ServerParts(
    library: library, configuration: configuration, limits: limits, environment: environment, gate: gate,
    signIn: signIn, access: access, polls: polls, pictures: pictures, connections: connections, inFlight: inFlight,
    changes: changes, uploads: uploads, downloads: downloads, pickers: pickers, handedOver: handedOver)
  let router = parts.makeRouter()
  let pickerRouter = Router(context: ServerContext.self)
  pickerRouter.add(middleware: AnswerMiddleware(headers: SecurityHeaders(isHTTPS: false), time: environment.time))
  ProgramPickerRoutes(pickers: pickers, inFlight: inFlight).add(to: pickerRouter)
  let application = Application(
    router: router,
    server: HTTPServerBuilder { responder in
      ServerChannel(
        http: .watched(responder), gate: gate, sessions: signIn.sessions, pictures: pictures,
        limits: limits, connections: connections, inFlight: inFlight)
    },
    configuration: ApplicationConfiguration(
      address: .hostname(address, port: configuration.port), reuseAddress: true,
      availableConnectionsDelegate: MaximumAvailableConnections(limits.connections)),
    onServerRunning: { channel in
      site.port.set(channel.localAddress?.port ?? configuration.port)
      onReady(signIn)
    }, logger: environment.logger)
  return BuiltServer(
    application: application, routes: router.routes.map(\.path.description), signIn: signIn, access: access,
    polls: polls, inFlight: inFlight, changes: changes, uploads: uploads, pickers: pickers,
    pickerResponder: pickerRouter.buildResponder())
}

extension ServerParts {
  /// Builds the routes, in groups by what a request needs: nothing, a session or a token, or a
  /// session and a page of this server.
  fileprivate func makeRouter() -> Router<ServerContext> {
    let router = Router(context: ServerContext.self)
    let headers = SecurityHeaders(isHTTPS: gate.site.isHTTPS)
    let web = WebFolder(configuration.webFolder).middleware
    let sessionOperations = SessionOperations(signIn: signIn)
    let signInPages = SignInPages(signIn: signIn, operations: sessionOperations)
    let sessionRoutes = SessionRoutes(signIn: signIn, operations: sessionOperations)
    let hiddenLock = HiddenLock(owner: library, events: access.events, clock: environment.clock)
    let libraries = ClientLibraries(owner: library, hiddenLock: hiddenLock)
    router.add(middleware: AnswerMiddleware(headers: headers, time: environment.time))
    router.add(
      middleware: HostMiddleware(gate: gate, proxies: Set(configuration.trustedProxies)))

    let open = router.group().add(middleware: SiteMiddleware(gate: gate, isPage: true))
    signInPages.add(to: open)
    sessionRoutes.addSignIn(to: open)
    let openFiles = open.group().add(middleware: web)
    // The picker is the same for everybody, signed in or not. A page opens it in a window, which
    // the page has to be able to reach.
    open.endpoint(
      "picker",
      get: { request, context in
        var response = try await web.page("/picker/picker.html", for: request, context)
        response.headers[.crossOriginOpenerPolicy] = "unsafe-none"
        return response
      })
    for folder in ["elements", "helpers", "models", "picker", "sign-in", "styles"] {
      openFiles.endpoint(RouterPath("\(folder)/**"), get: notFound)
    }
    // The script with which a page opens the picker is the same for everybody, too. Pages of any
    // origin may load it.
    router.group().endpoint(
      "picker.js",
      get: { request, context in
        var response = try await web.page("/picker.js", for: request, context)
        response.headers[.accessControlAllowOrigin] = "*"
        response.headers[.crossOriginResourcePolicy] = "cross-origin"
        return response
      })
    for path in ["words.js", "symbols.svg", "favicon.svg"] {
      openFiles.endpoint(RouterPath(path), get: notFound)
    }

    // A page of any origin may ask for access.
    AccessRequestRoutes(access: access, polls: polls).add(to: router.group().add(middleware: PreflightMiddleware()))
    var asker = AskerMiddleware(
      site: SiteMiddleware(gate: gate, isPage: false),
      session: SessionMiddleware(signIn: signIn, libraries: libraries, connections: connections, page: nil),
      access: access, libraries: libraries)
    let content = router.group().add(middleware: asker)
    // An open page sends these requests by itself, so they don't count as a use of its session.
    var waitingAsker = asker
    waitingAsker.session.countsUse = false
    let waiting = router.group().add(middleware: waitingAsker)
    asker.isForAccessStatus = true
    let accessRoutes = AccessRoutes(
      access: access, signIn: signIn,
      polls: LongPolls(limit: limits.connections / 4, limitOfSender: limits.pollsOfSender))
    accessRoutes.addStatus(to: router.group().add(middleware: asker))
    accessRoutes.add(to: content)
    sessionRoutes.add(to: content)
    HiddenLockRoutes(lock: hiddenLock, signIn: signIn).add(to: content)
    let lists = AssetLists()
    LibraryRoutes(lists: lists).add(to: content)
    CollectionRoutes(lists: lists, pictures: pictures, inFlight: inFlight).add(to: content)
    RenditionRoutes(
      pictures: pictures, inFlight: inFlight, headers: headers, movieProgress: configuration.movieProgress
    ).add(to: content)
    ResourceRoutes(inFlight: inFlight).add(to: content)
    ImageRoutes(inFlight: inFlight).add(to: content)
    changes.add(to: content, waiting: waiting)
    UploadRoutes(uploads).add(to: content)
    let pickerWindows = PickerWindowRoutes(pickers: pickers)
    pickerWindows.add(to: content)
    pickerWindows.addWaiting(to: waiting)
    // A page of any origin may ask for a picker.
    ProgramPickerRoutes(pickers: pickers, inFlight: inFlight, polls: polls)
      .add(to: router.group().add(middleware: PreflightMiddleware()))
    OriginPickerRoutes(library: library, random: environment.random, handedOver: handedOver, pickers: pickers)
      .add(to: content)
    PickedAddressRoutes(handedOver: handedOver, library: library, inFlight: inFlight).add(to: router.group())
    DownloadRoutes(downloads: downloads, inFlight: inFlight).add(to: content)
    MapRoutes(file: configuration.webFolder.appendingPathComponent("world.json")).add(to: content)
    DocumentRoutes(file: configuration.webFolder.appendingPathComponent("openapi.json")).add(to: content)
    // With a route for GET alone, other methods would be answered with 405. This answers with 404.
    for method in HTTPRequest.Method.known { content.on("api/**", method: method, use: notFound) }

    let pages = router.group().add(middleware: SiteMiddleware(gate: gate, isPage: true))
      .add(
        middleware: SessionMiddleware(
          signIn: signIn, libraries: libraries, connections: connections, page: { try await signInPages.refusal() }))
    SessionPages(signIn: signIn, operations: sessionOperations).add(to: pages)
    for path in viewPaths { pages.endpoint(RouterPath(path), get: { try await web.index(for: $0, $1) }) }
    let files = pages.group().add(middleware: web)
    files.endpoint("/", get: notFound)
    files.endpoint("**", get: missingPage)
    return router
  }
}

/// The addresses of the web app's views, which its one page shows.
private let viewPaths = ["smart/:id", "album/:id", "folder/:id", "search", "history", "access"]

/// Answers a person who opens a missing page. Answers other requests as `notFound` does.
private let missingPage: @Sendable (Request, ServerContext) async throws -> Response = { request, _ in
  guard request.headers[.secFetchDest] == "document" else { throw HTTPError(.notFound) }
  return Page(
    title: "Calotype",
    body: """
      <h1>There is no such page</h1>
      <p>The address is mistyped, or it is of another version of Calotype.</p>
      <p><a href="/">Open the library</a></p>
      """
  ).response(.notFound)
}

/// Answers a path that is nothing but perhaps a file.
private let notFound: @Sendable (Request, ServerContext) async throws -> Response = { _, _ in throw HTTPError(.notFound)
}

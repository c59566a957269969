import Foundation
import NIOCore
import Photos
import ServiceLifecycle

/// Serves one library over HTTP: the web app and the API that it uses.
///
///     let server = PhotosServer(library: library, configuration: .init(webFolder: webFolder))
///     try await server.run { ready in print("Serving on \(ready.ownerLink ?? ready.address)") }
///
/// A browser signs in by an owner link or by a password. The server listens on a loopback address
/// unless the configuration says how other machines reach it. It raises the process's limit of open
/// files. SIGINT and SIGTERM stop it: answers in progress have two seconds to finish.
public struct PhotosServer: Sendable {
  /// The news for the person who has started the server.
  public struct Announcement: Sendable {
    /// The address of the library.
    public var address: URL
    /// The address that signs one browser in; `nil` if other machines can reach the server.
    public var ownerLink: URL?
    /// The code that allows setting the first password; `nil` if it isn't needed.
    public var setUpCode: String?
    /// The reason that there is neither a link nor a code, if something went wrong.
    public var problem: String?
  }

  private let library: PHPhotoLibrary
  private let configuration: Configuration
  private let limits: ServerLimits?
  private let environment: ServerEnvironment

  public init(library: PHPhotoLibrary, configuration: Configuration) {
    self.init(library: library, configuration: configuration, limits: nil)
  }

  /// Makes a server. If `limits` is `nil`, they depend on the process's limit of open files.
  init(
    library: PHPhotoLibrary, configuration: Configuration, limits: ServerLimits?,
    environment: ServerEnvironment = ServerEnvironment()
  ) {
    self.library = library
    self.configuration = configuration
    self.limits = limits
    self.environment = environment
  }

  /// Listens until a signal or the task's cancellation. Calls `onReady` once. Throws if files can't
  /// be read in worker processes, and with `libraryReplaced` once another library is in the place
  /// of this one.
  public func run(onReady: @escaping @Sendable (Announcement) -> Void) async throws {
    PHPhotoLibrary.requireWorkers()
    try PHPhotoLibrary.checkWorkers()
    let sockets = AccountSockets(
      ofLibraryAt: library.url, pause: environment.socketPause, notice: configuration.notice ?? { _ in })
    let ownerSocket = OwnerSocketService(sockets)
    let (ready, isReady) = AsyncStream.makeStream(of: Void.self)
    var limits = limits ?? .forCurrentProcess()
    limits.largestUpload = configuration.largestUpload
    let built = try buildApplication(
      library: library, configuration: configuration, limits: limits,
      environment: environment
    ) { signIn in
      ownerSocket.begin(signIn)
      onReady(Self.announcement(signIn))
      isReady.yield()
    }
    // A read-only library has no uploads, and can't announce its server to programs.
    try? built.uploads.removeLeftovers()
    let presence = try? await Blocking.run { [library] in try library.announceServer() }
    defer { withExtendedLifetime(presence) {} }
    defer {
      ownerSocket.close()
      OwnerLinkFile.remove(fromLibraryAt: library.url)
    }
    let logger = built.application.logger
    var services: [ServiceGroupConfiguration.ServiceConfiguration] = [
      .init(service: built.application),
      .init(service: ownerSocket),
      .init(
        service: PickerSocketService(
          sockets: sockets, ready: ready, responder: built.pickerResponder, logger: logger)),
      .init(service: UploadCleaner(uploads: built.uploads, access: built.access.events)),
      .init(
        service: LibraryWatch(library: library), successTerminationBehavior: .ignore,
        failureTerminationBehavior: .gracefullyShutdownGroup),
    ]
    if configuration.endsAfterPicking {
      services.append(
        .init(
          service: PickerWatch(pickers: built.pickers, starter: configuration.pickingProcess),
          successTerminationBehavior: .gracefullyShutdownGroup))
    }
    var group = ServiceGroupConfiguration(
      services: services, gracefulShutdownSignals: [.sigint, .sigterm], logger: logger)
    group.maximumGracefulShutdownDuration = Self.shutdownTimeout
    do { try await ServiceGroup(configuration: group).run() } catch let error as IOError {
      throw PhotosServerError(
        error, host: configuration.host, port: configuration.port,
        isServed: OwnerSocket.answers(ofLibraryAt: library.url))
    }
  }

  /// If a link can't be stored now, `calotype open` makes one later.
  private static func announcement(_ signIn: SignInService) -> Announcement {
    var announcement = Announcement(address: signIn.site.url(path: ""))
    do {
      try withPhotosErrors {
        if !signIn.site.isPublic {
          announcement.ownerLink = try signIn.makeOwnerLink()
        } else if try !signIn.hasPassword() {
          announcement.setUpCode = try signIn.makeSetUpCode().text
        }
      }
    } catch { announcement.problem = error.localizedDescription }
    return announcement
  }

  /// Asks the server that serves a library on this machine for a new owner link. Throws if none
  /// does.
  public static func ownerLink(ofLibraryAt url: URL) throws -> URL { try OwnerSocket.requestLink(ofLibraryAt: url) }

  /// Opens an owner link in the person's browser, if there is one. The link is not among the
  /// arguments of the browser, which other users could read.
  public static func open(_ ownerLink: URL, ofLibraryAt url: URL) { OwnerLinkFile.open(ownerLink, ofLibraryAt: url) }

  /// Removes the password of a library, signs all browsers out, and ends owner links and the
  /// addresses of copies. A running server notices it within a second.
  public static func resetPassword(of library: PHPhotoLibrary) throws {
    let signIns = try library.signIns
    try signIns.resetPassword(of: signIns.owner().id)
  }

  /// Renames a damaged file about signing in, and makes a new one without passwords, sessions,
  /// links, codes and keys. Returns the old file's new path. If the file is whole, changes nothing
  /// and returns `nil`. A running server goes on with the new file.
  public static func replaceDamagedSignIns(of library: PHPhotoLibrary) throws -> URL? {
    let signIns = try library.signIns
    guard let path = try signIns.setAsideDamagedFile() else { return nil }
    _ = try signIns.owner()
    return URL(fileURLWithPath: path)
  }

  /// Returns whether a library has a password.
  public static func hasPassword(_ library: PHPhotoLibrary) throws -> Bool {
    try library.signIns.owner().passwordHash != nil
  }

  /// Makes a key with which a script uses the library over HTTP. The key can't be read again.
  ///
  /// `assets` are those that the script sees; `nil` means all.
  public static func makeToken(
    named name: String, accessLevel: PHAccessLevel, limitedTo assets: [PHAsset]? = nil, in library: PHPhotoLibrary
  ) throws -> String {
    try AccessService(library: library, random: .system, clock: { Date() })
      .makeKey(named: name, accessLevel, limitedTo: assets, in: library).token.text
  }

  /// The time that a stop waits for answers in progress. It is limited, since a browser that has
  /// paused a movie never reads the rest of it.
  private static var shutdownTimeout: Duration { .seconds(2) }
}

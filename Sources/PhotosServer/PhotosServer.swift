import Foundation
import NIOCore
import Photos
import ServiceLifecycle

/// Serves one library over HTTP to this machine: the web app and the API that it uses.
///
///     let server = PhotosServer(library: library, configuration: .init(webFolder: webFolder))
///     try await server.run { url in print("Serving on \(url)") }
///
/// There are no accounts yet. The server therefore listens on loopback addresses only, and answers
/// every client that has the token in the printed URL: keep the URL secret. The server raises the
/// process's limit of open files. SIGINT and SIGTERM stop it: answers in progress have two seconds
/// to finish.
public struct PhotosServer: Sendable {
  public struct Configuration: Sendable {
    /// A loopback address: one in 127.0.0.0/8, `::1` or `localhost`.
    public var host: String
    /// The port; 0 for any free one.
    public var port: Int
    /// The folder of the web app's files.
    public var webFolder: URL
    /// Called while a movie is made playable, with its asset and the finished share from 0 to 1.
    public var movieProgress: (@Sendable (PHAsset, Double) -> Void)?

    public init(
      host: String = "127.0.0.1", port: Int = 2839, webFolder: URL,
      movieProgress: (@Sendable (PHAsset, Double) -> Void)? = nil
    ) {
      self.host = host
      self.port = port
      self.webFolder = webFolder
      self.movieProgress = movieProgress
    }
  }

  private let library: PHPhotoLibrary
  private let configuration: Configuration
  private let limits: ServerLimits?

  public init(library: PHPhotoLibrary, configuration: Configuration) {
    self.init(library: library, configuration: configuration, limits: nil)
  }

  /// Makes a server. If `limits` is `nil`, they depend on the process's limit of open files.
  init(library: PHPhotoLibrary, configuration: Configuration, limits: ServerLimits?) {
    self.library = library
    self.configuration = configuration
    self.limits = limits
  }

  /// Listens until a signal or the task's cancellation. Calls `onReady` once with the URL to open,
  /// which signs in any browser. Throws if files can't be read in worker processes.
  public func run(onReady: @escaping @Sendable (URL) -> Void) async throws {
    PHPhotoLibrary.requireWorkers()
    try PHPhotoLibrary.checkWorkers()
    let application = try buildApplication(
      library: library, configuration: configuration, limits: limits ?? .forCurrentProcess(), onReady: onReady)
    var group = ServiceGroupConfiguration(
      services: [.init(service: application)], gracefulShutdownSignals: [.sigint, .sigterm],
      logger: application.logger)
    group.maximumGracefulShutdownDuration = Self.shutdownTimeout
    do { try await ServiceGroup(configuration: group).run() } catch let error as IOError {
      throw PhotosServerError(error, host: configuration.host, port: configuration.port)
    }
  }

  /// The time that a stop waits for answers in progress. It is limited, since a browser that has
  /// paused a movie never reads the rest of it.
  private static var shutdownTimeout: Duration { .seconds(2) }
}

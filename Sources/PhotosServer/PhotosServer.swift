import Foundation
import NIOCore
import Photos
import ServiceLifecycle

/// Serves one library over HTTP to this machine: the web app and the API that it uses.
///
///     let server = PhotosServer(library: library, configuration: .init(webFolder: webFolder))
///     try await server.run { url in print("Serving on \(url)") }
///
/// There are no accounts yet, so it listens on loopback addresses only, and answers every client
/// that has the token in the printed address: keep the address secret. It raises the process's
/// limit of open files. SIGINT and SIGTERM end it: answers under way get a few seconds to finish.
public struct PhotosServer: Sendable {
  public struct Configuration: Sendable {
    /// A loopback address: one in 127.0.0.0/8, `::1` or `localhost`.
    public var host: String
    /// 0: any that is free.
    public var port: Int
    /// The web app's files.
    public var webFolder: URL
    /// Told of each movie that is made playable: whose, and 0...1.
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

  /// `limits`: `nil` for those that follow from the process's limit of open files.
  init(library: PHPhotoLibrary, configuration: Configuration, limits: ServerLimits?) {
    self.library = library
    self.configuration = configuration
    self.limits = limits
  }

  /// Listens until a signal or the task's cancellation; calls `onReady` once with the address to
  /// open in a browser, which signs in any browser. Refuses to start if files can't be read in
  /// worker processes.
  public func run(onReady: @escaping @Sendable (URL) -> Void) async throws {
    PHPhotoLibrary.requireWorkers()
    try PHPhotoLibrary.checkWorkers()
    let application = try buildApplication(
      library: library, configuration: configuration, limits: limits ?? .ofThisProcess(), onReady: onReady)
    var group = ServiceGroupConfiguration(
      services: [.init(service: application)], gracefulShutdownSignals: [.sigint, .sigterm],
      logger: application.logger)
    group.maximumGracefulShutdownDuration = Self.patience
    do { try await ServiceGroup(configuration: group).run() } catch let error as IOError {
      throw PhotosServerError(error, host: configuration.host, port: configuration.port)
    }
  }

  /// How long a stop waits for answers under way: a browser that has paused a movie never takes the rest of it.
  private static var patience: Duration { .seconds(2) }
}

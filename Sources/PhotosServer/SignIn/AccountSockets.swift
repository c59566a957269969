import Foundation
import Photos
import ServiceLifecycle
import Synchronization

/// Gets a server's sockets in the account's folder. If another server of the library has them, or
/// if something is in their place, the server runs without them and tries again every few seconds.
final class AccountSockets: Sendable {
  private let libraryURL: URL
  /// Waits until it is time for another attempt. Throws if the task was cancelled.
  private let pause: @Sendable () async throws -> Void
  /// Receives each sentence once, for the person who started the server.
  private let notice: @Sendable (String) -> Void
  private let sentences = Mutex<Set<String>>([])

  init(
    ofLibraryAt url: URL, pause: @escaping @Sendable () async throws -> Void,
    notice: @escaping @Sendable (String) -> Void
  ) {
    libraryURL = url
    self.pause = pause
    self.notice = notice
  }

  /// Returns a socket that listens. If that isn't possible now, says why and returns `nil`.
  func listen(_ purpose: ServerSocket.Purpose) -> ServerSocket? {
    do { return try ServerSocket(purpose, ofLibraryAt: libraryURL) } catch {
      let sentence = Self.sentence(about: purpose, error)
      if sentences.withLock({ $0.insert(sentence).inserted }) { notice(sentence) }
      return nil
    }
  }

  /// Returns a socket that listens as soon as that is possible; `nil` if the server stops before.
  func wait(for purpose: ServerSocket.Purpose) async -> ServerSocket? {
    await cancelWhenGracefulShutdown { [self] in
      while !Task.isCancelled {
        if let socket = try? await Blocking.run({ [self] in listen(purpose) }) { return socket }
        do { try await pause() } catch { return nil }
      }
      return nil
    }
  }

  private static func sentence(about purpose: ServerSocket.Purpose, _ obstacle: ServerSocket.Obstacle) -> String {
    let loss =
      switch purpose {
      case .ownerLinks: "`calotype open` doesn’t find this server"
      case .pickers: "programs can’t ask this server for a picker"
      }
    return switch obstacle {
    // Both sockets have the same sentence, so it is shown once.
    case .otherServer:
      "another server of this library answers `calotype open` and programs that ask for a picker; "
        + "this server does so after the other has ended"
    case .occupied(let path): "\(loss): \(path) is in the way; move it elsewhere"
    case .refused(let reason): "\(loss): \(reason)"
    }
  }
}

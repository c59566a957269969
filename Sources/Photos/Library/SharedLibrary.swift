import Foundation
import Synchronization

/// The library that `PHPhotoLibrary.shared()` returns on threads and queues that have no `asShared`
/// of their own.
enum SharedLibrary {
  private static let state = Mutex(State())

  private struct State {
    /// The library of the running `asSharedEverywhere`.
    var everywhere: PHPhotoLibrary?
    /// The scopes that wait for the running one to end.
    var waiting: [CheckedContinuation<Void, Never>] = []
    /// The library that was passed to `useAsShared`.
    var named: PHPhotoLibrary?
    /// Whether this process runs tests and so never opens the default library.
    var isTesting = isTestRunner
  }

  static var ofProcess: PHPhotoLibrary {
    let (named, isTesting) = state.withLock { ($0.everywhere ?? $0.named, $0.isTesting) }
    if let named { return named }
    guard !isTesting else { fatalError(unnamed) }
    return atDefaultURL
  }

  /// The library of the process; `nil` if it would have to be made.
  static var ofProcessIfMade: PHPhotoLibrary? {
    let isNamed = state.withLock { $0.everywhere != nil || $0.named != nil || $0.isTesting }
    return isNamed || !isToBeMade ? ofProcess : nil
  }

  /// Whether the default library does not exist. One that has lost its database does.
  static var isToBeMade: Bool {
    PHPhotoLibrary.urlInEnvironment == nil && (try? PHPhotoLibrary.exists(at: PHPhotoLibrary.defaultURL)) == false
  }

  private static let unnamed = """
    PHPhotoLibrary.shared() was used in a test without a shared library. The call was outside of asShared, or on a dispatch \
    queue, thread, operation queue or detached task, which don't inherit the library. No library on the disk was touched. \
    Share a library with all threads by asSharedEverywhere or PHPhotoLibrary.useAsShared(_:)
    """

  private static let atDefaultURL: PHPhotoLibrary = {
    do { return try open(named: PHPhotoLibrary.urlInEnvironment) } catch { fatalError(error.localizedDescription) }
  }()

  /// Opens the library that the environment names, or else the default one, which is created if it
  /// does not exist. A named path may be mistyped, or its disk not mounted.
  static func open(named url: URL?) throws -> PHPhotoLibrary {
    guard let url else { return try PHPhotoLibrary(url: PHPhotoLibrary.defaultURL, client: LibraryClient.current) }
    do {
      return try PHPhotoLibrary(url: url, create: false, client: LibraryClient.current)
    } catch let error as PHPhotosError where error.code == .libraryVolumeOffline {
      throw PHPhotosError(
        .libraryVolumeOffline,
        "\(error.localizedDescription); CALOTYPE_LIBRARY names this path; check it, and that its disk is mounted; "
          + "`calotype import --create` or PHPhotoLibrary(url:) makes a new library", cause: error)
    }
  }

  /// Whether SwiftPM started this process to run tests.
  private static var isTestRunner: Bool {
    LibraryClient.executablePath.hasSuffix(".xctest") || CommandLine.arguments.contains("--testing-library")
  }

  static func requireName() { state.withLock { $0.isTesting = true } }

  static func setNamed(_ library: PHPhotoLibrary?) { state.withLock { $0.named = library } }

  // MARK: Everywhere

  static func isEverywhere(_ library: PHPhotoLibrary?) -> Bool {
    library != nil && state.withLock { $0.everywhere === library }
  }

  /// Begins a scope, after the end of a running one. Scopes begin in the order of their calls.
  static func begin(_ library: PHPhotoLibrary) async {
    await withCheckedContinuation { continuation in
      let isFree = state.withLock { state in
        guard state.everywhere != nil else {
          state.everywhere = library
          return true
        }
        state.waiting.append(continuation)
        return false
      }
      if isFree { continuation.resume() }
    }
    // The scope that ended left `everywhere` set, so that no other scope could begin meanwhile.
    state.withLock { $0.everywhere = library }
  }

  static func end() {
    let next = state.withLock { state -> CheckedContinuation<Void, Never>? in
      guard state.waiting.isEmpty else { return state.waiting.removeFirst() }
      state.everywhere = nil
      return nil
    }
    next?.resume()
  }
}

extension PHPhotoLibrary {
  @TaskLocal static var current: PHPhotoLibrary?
}

import Foundation
package import LibraryStore
import Synchronization

/// Faults that a test arranges in a library. There are none unless `PhotosTesting` sets them.
@_spi(Testing) public final class LibrarySituations: Sendable {
  private let state = Mutex(State())

  private struct State {
    var commitErrors: [PHPhotosError] = []
    /// The number of identifiers assigned so far; `nil` if identifiers are not numbered.
    var identifierCount: Int?
    var folder: TestFolder?
  }

  /// Lets the next commit fail with an error. Several calls fail as many commits, in the same
  /// order.
  public func failNextCommit(_ code: PHPhotosError.Code, _ description: String) {
    state.withLock { $0.commitErrors.append(PHPhotosError(code, description)) }
  }

  /// Whether a test is setting up its library, to which arranged errors don't apply.
  @TaskLocal fileprivate static var isArranging = false

  func nextCommitError() -> PHPhotosError? {
    guard !Self.isArranging else { return nil }
    return state.withLock { $0.commitErrors.isEmpty ? nil : $0.commitErrors.removeFirst() }
  }

  /// Numbers the identifiers of objects that are created from now on, so that they are the same in
  /// each run of a test.
  public func numberIdentifiers() { state.withLock { $0.identifierCount = 0 } }

  fileprivate func nextNumberedIdentifier() -> String? {
    let number = state.withLock { state in
      state.identifierCount? += 1
      return state.identifierCount
    }
    return number.map { String(format: "00000000-0000-4000-8000-%012X", $0) }
  }

  /// Retains the library's folder as long as the library is open.
  package func keep(_ folder: TestFolder) { state.withLock { $0.folder = folder } }
}

extension PHPhotoLibrary {
  /// Opens a library, or creates it, with other originals than those in its folder.
  package convenience init(
    url: URL, clock: @escaping @Sendable () -> Date,
    originals: @escaping @Sendable (any Originals) -> any Originals
  ) throws {
    let engine = try withPhotosErrors {
      try LibraryEngine(
        path: url.standardizedFileURL.path, create: true, historyLimits: .standard, clock: clock, originals: originals)
    }
    self.init(engine: engine)
  }

  @_spi(Testing) public var situations: LibrarySituations { engine.situations }

  /// Commits changes that set up a test's library. Errors arranged for the next change stay
  /// arranged.
  @_spi(Testing) public func arrange(_ changeBlock: () -> Void) throws {
    try changeQueue.sync {
      try LibrarySituations.$isArranging.withValue(true) { try commitChanges(of: changeBlock) }
    }
  }

  /// Returns the UUID for an object that the running change block creates.
  static func newUUID() -> String { current?.engine.situations.nextNumberedIdentifier() ?? UUID().uuidString }
}

extension PHPhotoLibrary {
  /// Runs a test's work, and calls `handler` each time that one of its tasks uses a database on its
  /// own thread.
  @_spi(Testing) public static func reportingWaits<Result: Sendable>(
    to handler: @escaping @Sendable () -> Void, _ work: @Sendable () async throws -> Result
  ) async rethrows -> Result {
    try await WaitingTasks.$handler.withValue(handler, operation: work)
  }
}

extension PHPhotoLibrary {
  /// Forgets all of the history.
  @_spi(Testing) public func expireHistoryForTesting() throws {
    try withPhotosErrors { try store.expireHistory() }
  }

  /// Removes the details of the history and keeps the transactions' numbers.
  @_spi(Testing) public func thinHistoryForTesting() throws {
    try withPhotosErrors { try store.thinHistory() }
  }
}

extension PHPhotoLibrary {
  /// Removes the stored renditions of assets, as if the assets had just come from elsewhere.
  @_spi(Testing) public func forgetRenditionsForTesting(of assets: [PHAsset]) {
    store.renditions.remove(assets.map(\.uuid))
  }
}

extension PHAssetResource {
  @_spi(Testing) public var fileURLForTesting: URL { photoLibrary.url.appendingPathComponent(record.path) }
}

/// The folder of a test's library. It is removed with its last reference, or by a later test if its
/// process trapped.
package final class TestFolder: Sendable {
  private let folder: PrivateFolder
  package var url: URL { folder.url }

  package init(in parent: URL) { folder = PrivateFolder(in: parent) }
}

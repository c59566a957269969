import Foundation
@_spi(Testing) import Photos

extension TemporaryLibrary {
  /// Makes the next `performChanges` fail with this error and change nothing. Each further call
  /// makes one more fail.
  ///
  ///     temporary.failNextChange(.notEnoughSpace)
  public func failNextChange(_ code: PHPhotosError.Code, _ description: String = "the test lets this change fail") {
    library.situations.failNextCommit(code, description)
  }

  /// Makes the originals of an asset remote, as in a cloud. A request that allows network access
  /// gets them after `delay` seconds, with calls of its progress handler. A request that doesn't
  /// allow it fails with `networkAccessRequired`. If `error` is set, the download fails with it.
  public func setOriginalsRemote(of asset: PHAsset, delay: TimeInterval = 0, error: PHPhotosError.Code? = nil) {
    remoteAssets.set(.init(delay: delay, error: error), row: asset.rowID)
  }

  /// Makes the originals of an asset local again.
  public func setOriginalsLocal(of asset: PHAsset) { remoteAssets.set(nil, row: asset.rowID) }

  /// Removes the originals of an asset from the disk, as in a library that has lost files.
  public func removeOriginals(of asset: PHAsset) throws {
    for resource in try asset.storedResources {
      try FileManager.default.removeItem(at: resource.fileURLForTesting)
    }
  }

  /// Expires the history of all changes so far. `fetchPersistentChanges(since:)` with an older
  /// token then throws `persistentChangeTokenExpired`.
  public func expireHistory() throws { try library.expireHistoryForTesting() }

  /// Drops the details of all changes so far. Their `changeDetails(for:)` then throws
  /// `persistentChangeDetailsUnavailable`.
  public func thinHistory() throws { try library.thinHistoryForTesting() }

  /// Blocks until all observers have been notified of everything that was committed.
  public func waitForObservers() { library.waitForObservers() }
}

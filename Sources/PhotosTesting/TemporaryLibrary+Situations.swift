import Foundation
@_spi(Testing) import Photos

extension TemporaryLibrary {
  /// The next `performChanges` fails with this error, and changes nothing; called twice, the next two do.
  ///
  ///     temporary.failNextChange(.notEnoughSpace)
  public func failNextChange(_ code: PHPhotosError.Code, _ description: String = "the test lets this change fail") {
    library.situations.failNextCommit(code, description)
  }

  /// The originals of an asset are elsewhere, as in a cloud: a request that allows the network gets them after `delay` seconds, with its
  /// progress handler called on the way; one that does not fails with `networkAccessRequired`. With `error` they never arrive.
  public func setOriginalsRemote(of asset: PHAsset, delay: TimeInterval = 0, error: PHPhotosError.Code? = nil) {
    library.situations.setRemote(.init(delay: delay, error: error), for: asset)
  }

  /// Removes the originals of an asset from the disk: a library that has lost files.
  public func removeOriginals(of asset: PHAsset) throws {
    for resource in asset.storedResources {
      try FileManager.default.removeItem(at: resource.fileURLForTesting)
    }
  }

  /// Lets the history of all changes so far expire: `fetchPersistentChanges(since:)` with an older token then throws
  /// `persistentChangeTokenExpired`.
  public func expireHistory() throws { try library.expireHistoryForTesting() }

  /// Drops the details of all changes so far: `changeDetails(for:)` of them throws `persistentChangeDetailsUnavailable`.
  public func thinHistory() throws { try library.thinHistoryForTesting() }

  /// Returns when all observers have been told of everything that has been committed.
  public func waitForObservers() { library.waitForObservers() }
}

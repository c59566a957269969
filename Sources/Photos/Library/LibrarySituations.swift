import Foundation
import Synchronization

/// What a test arranges to go wrong in a library: nothing, unless `PhotosTesting` says otherwise.
@_spi(Testing) public final class LibrarySituations: Sendable {
  private let state = Mutex(State())

  private struct State {
    var commitErrors: [PHPhotosError] = []
    var remoteOriginals: [String: RemoteOriginal] = [:]
  }

  /// An original that has to be fetched before it is there.
  @_spi(Testing) public struct RemoteOriginal: Sendable {
    /// Seconds until it has arrived.
    public var delay: TimeInterval
    /// What ends its arrival instead.
    public var error: PHPhotosError.Code?

    public init(delay: TimeInterval, error: PHPhotosError.Code? = nil) {
      self.delay = delay
      self.error = error
    }
  }

  /// The next commits fail with these errors, one after the other.
  public func failNextCommit(_ code: PHPhotosError.Code, _ description: String) {
    state.withLock { $0.commitErrors.append(PHPhotosError(code, description)) }
  }

  /// The originals of an asset are elsewhere; `nil` brings them back.
  public func setRemote(_ original: RemoteOriginal?, for asset: PHAsset) {
    state.withLock { $0.remoteOriginals[asset.uuid] = original }
  }

  func nextCommitError() -> PHPhotosError? {
    state.withLock { $0.commitErrors.isEmpty ? nil : $0.commitErrors.removeFirst() }
  }

  func remoteOriginal(ofAsset uuid: String) -> RemoteOriginal? { state.withLock { $0.remoteOriginals[uuid] } }
  func didArrive(originalOfAsset uuid: String) { state.withLock { $0.remoteOriginals[uuid] = nil } }
}

extension PHPhotoLibrary {
  @_spi(Testing) public var situations: LibrarySituations { engine.situations }
}

extension PHPhotoLibrary {
  /// Forgets all of the history.
  @_spi(Testing) public func expireHistoryForTesting() throws {
    do { try store.expireHistory() } catch { throw PHPhotosError(error) }
  }

  /// Keeps of all of the history nothing but the transactions' numbers.
  @_spi(Testing) public func thinHistoryForTesting() throws {
    do { try store.thinHistory() } catch { throw PHPhotosError(error) }
  }
}

extension PHPhotoLibrary {
  /// Forgets what was computed of assets, as if they had just come from elsewhere.
  @_spi(Testing) public func forgetRenditionsForTesting(of assets: [PHAsset]) {
    store.renditions.remove(assets.map(\.uuid))
  }
}

extension PHAssetResource {
  @_spi(Testing) public var fileURLForTesting: URL { photoLibrary.url.appendingPathComponent(record.path) }
}

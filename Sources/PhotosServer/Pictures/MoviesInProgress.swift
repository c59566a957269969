import Photos
import Synchronization

/// The progress of movies that are being made for browsers.
final class MoviesInProgress: Sendable {
  private struct Movie: Hashable {
    var id: String
    var version: String

    init(_ asset: PHAsset) { (id, version) = (asset.uuid, asset.renditionVersion) }
  }

  private let shares = Mutex<[Movie: Double]>([:])

  /// Notes the part that has been made, from 0 to 1.
  func report(_ share: Double, of asset: PHAsset) { shares.withLock { $0[Movie(asset)] = share } }

  /// Forgets a movie. If another request waits for it, its next report brings it back.
  func end(_ asset: PHAsset) { shares.withLock { $0[Movie(asset)] = nil } }

  func progress(of asset: PHAsset) -> Double? { shares.withLock { $0[Movie(asset)] } }
}

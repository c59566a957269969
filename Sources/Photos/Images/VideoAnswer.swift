import AVFoundation
import Foundation

/// What a request for a video comes to.
struct VideoAnswer: Sendable {
  private(set) var asset: AVURLAsset?
  private var error: PHPhotosError?

  init(
    of asset: PHAsset, _ version: PHVideoRequestOptionsVersion, _ arrival: OriginalArrival, _ cancellation: Cancellation
  ) {
    do {
      try asset.checkAccess()
      guard asset.mediaType == .video else {
        throw PHPhotosError(
          .requestNotSupportedForAsset, "\(asset.localIdentifier) is no video", identifiers: [asset.localIdentifier])
      }
      try arrival.wait(for: asset, cancellation: cancellation)
      let url = try asset.movieFile(isOriginal: version == .original)
      guard FileManager.default.isReadableFile(atPath: url.path) else {
        throw PHPhotosError(.missingResource, "\(url.lastPathComponent): the original is missing from the library")
      }
      guard !cancellation.isCancelled else { throw PHPhotosError(.userCancelled, "the request was cancelled") }
      self.asset = AVURLAsset(url: url)
    } catch { self.error = PHPhotosError(error) }
  }

  func info(of id: PHImageRequestID) -> [AnyHashable: Any] {
    RequestInfo.of(id, isDegraded: false, isInCloud: error?.code == .networkAccessRequired, error)
  }
}

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
      self.asset = AVURLAsset(url: url)
      // Whoever cancels from now on comes too late.
      if cancellation.close() { throw CancellationError() }
    } catch {
      self.asset = nil
      self.error = PHPhotosError(cancellation.close() ? CancellationError() : error)
    }
  }

  func info(of id: PHImageRequestID) -> [AnyHashable: Any] { RequestInfo.of(id, error) }
}

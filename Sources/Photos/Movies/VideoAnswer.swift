import AVFoundation
import Foundation
internal import LibraryStore

/// The answer to a request for a video: an asset or an error.
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
      let record = try asset.movieRecord(isOriginal: version == .original)
      try arrival.wait(for: record, in: asset.photoLibrary, cancellation: cancellation)
      // A missing file has no URL to open later.
      _ = try asset.photoLibrary.store.originals.mediaFile(of: record)
      self.asset = AVURLAsset(try ClientFile(record, of: asset.photoLibrary))
      // A later cancellation has no effect.
      if cancellation.close() { throw CancellationError() }
    } catch {
      self.asset = nil
      self.error = PHPhotosError(cancellation.close() ? CancellationError() : error)
    }
  }

  func info(of id: PHImageRequestID) -> [AnyHashable: Any] { RequestInfo.of(id, error) }
}

extension AVURLAsset {
  /// Makes an asset that keeps the link to the movie's file as long as the asset exists.
  convenience init(_ file: ClientFile) { self.init(url: file.url, retaining: file.folder) }
}

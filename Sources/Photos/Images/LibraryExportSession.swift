import AVFoundation

/// A session for an asset's video. Inside its handler, `PHPhotoLibrary.shared()` returns the
/// asset's library.
final class LibraryExportSession: AVAssetExportSession, @unchecked Sendable {
  // The library is Sendable.

  private let library: PHPhotoLibrary?

  init?(asset: AVAsset, presetName: String, library: PHPhotoLibrary?) {
    self.library = library
    super.init(asset: asset, presetName: presetName)
  }

  override func exportAsynchronously(completionHandler handler: @escaping @Sendable () -> Void) {
    let handler = ResultHandler(in: library, handler)
    super.exportAsynchronously { handler.call() }
  }
}

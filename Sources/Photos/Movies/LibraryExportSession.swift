import AVFoundation

/// An export session for a video's movie. While its handler runs, `PHPhotoLibrary.shared()`
/// returns the asset's library.
final class LibraryExportSession: AVAssetExportSession, @unchecked Sendable {
  // The only added state is an immutable library, which is Sendable.

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

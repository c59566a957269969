import AVFoundation

/// A session for an asset's video; the asset's library is shared inside of the handler.
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

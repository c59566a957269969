import Foundation
internal import LibraryStore

/// Fetches originals that are stored elsewhere, if the request allows it.
struct OriginalArrival: @unchecked Sendable {
  // The handler is called on one queue only.
  let isNetworkAccessAllowed: Bool
  /// Receives the progress from 0 to 1, and the error if the fetch fails. Returns whether to
  /// continue.
  let progress: (Double, (any Error)?) -> Bool

  init(isNetworkAccessAllowed: Bool = false, progress: @escaping (Double, (any Error)?) -> Bool = { _, _ in true }) {
    self.isNetworkAccessAllowed = isNetworkAccessAllowed
    self.progress = progress
  }

  static func check(_ cancellation: Cancellation, _ resource: PHAssetResource) throws {
    if cancellation.isCancelled { throw cancelled(resource) }
  }

  private static func cancelled(_ resource: PHAssetResource) -> PHPhotosError {
    PHPhotosError(.userCancelled, "\(resource.originalFilename): the request was cancelled")
  }

  /// The number of progress reports of a fetch.
  private static let steps = 10

  /// Returns whether the original is stored elsewhere.
  func isNeeded(for asset: PHAsset) -> Bool {
    asset.photoLibrary.engine.situations.remoteOriginal(ofAsset: asset.uuid) != nil
  }

  /// Returns whether the original is stored elsewhere, and the request may not fetch it.
  func isBarred(from asset: PHAsset) -> Bool { !isNetworkAccessAllowed && isNeeded(for: asset) }

  func wait(for asset: PHAsset, cancellation: Cancellation) throws {
    guard isNeeded(for: asset), let resource = PHAssetResource.assetResources(for: asset).first else { return }
    try wait(for: resource, cancellation: cancellation)
  }

  /// Waits until the original is in the library. All originals are there, unless a test simulates
  /// others. Throws `networkAccessRequired` if the request may not fetch it.
  func wait(for resource: PHAssetResource, cancellation: Cancellation) throws {
    guard resource.fileURL == nil else { return }
    let situations = resource.photoLibrary.engine.situations
    let uuid = PHObject.uuid(localIdentifier: resource.assetLocalIdentifier)
    guard let remote = situations.remoteOriginal(ofAsset: uuid) else { return }
    guard isNetworkAccessAllowed else {
      throw PHPhotosError(
        .networkAccessRequired,
        "\(resource.originalFilename): the original is elsewhere, and the network is not allowed")
    }
    let library = resource.photoLibrary
    for step in 1...Self.steps {
      Thread.sleep(forTimeInterval: remote.delay / Double(Self.steps))
      try Self.check(cancellation, resource)
      let fraction = Double(step) / Double(Self.steps)
      if let code = remote.error, step == Self.steps / 2 {
        let error = PHPhotosError(code, "\(resource.originalFilename): the original did not arrive")
        _ = library.asShared { progress(fraction, error) }
        throw error
      }
      guard library.asShared({ progress(fraction, nil) }) else {
        cancellation.cancel()
        throw Self.cancelled(resource)
      }
      try Self.check(cancellation, resource)
    }
    situations.didDownload(originalOfAsset: uuid)
  }
}

import Foundation
import Photos

/// Measures the prepared images that one thread gets per second.
@MainActor struct CachedImages {
  private let assets: [PHAsset]
  private let manager = PHCachingImageManager()
  private let size = CGSize(width: 200, height: 200)
  private let options = PHImageRequestOptions()

  init(_ assets: PHFetchResult<PHAsset>) {
    self.assets = assets.objects(at: IndexSet(0..<min(200, assets.count)))
    // Exact images are delivered at once, without a preview, only if they were prepared.
    options.resizeMode = .exact
  }

  func measure() async {
    manager.startCachingImages(for: assets, targetSize: size, contentMode: .aspectFill, options: options)
    while requestAll() < assets.count { try? await Task.sleep(for: .milliseconds(50)) }
    let rounds = 100
    let start = ContinuousClock.now
    var found = 0
    for _ in 0..<rounds { found += requestAll() }
    let seconds = start.duration(to: .now).milliseconds / 1000
    report("cached", Double(found) / seconds)
  }

  /// Requests all images and returns the number of those that were delivered at once.
  private func requestAll() -> Int {
    var found = 0
    var ids: [PHImageRequestID] = []
    for asset in assets {
      ids.append(
        manager.requestImage(for: asset, targetSize: size, contentMode: .aspectFill, options: options) { image, info in
          if image != nil, info?[PHImageResultIsDegradedKey] as? Bool == false { found += 1 }
        })
    }
    if found < assets.count { ids.forEach(manager.cancelImageRequest) }
    return found
  }
}

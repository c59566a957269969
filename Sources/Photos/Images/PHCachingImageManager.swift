import Foundation
import Synchronization

/// Prepares the images that will soon be seen, as of the cells around a grid's screen.
///
///     let manager = PHCachingImageManager()
///     manager.startCachingImages(for: coming, targetSize: size, contentMode: .aspectFill, options: options)
///     manager.requestImage(for: asset, targetSize: size, contentMode: .aspectFill, options: options) { image, _ in … }
///     manager.stopCachingImages(for: gone, targetSize: size, contentMode: .aspectFill, options: options)
///
/// - A request finds what was prepared if its size, content mode and options are equal; requests of other managers never do.
/// - Of an asset only what was asked for first is prepared, until that is stopped.
/// - What is on the screen comes first, and one thread is always left to it. At most 256 MB are kept; what finds no room is prepared
///   when other images are stopped.
open class PHCachingImageManager: PHImageManager, @unchecked Sendable {
  // The flag is under a lock, and the cache under one of its own.

  private let images = ImageCache(limit: 256 << 20)
  private let allowsHighQuality = Mutex(true)

  override var cache: ImageCache? { images }

  /// Whether whole images are prepared; otherwise only the library's small ones are made, which a request finds in the library.
  open var allowsCachingHighQualityImages: Bool {
    get { allowsHighQuality.withLock(\.self) }
    set { allowsHighQuality.withLock { $0 = newValue } }
  }

  open func startCachingImages(
    for assets: [PHAsset], targetSize: CGSize, contentMode: PHImageContentMode, options: PHImageRequestOptions?
  ) {
    images.start(assets, specification(targetSize, contentMode, options))
  }

  open func stopCachingImages(
    for assets: [PHAsset], targetSize: CGSize, contentMode: PHImageContentMode, options: PHImageRequestOptions?
  ) {
    images.stop(assets, specification(targetSize, contentMode, options))
  }

  open func stopCachingImagesForAllAssets() { images.stopAll() }

  private func specification(_ targetSize: CGSize, _ contentMode: PHImageContentMode, _ options: PHImageRequestOptions?)
    -> ImageSpecification
  {
    let whole = ImageSpecification(targetSize: targetSize, contentMode: contentMode, options: options)
    return allowsCachingHighQualityImages ? whole : whole.smallest
  }
}

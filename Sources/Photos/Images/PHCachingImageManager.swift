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
/// - Of an asset only what was asked for first is prepared, until that is stopped. An asset that was edited meanwhile is prepared anew when
///   it is started again.
/// - What is on the screen comes first, and one thread is always left to it; what is prepared comes in the order of `assets`. At most 256 MB are kept by each manager; what finds no room
///   is prepared when other images are stopped. A manager that is let go stops.
open class PHCachingImageManager: PHImageManager, @unchecked Sendable {
  // The flag is under a lock, and the cache under one of its own.

  private let images: ImageCache
  private let allowsHighQuality = Mutex(true)

  private static let byteLimit = 256 << 20

  override var cache: ImageCache? { images }

  public override init() {
    images = ImageCache(limit: Self.byteLimit, pipeline: .shared)
    super.init()
  }

  init(pipeline: ImagePipeline, limit: Int = byteLimit) {
    images = ImageCache(limit: limit, pipeline: pipeline)
    super.init(pipeline: pipeline)
  }

  deinit { images.stopAll() }

  /// Whether whole images are prepared; otherwise only the library's small ones are made, which a request finds in the library.
  open var allowsCachingHighQualityImages: Bool {
    get { allowsHighQuality.withLock(\.self) }
    set { allowsHighQuality.withLock { $0 = newValue } }
  }

  /// Prepares images as `requestImage` would hand them out, the first ones first; what is too large for the memory that is left lets
  /// smaller ones pass, and waits until others are stopped.
  open func startCachingImages(
    for assets: [PHAsset], targetSize: CGSize, contentMode: PHImageContentMode, options: PHImageRequestOptions?
  ) {
    images.start(
      assets, ImageSpecification(targetSize: targetSize, contentMode: contentMode, options: options),
      isKept: allowsCachingHighQualityImages)
  }

  /// Forgets what was prepared just so; what has not begun is not prepared any more.
  open func stopCachingImages(
    for assets: [PHAsset], targetSize: CGSize, contentMode: PHImageContentMode, options: PHImageRequestOptions?
  ) {
    images.stop(assets, ImageSpecification(targetSize: targetSize, contentMode: contentMode, options: options))
  }

  /// Forgets everything.
  open func stopCachingImagesForAllAssets() { images.stopAll() }
}

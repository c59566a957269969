import Foundation
import Synchronization

/// Prepares images that will be visible soon, such as the cells just outside the visible part of a
/// grid.
///
///     let manager = PHCachingImageManager()
///     manager.startCachingImages(for: coming, targetSize: size, contentMode: .aspectFill, options: options)
///     manager.requestImage(for: asset, targetSize: size, contentMode: .aspectFill, options: options) { image, _ in … }
///     manager.stopCachingImages(for: gone, targetSize: size, contentMode: .aspectFill, options: options)
///
/// - A request finds a prepared image if its size, content mode and options are the same. Requests
///   of other managers don't find it.
/// - For each asset, only the image that is started first is prepared, until it is stopped. If the
///   asset has been edited, starting it again prepares it anew.
/// - Visible images come before prepared ones, and one thread is always left to them. Images are
///   prepared in the order of `assets`.
/// - Each manager keeps at most 256 MB. Further images are prepared when others are stopped.
/// - A manager stops caching when it is deallocated.
open class PHCachingImageManager: PHImageManager, @unchecked Sendable {
  // A lock guards the flag, and the cache has a lock of its own.

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

  /// Whether whole images are prepared. If not, only the library's small renditions are made, and
  /// requests find these in the library.
  open var allowsCachingHighQualityImages: Bool {
    get { allowsHighQuality.withLock(\.self) }
    set { allowsHighQuality.withLock { $0 = newValue } }
  }

  /// Prepares images as `requestImage` would deliver them, in the order of `assets`. An image that
  /// is too large for the remaining memory lets smaller ones pass, and waits until others are
  /// stopped.
  open func startCachingImages(
    for assets: [PHAsset], targetSize: CGSize, contentMode: PHImageContentMode, options: PHImageRequestOptions?
  ) {
    images.start(
      assets.map(\.pictures), ImageSpecification(targetSize: targetSize, contentMode: contentMode, options: options),
      isKept: allowsCachingHighQualityImages)
  }

  /// Forgets the images that were started with the same arguments. Work that has not begun is
  /// dropped.
  open func stopCachingImages(
    for assets: [PHAsset], targetSize: CGSize, contentMode: PHImageContentMode, options: PHImageRequestOptions?
  ) {
    images.stop(
      assets.map(\.pictures), ImageSpecification(targetSize: targetSize, contentMode: contentMode, options: options))
  }

  /// Forgets all images. Work that has not begun is dropped.
  open func stopCachingImagesForAllAssets() { images.stopAll() }
}

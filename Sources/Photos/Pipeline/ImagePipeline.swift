import Foundation
internal import Imaging
import Synchronization
import UIKit

/// Makes the pictures for all image managers of a process.
///
/// Equal requests share a decode. Visible images come before preheated ones. The memory of images
/// that are being made or wait for delivery is bounded.
final class ImagePipeline: Sendable {
  static let shared = ImagePipeline()

  let images: Coalescer<ImageKey, UIImage>
  /// Thumbnails inside originals. They decode quickly, so they don't wait behind whole pictures.
  let thumbnails: Coalescer<ThumbnailKey, UIImage?>
  let renditions: Coalescer<RenditionKey, AssetRendition>
  /// Movies that browsers play, as originals or converted. The value is `nil` for a movie that has
  /// to be converted.
  let movies: Coalescer<AssetKey, FileReader?>
  let conversions = MovieConversions()
  /// Whether browsers play a movie's original, if that is known.
  let playableMovies = Mutex<[AssetKey: Bool]>([:])
  static let playableMovieLimit = 4096
  /// The queue for answers made from images at hand, and for files that are read whole.
  let forms: WorkQueue
  /// Bytes of images and files' data that are being made or wait for the main queue.
  let undelivered: MemoryBudget
  /// Bytes of thumbnails, and of stored renditions that are not decoded.
  let undeliveredPreviews: MemoryBudget

  struct ImageKey: Hashable, Sendable {
    var asset: AssetKey
    var picture: PictureRequest
    var version: PHImageRequestOptionsVersion
    /// The renditions that are sufficient. The delivery mode has no other effect on the image
    /// itself.
    var kinds: [RenditionKind]

    init(_ asset: PHAsset, _ specification: ImageSpecification) {
      self.asset = AssetKey(asset)
      picture = specification.picture
      version = specification.version
      kinds = asset.kindsServing(specification)
    }
  }

  struct ThumbnailKey: Hashable, Sendable {
    var asset: AssetKey
    var version: PHImageRequestOptionsVersion
  }

  struct RenditionKey: Hashable, Sendable {
    var asset: AssetKey
    var kind: AssetRendition.Kind
  }

  /// An asset with its current picture: an edit changes the key.
  struct AssetKey: Hashable, Sendable {
    var library: ObjectIdentifier
    var uuid: String
    var version: String

    init(_ asset: PHAsset) {
      library = ObjectIdentifier(asset.photoLibrary)
      uuid = asset.uuid
      version = asset.renditionVersion
    }
  }

  init(width: Int = ProcessInfo.processInfo.activeProcessorCount, memoryLimit: Int = 256 << 20) {
    undelivered = MemoryBudget(limit: memoryLimit)
    undeliveredPreviews = MemoryBudget(limit: memoryLimit / 8)
    // Preheating may use all processors: one more thread is left for visible images.
    let decoding = WorkQueue(width: width + 1)
    images = Coalescer(queue: decoding, budget: undelivered, byteCount: \.heldByteCount)
    renditions = Coalescer(queue: decoding)
    thumbnails = Coalescer(queue: WorkQueue(width: width), budget: undeliveredPreviews) { $0?.heldByteCount ?? 0 }
    movies = Coalescer(queue: WorkQueue(width: width))
    forms = WorkQueue(width: width)
  }
}

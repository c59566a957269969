import Foundation
internal import Imaging
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
  /// The queue for answers made from images at hand, and for files that are read whole.
  let answerQueue: WorkQueue
  /// Bytes of images and files' data that are being made or wait for the main queue.
  let undelivered: MemoryBudget
  /// Bytes of thumbnails, and of stored renditions that are not decoded.
  let undeliveredPreviews: MemoryBudget

  struct ImageKey: Hashable, Sendable {
    var asset: AssetPictures.Key
    var picture: PictureRequest
    var version: PHImageRequestOptionsVersion
    /// The renditions that are sufficient. The delivery mode has no other effect on the image
    /// itself.
    var kinds: [RenditionKind]

    init(_ pictures: AssetPictures, _ specification: ImageSpecification) {
      asset = pictures.key
      picture = specification.picture
      version = specification.version
      kinds = pictures.sufficientKinds(specification)
    }
  }

  struct ThumbnailKey: Hashable, Sendable {
    var asset: AssetPictures.Key
    var version: PHImageRequestOptionsVersion
  }

  struct RenditionKey: Hashable, Sendable {
    var asset: AssetPictures.Key
    var kind: AssetRendition.Kind
  }

  init(width: Int = ProcessInfo.processInfo.activeProcessorCount, memoryLimit: Int = 256 << 20) {
    undelivered = MemoryBudget(limit: memoryLimit)
    undeliveredPreviews = MemoryBudget(limit: memoryLimit / 8)
    // Preheating may use all processors: one more thread is left for visible images.
    let decoding = WorkQueue(width: width + 1)
    images = Coalescer(queue: decoding, budget: undelivered, byteCount: \.heldByteCount)
    renditions = Coalescer(queue: decoding)
    thumbnails = Coalescer(queue: WorkQueue(width: width), budget: undeliveredPreviews) { $0?.heldByteCount ?? 0 }
    answerQueue = WorkQueue(width: width)
  }

  /// Whether nothing is being made. Images may still wait for memory or for the main queue.
  ///
  /// The queues are in the order in which an image passes through them, so none is missed.
  var isIdle: Bool { thumbnails.isIdle && images.isIdle && answerQueue.isIdle }
}

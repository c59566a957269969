import Foundation
internal import Imaging
import Synchronization
import UIKit

/// Where the pictures of all image managers of a program are made: equal requests share a decode, what is seen comes before what is
/// preheated, and what is being made or waits to be handed over is bounded.
final class ImagePipeline: Sendable {
  static let shared = ImagePipeline()

  let images: Coalescer<ImageKey, UIImage>
  /// Thumbnails inside originals: quick, so they don't wait behind whole pictures.
  let thumbnails: Coalescer<ThumbnailKey, UIImage?>
  let renditions: Coalescer<RenditionKey, PHRendition>
  /// Movies that are playable as they are or have been made so; `nil` for one that has to be made playable.
  let movies: Coalescer<AssetKey, PHFileReader?>
  let conversions = MovieConversions()
  /// Whether browsers play movies' originals, where that is known.
  let playableMovies = Mutex<[AssetKey: Bool]>([:])
  static let playableMovieLimit = 4096
  /// What is made of images that were at hand, and files that are read whole.
  let forms: WorkQueue
  /// Bytes of images and files' data that are made, or wait for the main queue.
  let undelivered: MemoryBudget
  /// Bytes of thumbnails, and of stored renditions, which are not decoded.
  let undeliveredPreviews: MemoryBudget

  struct ImageKey: Hashable, Sendable {
    var asset: AssetKey
    var picture: PictureRequest
    var version: PHImageRequestOptionsVersion
    /// All that the delivery mode means for the image itself.
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
    var kind: PHRenditionKind
  }

  /// An asset as it looks now.
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
    // What is preheated may have all processors: one thread more is left to what is seen.
    let decoding = WorkQueue(width: width + 1)
    images = Coalescer(queue: decoding, budget: undelivered, byteCount: \.heldByteCount)
    renditions = Coalescer(queue: decoding)
    thumbnails = Coalescer(queue: WorkQueue(width: width), budget: undeliveredPreviews) { $0?.heldByteCount ?? 0 }
    movies = Coalescer(queue: WorkQueue(width: width))
    forms = WorkQueue(width: width)
  }
}

import Foundation
internal import Imaging
import Synchronization
import UIKit

/// Where the pictures of all image managers of a program are made: equal requests share a decode, what is seen comes before what is
/// preheated, and what has been made and not yet handed over is bounded.
final class ImagePipeline: Sendable {
  static let shared = ImagePipeline()

  /// Bytes of finished pictures that wait for the main queue.
  static let memoryLimit = 256 << 20

  let images: Coalescer<ImageKey, UIImage>
  /// Thumbnails inside originals: quick, so they don't wait behind whole pictures.
  let thumbnails: Coalescer<ImageKey, UIImage?>
  let renditions: Coalescer<RenditionKey, PHRendition>
  /// Movies that are playable as they are or have been made so; `nil` for one that has to be made playable.
  let movies: Coalescer<AssetKey, PHFileReader?>
  let conversions = MovieConversions()
  /// Movies whose original is known to be playable.
  let playableMovies = Mutex<Set<AssetKey>>([])
  static let playableMovieLimit = 4096
  let undelivered = MemoryBudget(limit: memoryLimit)
  let undeliveredThumbnails = MemoryBudget(limit: memoryLimit / 8)

  struct ImageKey: Hashable, Sendable {
    var asset: AssetKey
    var specification: ImageSpecification
  }

  struct RenditionKey: Hashable, Sendable {
    var asset: AssetKey
    var kind: PHRenditionKind?
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

  private init() {
    let width = ProcessInfo.processInfo.activeProcessorCount
    let decoding = WorkQueue(width: width)
    images = Coalescer(queue: decoding)
    renditions = Coalescer(queue: decoding)
    thumbnails = Coalescer(queue: WorkQueue(width: width))
    movies = Coalescer(queue: WorkQueue(width: width))
  }
}

import Foundation
import Synchronization

/// Finds and makes the movies that browsers play, for all image managers of a process.
final class MoviePipeline: Sendable {
  static let shared = MoviePipeline()

  /// Movies that browsers play, as originals or converted. The value is `nil` for a movie that has
  /// to be converted.
  let movies: Coalescer<AssetPictures.Key, FileReader?>
  let conversions = MovieConversions()
  /// Whether browsers play a movie's original, if that is known.
  let playable = Mutex<[AssetPictures.Key: Bool]>([:])
  static let playableLimit = 4096

  private init() {
    movies = Coalescer(queue: WorkQueue(width: ProcessInfo.processInfo.activeProcessorCount))
  }
}

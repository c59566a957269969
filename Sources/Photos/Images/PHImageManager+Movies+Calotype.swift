import Foundation

extension PHImageManager {
  /// Returns the asset's movie in a form that browsers play.
  ///
  ///     let reader = try await manager.playableMovie(for: asset) { share in print("\(Int(share * 100)) %") }
  ///
  /// The movie is a video's, a Live Photo's, or the one inside a motion photo. If browsers don't
  /// play the original, a conversion is made and stored.
  ///
  /// - `progress` is called only while a movie is made, with growing shares up to 1, on a queue of
  ///   its own.
  /// - One movie is made at a time, the latest request first. All requests for the same movie share
  ///   the work.
  /// - If the last task that waits is canceled, the conversion ends a minute later, or at once if
  ///   another movie waits for its turn.
  /// - An interrupted encoding of the picture is continued by the next call, even after the program
  ///   has exited.
  public func playableMovie(for asset: PHAsset, progress: (@Sendable (Double) -> Void)? = nil) async throws
    -> FileReader
  { try await playableMovie(for: asset, endsAtOnce: false, progress: progress) }

  /// Returns the movie like `playableMovie(for:)`. If `endsAtOnce` is true, the conversion does not
  /// continue for a minute after the task was canceled.
  package func playableMovie(
    for asset: PHAsset, endsAtOnce: Bool, progress: (@Sendable (Double) -> Void)? = nil
  ) async throws -> FileReader {
    if let reader = try await existingPlayableMovie(for: asset) { return reader }
    let pictures = asset.pictures
    return try await MoviePipeline.shared.conversions.movie(
      pictures.key, endsAtOnce: endsAtOnce, progress: asset.photoLibrary.sharing(progress)
    ) { isCancelled, progress in
      try pictures.makePlayableMovie(isCancelled: isCancelled, progress: progress)
    }
  }

  /// Returns the movie if nothing has to be made. Returns `nil` if `playableMovie(for:)` would
  /// convert it.
  public func existingPlayableMovie(for asset: PHAsset) async throws -> FileReader? {
    let (pictures, pipeline) = (asset.pictures, MoviePipeline.shared)
    try pictures.checkAccess()
    return try await pipeline.movies.value(for: pictures.key) { try pictures.existingPlayableMovie(knownTo: pipeline) }
  }

  /// Returns the movie like `existingPlayableMovie(for:)`, but without running a program. Returns
  /// `nil` also if nobody has asked yet whether browsers play the original.
  package func knownPlayableMovie(for asset: PHAsset) throws -> FileReader? {
    let pictures = asset.pictures
    try pictures.checkAccess()
    return try pictures.existingPlayableMovie(knownTo: .shared, mayProbe: false)
  }
}

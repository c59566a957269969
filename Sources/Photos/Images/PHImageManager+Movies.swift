import Foundation

extension PHImageManager {
  /// Extension: the asset's movie – a video's, or a Live Photo's, or what a motion photo has inside – as browsers play it; made and kept
  /// where the original is none such.
  ///
  ///     let reader = try await manager.playableMovie(for: asset) { share in print("\(Int(share * 100)) %") }
  ///
  /// - `progress` is called only while a movie is made, with growing shares of it up to 1, on a queue of its own.
  /// - One movie is made at a time, the one that was asked for last before the others. All who ask for the same one meanwhile share the work.
  /// - Cancelling the last of their tasks ends it a minute later, or at once where another movie waits for its turn.
  /// - What was interrupted, also by the end of the program, is gone on with by the next call, where it takes long: where the picture has to
  ///   be encoded anew.
  public func playableMovie(for asset: PHAsset, progress: (@Sendable (Double) -> Void)? = nil) async throws
    -> PHFileReader
  {
    if let reader = try await playableMovieAtHand(for: asset) { return reader }
    return try await pipeline.conversions.movie(
      .init(asset), progress: asset.photoLibrary.sharing(progress)
    ) { isCancelled, progress in
      try asset.makePlayableMovie(isCancelled: isCancelled, progress: progress)
    }
  }

  /// Extension: the same where nothing has to be made; `nil` where `playableMovie(for:)` takes its time.
  public func playableMovieAtHand(for asset: PHAsset) async throws -> PHFileReader? {
    try asset.checkAccess()
    return try await pipeline.movies.value(for: .init(asset)) { [pipeline] in
      try asset.playableMovieAtHand(knownTo: pipeline)
    }
  }
}

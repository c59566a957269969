internal import Essentials
import Foundation
internal import Imaging
internal import LibraryStore
internal import MovieCoding

extension AssetPictures {
  /// Returns a copy of the movie inside a motion photo, as a file of its own. The copy is made
  /// once.
  func movie(inside photo: ResourceRecord, at range: Range<Int>) throws -> URL {
    try withPhotosErrors {
      let renditions = store.renditions
      let hash = photo.sha256.prefix(4).hexadecimal
      let path = try renditions.copy(uuid: record.uuid, name: "motion-\(hash).mp4")
      let copy = URL(fileURLWithPath: path)
      if !FileManager.default.fileExists(atPath: copy.path) {
        let movie = try open(photo).read(range.count, at: range.lowerBound)
        // The copy is not made again when the original is whole again.
        guard movie.count == range.count else { throw missing("whole movie") }
        try renditions.write(Data(movie), to: path)
      }
      return copy
    }
  }

  // MARK: Movies for browsers

  /// Returns the converted movie, or the original if browsers play it. Returns `nil` if the movie
  /// has to be converted first, and without `mayProbe` also if that is not known.
  func existingPlayableMovie(knownTo pipeline: MoviePipeline, mayProbe: Bool = true) throws -> FileReader? {
    try withPhotosErrors {
      let (movie, shown) = try playableMovieSource()
      let url = try playableMovieURL(of: shown)
      if FileManager.default.fileExists(atPath: url.path) { return try Self.reader(of: url) }
      guard movie.motionVideo == nil else { return nil }
      let isPlayable = try mayProbe ? isPlayable(movie, pipeline) : pipeline.playable.withLock { $0[key] == true }
      guard isPlayable else { return nil }
      return FileReader(movie, in: store.originals)
    }
  }

  /// Returns whether browsers play the original. The answer is cached, since each range that a
  /// browser requests asks for it, and each caller that waits for the conversion.
  private func isPlayable(_ movie: ResourceRecord, _ pipeline: MoviePipeline) throws -> Bool {
    if let known = pipeline.playable.withLock({ $0[key] }) { return known }
    let file = try open(movie)
    let isPlayable = try MovieCoding.isPlayable(file, metadata: MediaMetadata(of: file))
    pipeline.playable.withLock { known in
      if known.count >= MoviePipeline.playableLimit { known = [:] }
      known[key] = isPlayable
    }
    return isPlayable
  }

  func makePlayableMovie(
    isCancelled: @escaping @Sendable () -> Bool, progress: @escaping @Sendable (Double) -> Void
  ) throws -> FileReader {
    try withPhotosErrors {
      let (movie, shown) = try playableMovieSource()
      let url = try playableMovieURL(of: shown)
      if !FileManager.default.fileExists(atPath: url.path) {
        // Conversions of earlier versions, finished or not, are no longer needed.
        store.renditions.removeFiles(of: shown.uuid, notOfVersion: shown.renditionVersion)
        do {
          try MovieCoding.makePlayableMovie(
            of: open(movie), range: movie.motionVideo, to: url,
            isCancelled: isCancelled, progress: progress)
          store.renditions.keep(url.path)
        } catch {
          // An edit deletes the unfinished conversion of the version before it.
          guard try playableMovieSource().1.renditionVersion == shown.renditionVersion else {
            throw PHPhotosError(
              .operationInterrupted,
              "\(PHAsset.localIdentifier(uuid: record.uuid)): it was edited while its movie was made; request the movie again",
              cause: error)
          }
          throw error
        }
      }
      return try Self.reader(of: url)
    }
  }

  /// Returns the current movie, and the asset's record for the version that this movie shows.
  private func playableMovieSource() throws -> (ResourceRecord, AssetRecord) {
    // The asset may have been edited since it was fetched. The conversion is stored under the
    // version that it shows.
    let files = try files()
    guard let movie = files.currentMovie else { throw missing("video") }
    return (movie, record.showing(files))
  }

  private func playableMovieURL(of shown: AssetRecord) throws -> URL {
    URL(fileURLWithPath: try renditionFile("movie.mp4", of: shown))
  }

  private static func reader(of url: URL) throws -> FileReader {
    let size = try FileManager.default.attributesOfItem(atPath: url.path)[.size] as? Int
    return FileReader(byteCount: size ?? 0, uniformTypeIdentifier: "public.mpeg-4", url: url)
  }
}

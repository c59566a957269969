import Foundation
internal import Imaging
internal import LibraryStore
internal import MovieCoding

extension PHAsset {
  /// Returns a copy of the movie inside a motion photo, as a file of its own. The copy is made
  /// once.
  func movie(inside photo: ResourceRecord, at range: Range<Int>) throws -> URL {
    do {
      let renditions = photoLibrary.store.renditions
      let hash = photo.sha256.prefix(4).map { String(format: "%02x", $0) }.joined()
      let path = try renditions.copy(uuid: record.uuid, name: "motion-\(hash).mp4")
      let copy = URL(fileURLWithPath: path)
      if !FileManager.default.fileExists(atPath: copy.path) {
        let movie = try photoLibrary.store.originals.mediaFile(of: photo).read(range.count, at: range.lowerBound)
        // The copy is not made again when the original is whole again.
        guard movie.count == range.count else { throw missing("whole movie") }
        try renditions.write(Data(movie), to: path)
      }
      return copy
    } catch { throw PHPhotosError(error) }
  }

  // MARK: Movies for browsers

  /// Returns the converted movie, or the original if browsers play it. Returns `nil` if the movie
  /// has to be converted first.
  func playableMovieAtHand(knownTo pipeline: ImagePipeline) throws -> FileReader? {
    do {
      let (movie, shown) = try playableMovieSource()
      let url = try playableMovieURL(of: shown)
      if FileManager.default.fileExists(atPath: url.path) { return try Self.reader(of: url) }
      guard movie.motionVideo == nil, try isPlayable(movie, pipeline) else { return nil }
      return FileReader(movie, in: photoLibrary.store.originals)
    } catch { throw PHPhotosError(error) }
  }

  /// Returns whether browsers play the original. The answer is cached, since each range that a
  /// browser requests asks for it, and each caller that waits for the conversion.
  private func isPlayable(_ movie: ResourceRecord, _ pipeline: ImagePipeline) throws -> Bool {
    let key = ImagePipeline.AssetKey(self)
    if let known = pipeline.playableMovies.withLock({ $0[key] }) { return known }
    let file = try photoLibrary.store.originals.mediaFile(of: movie)
    let isPlayable = try MovieCoding.isPlayable(file, metadata: MediaMetadata(of: file))
    pipeline.playableMovies.withLock { known in
      if known.count >= ImagePipeline.playableMovieLimit { known = [:] }
      known[key] = isPlayable
    }
    return isPlayable
  }

  func makePlayableMovie(
    isCancelled: @escaping @Sendable () -> Bool, progress: @escaping @Sendable (Double) -> Void
  ) throws -> FileReader {
    do {
      let (movie, shown) = try playableMovieSource()
      let url = try playableMovieURL(of: shown)
      if !FileManager.default.fileExists(atPath: url.path) {
        // Conversions of earlier versions, finished or not, are no longer needed.
        photoLibrary.store.renditions.removeFiles(of: shown.uuid, notOfVersion: shown.renditionVersion)
        do {
          try MovieCoding.makePlayableMovie(
            of: photoLibrary.store.originals.mediaFile(of: movie), range: movie.motionVideo, to: url,
            isCancelled: isCancelled, progress: progress)
          photoLibrary.store.renditions.keep(url.path)
        } catch {
          // An edit deletes the unfinished conversion of the version before it.
          guard try playableMovieSource().1.renditionVersion == shown.renditionVersion else {
            throw PHPhotosError(
              .operationInterrupted,
              "\(localIdentifier): it was edited while its movie was made; request the movie again", cause: error)
          }
          throw error
        }
      }
      return try Self.reader(of: url)
    } catch { throw PHPhotosError(error) }
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

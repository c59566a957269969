import AVFoundation
internal import LibraryStore

extension PHAsset {
  /// Returns the movie of a video as an `AVURLAsset`.
  func video(_ version: PHVideoRequestOptionsVersion, for request: AssetRequest<AVURLAsset>) throws -> AVURLAsset {
    let pictures = pictures
    try pictures.checkAccess()
    guard mediaType == .video else {
      throw PHPhotosError(
        .requestNotSupportedForAsset, "\(localIdentifier) is not a video", identifiers: [localIdentifier])
    }
    let movie = try pictures.movieResource(isOriginal: version == .original)
    try request.wait(for: movie, in: pictures.library)
    // A missing file has no URL to open later.
    _ = try pictures.open(movie)
    return AVURLAsset(try ClientFile(movie, of: pictures.library))
  }
}

extension AVURLAsset {
  /// Makes an asset that keeps the copy of the movie's file as long as the asset exists.
  convenience init(_ file: ClientFile) { self.init(url: file.url, retaining: file.folder) }
}

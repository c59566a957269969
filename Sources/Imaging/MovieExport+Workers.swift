import MediaMetadata
import MovieCoding

extension MovieExport {
  /// Creates an export of a movie's file, or of the part of a motion photo that is its movie.
  public init(file: MediaFile, range: Range<Int>? = nil) {
    self.init(file: file, range: range) { file throws(ImagingError) in try MediaMetadata(of: file) }
  }
}

import MediaMetadata
import MovieCoding

extension MovieExport {
  /// An export of a movie's file, or of the part of it where a motion photo contains its movie.
  public init(file: MediaFile, range: Range<Int>? = nil) {
    self.init(file: file, range: range) { file throws(ImagingError) in try MediaMetadata(of: file) }
  }
}

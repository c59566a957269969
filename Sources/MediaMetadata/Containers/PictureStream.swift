/// The facts about a movie's picture stream that decide whether it is the main one. Cameras and
/// programs also store thumbnails as streams, often before the movie's own pictures.
///
/// The readers of headers and `MovieCoding` use this one rule, so that a movie's size is that of
/// its poster.
package struct PictureStream {
  /// Whether the stream is a single picture; false if the number of pictures is unknown.
  package var isStill = false
  /// Whether the codec is one of photos. Such a stream is the main one only if no other moves.
  package var hasPhotoCodec = false
  package var isDefault = true
  /// The duration in seconds; nil or 0 if unknown.
  package var seconds: Double?
  package var pixelCount = 0

  package init() {}

  /// Returns the index of the main stream of a movie with this duration in seconds; nil if there
  /// are no streams. Of equal streams, the first one counts.
  package static func mainIndex(of streams: [Self], movieSeconds: Double) -> Int? {
    // A sound may be much longer than the longest picture.
    let lengths = streams.compactMap(\.seconds).filter { $0 > 0 }
    let longest = lengths.count == streams.count ? lengths.max() ?? 0 : movieSeconds
    return streams.indices.max { a, b in
      streams[a].rank(longest).lexicographicallyPrecedes(streams[b].rank(longest))
    }
  }

  private func rank(_ longest: Double) -> [Int] {
    let isShort = seconds.map { $0 > 0 && $0 < longest / 2 } ?? false
    return [isStill ? 0 : isShort ? 1 : 2, hasPhotoCodec ? 0 : 1, isDefault ? 1 : 0, pixelCount]
  }

  /// Returns the size at which `ffmpeg` shows a stored picture. `shape` is the width of a pixel
  /// divided by its height. `ffmpeg` turns the picture first, and then changes its width.
  static func shownSize(_ width: Int, _ height: Int, shape: Double, isTurned: Bool = false) -> (Int, Int) {
    let (stored, height, shape) = isTurned ? (height, width, 1 / shape) : (width, height, shape)
    let wide = Double(stored) * shape
    return wide >= 1 && wide < 1e6 ? (Int(wide), height) : (stored, height)
  }
}

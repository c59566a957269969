import Foundation
import ImageCoding
import MediaMetadata

/// Returns true if browsers play the movie unchanged.
///
///     if try !isPlayable(file, metadata: metadata) { try makePlayableMovie(of: file, range: nil, to: url, progress: nil) }
///
/// Browsers play H.264 (8 bits, 4:2:0) in MP4, or VP8, VP9 or AV1 in MP4 or WebM, with AAC, MP3,
/// Opus, Vorbis or no sound. A QuickTime or 3GPP file with the same streams has to be remuxed. So
/// has a movie that begins with a thumbnail, or with a sound that `ffmpeg` can't decode. The
/// function runs `ffprobe`, which takes about 50 ms.
public func isPlayable(_ file: MediaFile, metadata: MediaMetadata) throws(ImagingError) -> Bool {
  guard metadata.type.kind == .video else { return false }
  let streams = try MovieStreams(of: file, range: nil, countsDuration: false)
  guard streams.hasPlayableCodecs else { return false }
  return streams.isWebM(metadata.type) || streams.isMP4(metadata.type)
}

/// Makes a movie that browsers play: H.264 and AAC in MP4, with its index at the front.
///
///     try makePlayableMovie(of: file, range: nil, to: folder.appending(path: "movie.mp4")) { share in print(share) }
///
/// - Streams that browsers play are copied, not encoded again. HDR becomes SDR. After encoding, the
///   longer side is at most 1920 pixels.
/// - `range` contains the movie of a motion photo, in bytes of the file.
/// - The movie is written beside `destination` under a temporary name, and renamed when it is
///   complete.
/// - Encoding a picture may be interrupted, by cancellation or by the end of the process. The next
///   call continues it from a few seconds before, if the container has an index (QuickTime, MP4,
///   Matroska). Copying always begins anew.
/// - Two processes that make the same movie make it once: the later one waits.
/// - `isCancelled` is called a few times a second, and `true` cancels the conversion. A minute
///   without progress fails; ten minutes if a picture is continued, or while the MP4 is written.
/// - `progress` is called with 0...1, on the caller's thread.
public func makePlayableMovie(
  of file: MediaFile, range: Range<Int>?, to destination: URL,
  isCancelled: @escaping @Sendable () -> Bool = { Task.isCancelled }, progress: (@Sendable (Double) -> Void)?
) throws(ImagingError) {
  let streams = try MovieStreams(of: file, range: range)
  guard streams.video != nil else { throw ImagingError(.unsupported, file.name, reason: "no video stream") }
  let part = try PartialFile(for: destination, isCancelled: isCancelled)
  guard !part.isDone else { return }
  let conversion = MovieConversion(
    file: file, range: range, streams: streams, isCancelled: isCancelled, progress: progress)
  try conversion.write(to: part, for: destination)
  progress?(1)
}

/// Reads `ffmpeg -progress`: lines of `name=value`.
struct ProgressMeter {
  var duration: Double
  private(set) var line: [UInt8] = []
  /// The limit in bytes. A compromised `ffmpeg` could send an endless line.
  static let longestLine = 1024

  init(duration: Double) { self.duration = duration }

  /// Returns the progress, 0...1, if this chunk contains it.
  mutating func read(_ chunk: ArraySlice<UInt8>) -> Double? {
    var latest: Double?
    for byte in chunk {
      guard byte == UInt8(ascii: "\n") else {
        if line.count < Self.longestLine { line.append(byte) }
        continue
      }
      let parts = String(decoding: line, as: UTF8.self).split(separator: "=")
      line.removeAll()
      if parts.count == 2, parts[0] == "out_time_us", let time = Double(parts[1]), duration > 0 {
        latest = min(max(time / 1e6 / duration, 0), 1)
      }
    }
    return latest
  }
}

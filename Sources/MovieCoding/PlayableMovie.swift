import Foundation
import ImageCoding
import MediaMetadata

/// Whether browsers play the movie as it is.
///
///     if try !isPlayable(file, metadata: metadata) { try makePlayableMovie(of: file, range: nil, to: url, progress: nil) }
///
/// That is H.264 (8 bits, 4:2:0) in MP4, or VP8, VP9 or AV1 in MP4 or WebM, with AAC, MP3, Opus, Vorbis or no sound.
/// A QuickTime or 3GPP file with the same content is not: it needs to be remuxed. It asks `ffprobe`, which takes some 50 ms.
public func isPlayable(_ file: MediaFile, metadata: MediaMetadata) throws(ImagingError) -> Bool {
  guard metadata.type.kind == .video else { return false }
  let streams = try MovieStreams(of: file, range: nil)
  guard streams.isPlayableCodecs else { return false }
  return streams.isWebM(metadata.type) || streams.isMP4(metadata.type)
}

/// Makes the movie as browsers play it: H.264 and AAC in MP4, its index in front.
///
///     try makePlayableMovie(of: file, range: nil, to: folder.appending(path: "movie.mp4")) { share in print(share) }
///
/// - Streams that are fine already are copied, not encoded again; HDR becomes SDR; the longer side is at most 1920 pixels after
///   encoding.
/// - `range` is where a motion photo keeps its movie, in bytes of the file.
/// - It is written beside `destination` under a temporary name and renamed when it is whole.
/// - A picture that has to be encoded is gone on with where it was interrupted – cancelled, or by the end of the process – by the next
///   call, a few seconds before, if the container has an index (QuickTime, MP4, Matroska). What is only copied begins anew.
/// - Two processes that make the same movie make it once: the later one waits.
/// - `isCancelled` is asked a few times a second, and its `true` ends it; so does a minute without progress, or ten where it is gone on
///   with.
/// - `progress` gets 0...1, on the caller's thread.
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
  /// In bytes. A compromised `ffmpeg` could send an endless line.
  static let longestLine = 1024

  init(duration: Double) { self.duration = duration }

  /// How far it is, if this chunk says it.
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

import Foundation
import ImageCoding
import MediaMetadata
import Synchronization

/// The conversion of a movie to a format that browsers play.
///
/// Encoding a picture takes minutes. The result is written to an `UnfinishedPicture`, so that a
/// later conversion can continue it. Sound takes seconds, and is combined with the finished
/// picture.
struct MovieConversion {
  let file: MediaFile
  let range: Range<Int>?
  let streams: MovieStreams
  let isCancelled: @Sendable () -> Bool
  let progress: (@Sendable (Double) -> Void)?
  /// The allowed seconds without output of an encoder that continues a picture. It first decodes
  /// from the preceding key frame, which may be the movie's first.
  var resumedStallSeconds = 600.0

  private static let stallSeconds = 60.0
  /// The allowed seconds without output while the MP4 is written. `ffmpeg` reports progress twice a
  /// second, but moving a long movie's index to the front takes minutes.
  private static let finishingStallSeconds = 600.0
  private static let longestSeconds = 6 * 3600.0
  /// The limit in bytes. An encoder keeps dozens of frames in memory.
  private static let memoryLimit = 2 << 30
  /// The picture's share of the whole progress.
  private static let shareOfPicture = 0.97
  /// The arguments that leave out data, subtitles and chapters.
  private static let withoutOtherStreams = ["-dn", "-sn", "-map_chapters", "-1"]

  func write(to part: PartialFile, for destination: URL) throws(ImagingError) {
    guard !streams.keepsPicture, streams.isSeekable else {
      let maps = streams.pictureMap() + streams.soundMap()
      let codecs = streams.videoConversion + streams.audioConversion
      try finish(streams.input(range) + maps + codecs, in: part, from: 0)
      return try part.commit()
    }
    let picture = try UnfinishedPicture(of: destination, recipe: recipe)
    try encode(picture)
    let start = ["-itsoffset", String(format: "%.6f", -UnfinishedPicture.startSeconds), "-f", "mpegts", "-i", "pipe:0"]
    let sound = ["-itsoffset", String(format: "%.6f", -streams.startTime)] + MovieInput.arguments(range)
    try finish(
      ["-copyts"] + start + sound + ["-map", "0:v:0"] + streams.soundMap(input: 1)
        + ["-map_metadata", "1", "-c:v", "copy"] + lastFrameArguments(picture)
        + streams.audioConversion, in: part, from: Self.shareOfPicture, picture)
    try part.commit()
    picture.remove()
  }

  /// The arguments that encode the picture. They shift its times so that the beginning of the
  /// source's clock becomes `startSeconds`.
  private var pictureArguments: [String] {
    streams.videoConversion + [
      "-fps_mode", "vfr", "-enc_time_base", "1:\(UnfinishedPicture.timescale)", "-map_metadata", "-1",
      "-avoid_negative_ts", "disabled", "-muxdelay", "0", "-muxpreload", "0",
      "-output_ts_offset", String(format: "%.6f", UnfinishedPicture.startSeconds - streams.startTime),
      // Writes each frame immediately.
      "-flush_packets", "1", "-f", "mpegts",
    ]
  }

  /// Returns the arguments that set the duration of the last frame, which a transport stream
  /// doesn't store. They apply to all frames, but matter only for the last.
  private func lastFrameArguments(_ picture: UnfinishedPicture) -> [String] {
    guard let seconds = picture.seconds, let end = streams.videoEnd, end > seconds, end - seconds < 3600 else {
      return []
    }
    let ticks = Int(((end - seconds) * Double(UnfinishedPicture.timescale)).rounded())
    return ["-bsf:v", "setts=pts=PTS:dts=DTS:duration=\(max(1, ticks))"]
  }

  /// The parameters with which a picture must have been made to be continued.
  private var recipe: String {
    ([String(file.byteCount), range?.description ?? "all"] + streams.pictureMap() + pictureArguments)
      .joined(separator: " ")
  }

  private func encode(_ picture: UnfinishedPicture) throws(ImagingError) {
    let seeking = picture.resumeSeconds.map { ["-ss", String(format: "%.6f", $0)] } ?? []
    let seconds = picture.seconds
    reportProgress(of: picture)
    let failure = Mutex<ImagingError?>(nil)
    var process = Subprocess(
      program: "ffmpeg",
      arguments: MovieExport.quiet + ["-loglevel", "level+error", "-copyts"] + seeking + streams.input(range)
        + streams.pictureMap() + ["-an"] + Self.withoutOtherStreams + pictureArguments + ["pipe:1"],
      input: file, idleSeconds: picture.resumeSeconds == nil ? Self.stallSeconds : resumedStallSeconds,
      seconds: Self.longestSeconds, memoryLimit: Self.memoryLimit, outputByteLimit: .max)
    process.keepsOutput = false
    process.isCancelled = { [isCancelled] in isCancelled() || failure.withLock { $0 != nil } }
    let result: Subprocess.Result
    do throws(ImagingError) {
      result = try process.run { chunk in
        do throws(ImagingError) {
          try picture.append(chunk)
          reportProgress(of: picture)
        } catch {
          failure.withLock { $0 = $0 ?? error }
        }
      }
    } catch {
      if let failure = failure.withLock(\.self) { throw failure }
      // A picture that could not be continued is removed, so that the next conversion begins anew.
      if error.code == .tookTooLong, !isCancelled(), picture.seconds == seconds { picture.remove() }
      throw error
    }
    if let failure = failure.withLock(\.self) { throw failure }
    guard result.succeeded else {
      picture.remove()
      throw ImagingError(.damaged, file.name, reason: MovieInput.errorMessage(result.errors))
    }
  }

  private func reportProgress(of picture: UnfinishedPicture) {
    guard let seconds = picture.seconds else { return }
    progress?(min(max(seconds / streams.duration, 0), 1) * Self.shareOfPicture)
  }

  /// Writes the MP4 with its index at the front.
  private func finish(
    _ arguments: [String], in part: PartialFile, from share: Double, _ picture: UnfinishedPicture? = nil
  ) throws(ImagingError) {
    var process = Subprocess(
      program: "ffmpeg",
      arguments: MovieExport.quiet + ["-loglevel", "level+error"] + arguments + Self.withoutOtherStreams
        + ["-movflags", "+faststart", "-progress", "pipe:1", "-f", "mp4", "file:\(part.path)"],
      input: file, idleSeconds: Self.finishingStallSeconds, seconds: Self.longestSeconds,
      memoryLimit: Self.memoryLimit, outputByteLimit: .max)
    process.writtenFile = part.path
    process.keepsOutput = false
    process.isCancelled = isCancelled
    process.standardInput = try picture?.openForReading()
    defer { if let input = process.standardInput { close(input) } }
    var meter = ProgressMeter(duration: streams.duration)
    let result = try process.run { chunk in
      if let value = meter.read(chunk) { progress?(share + value * (1 - share)) }
    }
    try MovieInput.check(result, code: .damaged, file: file, writing: part.path)
  }
}

import Foundation
import ImageCoding
import MediaMetadata
import Synchronization

/// The `ffmpeg` process that decodes frames, managed by a thread of its own.
final class MovieDecoding: Sendable {
  let frames = FrameQueue()
  private let failure = Mutex<ImagingError?>(nil)
  private let state = Mutex(RunState())
  private let ended = DispatchGroup()

  init(_ export: MovieExport, streams: MovieStreams, _ isCancelled: @escaping @Sendable () -> Bool) {
    ended.enter()
    let thread = Thread { [self] in
      run(export, streams: streams, isCancelled)
      frames.close()
      ended.leave()
    }
    thread.start()
  }

  /// The seconds without output after which a decoder counts as hung. The time in which it waits
  /// for a slow filter does not count.
  private static let stallSeconds = 60.0

  private static func arguments(_ export: MovieExport, _ streams: MovieStreams) -> [String] {
    var filters = [MovieFilters.squarePixels]
    filters.append(MovieFilters.fit(min(export.longestSide ?? .max, MovieFilters.longestSide), step: 2))
    if streams.isHDR { filters.append(MovieFilters.toneMap) }
    filters += ["scale=in_color_matrix=\(streams.colorMatrix)", "format=rgb24"]
    return MovieExport.quiet + ["-loglevel", "level+error"] + export.input(streams) + streams.pictureMap() + [
      "-an", "-sn", "-dn", "-map_metadata", "-1", "-map_chapters", "-1",
      "-vf", filters.joined(separator: ","), "-fps_mode", "passthrough",
      // Keeps each frame's own time, instead of rounding it to a constant rate.
      "-enc_time_base", streams.videoClock, "-c:v", "rawvideo", "-write_index", "0", "-f", "nut", "pipe:1",
    ]
  }

  private func run(_ export: MovieExport, streams: MovieStreams, _ isCancelled: @escaping @Sendable () -> Bool) {
    var reader = RawMovieReader()
    let process = Subprocess(
      program: "ffmpeg", arguments: Self.arguments(export, streams), input: export.file,
      idleSeconds: Self.stallSeconds, seconds: MovieExport.longestSeconds, memoryLimit: MovieExport.memoryLimit,
      outputByteLimit: .max, keepsOutput: false, hasFrames: true,
      isCancelled: { [self] in isCancelled() || state.withLock { $0.isStopped } })
    do throws(ImagingError) {
      let result = try process.run(
        { [self] chunk in
          for frame in reader.received(chunk) where !frames.put(frame) { state.withLock { $0.isStopped = true } }
          guard let failureReason = reader.failureReason else { return }
          failure.withLock { $0 = $0 ?? ImagingError(.damaged, export.file.name, reason: failureReason) }
          state.withLock { $0.isStopped = true }
        },
        readingWith: { [self] read in
          guard let part = reader.readFrame(read) else { return nil }
          if let frame = part.frame, !frames.put(frame) { state.withLock { $0.isStopped = true } }
          return part.count
        })
      guard !state.withLock(\.isStopped) else { return }
      let errorMessage: String? =
        result.succeeded
        ? MovieInput.errorMessage(
          result.errors, ofMovieLasting: Self.seconds(export, streams), endingAt: reader.seconds)
        : MovieInput.errorMessage(result.errors)
      failure.withLock { $0 = errorMessage.map { ImagingError(.damaged, export.file.name, reason: $0) } }
    } catch {
      guard !state.withLock(\.isStopped) else { return }
      failure.withLock { $0 = error }
    }
  }

  /// Returns the least plausible duration of the picture, in seconds. If only the duration of the
  /// whole movie is known, half of it counts, because the sound may be longer than the picture.
  private static func seconds(_ export: MovieExport, _ streams: MovieStreams) -> Double {
    streams.videoDuration.map(export.seconds(ofDuration:)) ?? export.seconds(of: streams) / 2
  }

  /// Stops the process, waits for its end, and returns an earlier error.
  @discardableResult func stop() -> ImagingError? {
    state.withLock { $0.isStopped = true }
    frames.abandon()
    ended.wait()
    return failure.withLock(\.self)
  }
}

/// The state of a run of `ffmpeg`: whether it has been asked to stop.
struct RunState {
  var isStopped = false
}

import Foundation
import ImageCoding
import MediaMetadata
import Synchronization

/// The `ffmpeg` that gives frames, on a thread of its own.
final class MovieDecoding: Sendable {
  let frames = FrameQueue()
  private let failure = Mutex<ImagingError?>(nil)
  private let state = Mutex(RunState())
  private let ended = DispatchGroup()

  init(_ export: MovieExport, _ streams: MovieStreams, _ isCancelled: @escaping @Sendable () -> Bool) {
    ended.enter()
    let thread = Thread { [self] in
      run(export, streams, isCancelled)
      frames.close()
      ended.leave()
    }
    thread.start()
  }

  /// A decoder without anything to say for so long has hung; while it waits for a slow filter, it isn't asked.
  private static let stallSeconds = 60.0

  private static func arguments(_ export: MovieExport, _ streams: MovieStreams) -> [String] {
    var filters = [MovieFilters.squarePixels]
    filters.append(MovieFilters.fit(min(export.longestSide ?? .max, MovieFilters.longestSide), step: 2))
    if streams.isHDR { filters.append(MovieFilters.toneMap) }
    filters += ["scale=in_color_matrix=\(streams.colorMatrix)", "format=rgb24"]
    return MovieExport.quiet + ["-loglevel", "level+error"] + export.seeking + MovieInput.arguments(export.range) + [
      "-map", "0:v:0", "-an", "-sn", "-dn", "-map_metadata", "-1", "-map_chapters", "-1",
      "-vf", filters.joined(separator: ","), "-fps_mode", "passthrough",
      // Each frame at its own time, not at the next one of a rate.
      "-enc_time_base", streams.videoClock, "-c:v", "rawvideo", "-write_index", "0", "-f", "nut", "pipe:1",
    ]
  }

  private func run(_ export: MovieExport, _ streams: MovieStreams, _ isCancelled: @escaping @Sendable () -> Bool) {
    var reader = RawMovieReader()
    let process = Subprocess(
      program: "ffmpeg", arguments: Self.arguments(export, streams), input: export.file,
      idleSeconds: Self.stallSeconds, seconds: MovieExport.longestSeconds, memoryLimit: MovieExport.memoryLimit,
      outputByteLimit: .max, keepsOutput: false,
      isCancelled: { [self] in isCancelled() || state.withLock { $0.isStopped } })
    do throws(ImagingError) {
      let result = try process.run { [self] chunk in
        for frame in reader.received(chunk) where !frames.put(frame) { state.withLock { $0.isStopped = true } }
        guard let flaw = reader.flaw else { return }
        failure.withLock { $0 = $0 ?? ImagingError(.damaged, export.file.name, reason: flaw) }
        state.withLock { $0.isStopped = true }
      }
      guard !state.withLock(\.isStopped) else { return }
      let complaint: String? =
        result.succeeded
        ? MovieInput.complaint(result.errors, ofMovieLasting: Self.seconds(export, streams), endingAt: reader.seconds)
        : MovieInput.complaint(result.errors)
      failure.withLock { $0 = complaint.map { ImagingError(.damaged, export.file.name, reason: $0) } }
    } catch {
      guard !state.withLock(\.isStopped) else { return }
      failure.withLock { $0 = error }
    }
  }

  /// How long the picture has to be at least. Where only the whole movie tells it, sound may be what lasts so long.
  private static func seconds(_ export: MovieExport, _ streams: MovieStreams) -> Double {
    streams.videoDuration.map(export.seconds(ofDuration:)) ?? export.seconds(of: streams) / 2
  }

  /// Waits for the process' end, by force if frames are left; what went wrong before.
  @discardableResult func stop() -> ImagingError? {
    state.withLock { $0.isStopped = true }
    frames.abandon()
    ended.wait()
    return failure.withLock(\.self)
  }
}

/// Whether somebody asked a process to end.
struct RunState {
  var isStopped = false
}

import CProcess
import Foundation
import ImageCoding
import MediaMetadata
import Synchronization

/// The `ffmpeg` process that encodes frames and writes the movie. One thread manages it, and
/// another passes the frames to it.
final class MovieEncoding: Sendable {
  private let frames = FrameQueue()
  private let failure = Mutex<ImagingError?>(nil)
  private let state = Mutex(RunState())
  private let ended = DispatchGroup()
  private let firstTicks: Int64

  init(
    _ export: MovieExport, streams: MovieStreams, stillTime: BackgroundValue<Double?>, first: MovieFrame,
    to destination: URL,
    isCancelled: @escaping @Sendable () -> Bool, progress: (@Sendable (Double) -> Void)?
  ) throws(ImagingError) {
    firstTicks = first.ticks
    var ends: [Int32] = [-1, -1]
    guard pipe2(&ends, O_CLOEXEC) == 0 else {
      throw ImagingError(.cannotEncode, export.file.name, reason: String(cString: strerror(errno)))
    }
    let (reader, writer) = (ends[0], ends[1])
    _ = fcntl(writer, calotype_pipe_size, 1 << 20)
    let arguments = Self.arguments(export, streams, first: first)
    ended.enter()
    let encoder = Thread { [self] in
      do throws(ImagingError) {
        try export.write(
          arguments, streams: streams, stillTime: stillTime, to: destination,
          frames: .init(descriptor: reader) { self.frames.isWaitingForInput },
          isCancelled: { isCancelled() || self.state.withLock { $0.isStopped } }, progress: progress)
      } catch {
        failure.withLock { $0 = error }
      }
      close(reader)
      frames.abandon()
      ended.leave()
    }
    encoder.start()
    ended.enter()
    let feeder = Thread { [self] in
      feed(writer)
      close(writer)
      ended.leave()
    }
    feeder.start()
  }

  private static func arguments(_ export: MovieExport, _ streams: MovieStreams, first: MovieFrame) -> [String] {
    let start = Double(first.ticks) / Double(first.timescale)
    let frames = ["-itsoffset", String(format: "%.9f", start), "-f", "matroska", "-i", "pipe:0"]
    let sound =
      export.volume == 0
      ? [] : streams.soundMap(input: 1) + streams.soundArguments(in: export.container, volume: export.volume)
    return frames + export.seeking + MovieInput.arguments(export.range) + ["-map", "0:v:0"] + sound + [
      "-dn", "-sn", "-map_metadata", "1", "-map_metadata:s:v:0", "1:s:\(streams.video?.index ?? 0)", "-map_chapters",
      "-1",
      "-vf",
      "scale=out_color_matrix=bt709:out_range=tv,format=yuv420p,setparams=color_primaries=\(streams.primaries):color_trc=bt709:colorspace=bt709",
    ] + codecArguments(export, streams) + [
      "-color_primaries", streams.primaries, "-color_trc", "bt709", "-colorspace", "bt709", "-fps_mode", "passthrough",
      "-enc_time_base", "1:\(first.timescale)", "-video_track_timescale", "\(first.timescale)",
    ]
  }

  private static func codecArguments(_ export: MovieExport, _ streams: MovieStreams) -> [String] {
    let codec =
      switch export.codec {
      case .h264: ["-c:v", "libx264", "-preset", "veryfast", "-crf", "\(export.rateFactor)", "-profile:v", "high"]
      // x265 compresses more at the same rate factor. Apple's players require the tag.
      case .hevc:
        [
          "-c:v", "libx265", "-preset", "veryfast", "-crf", "\(export.rateFactor + 4)", "-tag:v", "hvc1",
          "-x265-params", "log-level=error",
        ]
      }
    guard let byteLimit = export.byteLimit else { return codec }
    let sound = streams.audio == nil || export.volume == 0 ? 0 : Self.soundBitRate
    let bits = Double(byteLimit) * 8 * 0.95 / max(0.1, export.seconds(of: streams)) - sound
    let rate = Int(min(max(bits, Self.leastBitRate), Self.mostBitRate))
    return codec + ["-maxrate", "\(rate)", "-bufsize", "\(rate)"]
  }

  /// Bits a second.
  private static let soundBitRate = 192_000.0
  private static let leastBitRate = 20_000.0
  private static let mostBitRate = 1e9

  /// Passes a frame to the encoder. Returns false if the encoder has ended.
  func write(_ pixels: PixelBuffer, of frame: MovieFrame) -> Bool {
    // Both times are within `RawMovieReader.farthestSeconds`, and thus the difference can't
    // overflow.
    frames.put(
      MovieFrame(pixels: pixels, ticks: frame.ticks - firstTicks, timescale: frame.timescale))
  }

  private func feed(_ writer: Int32) {
    // Writing to an encoder that has exited raises SIGPIPE, which would kill this process. The
    // signal stays blocked on this thread and is discarded with it.
    var broken = sigset_t()
    sigemptyset(&broken)
    sigaddset(&broken, SIGPIPE)
    pthread_sigmask(SIG_BLOCK, &broken, nil)
    var stream = RawMovieStream(descriptor: writer)
    while let frame = frames.take() {
      let exact = Double(frame.ticks) * 1e9 / Double(frame.timescale)
      guard stream.write(frame.pixels, nanoseconds: Int64(exact.rounded())) else { return frames.abandon() }
    }
  }

  /// Marks the last frame, and waits for the movie. Returns the error, if there is one.
  func finish() -> ImagingError? {
    frames.close()
    ended.wait()
    return failure.withLock(\.self)
  }

  /// Kills the encoder if it still runs, and waits for its end.
  func stop() {
    state.withLock { $0.isStopped = true }
    frames.abandon()
    ended.wait()
  }
}

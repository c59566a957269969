import Foundation
import ImageCoding
import MediaMetadata

/// An export of a movie with changes.
///
///     var export = MovieExport(file: file)
///     export.timeRange = 1...4
///     try export.write(to: url) { frame in frame.pixels.filtered(by: sepia) }
///
/// - Frames are passed upright, with square pixels, at their own times. A variable rate stays
///   variable, exact to one tick of the source's clock. They are encoded as H.264 or HEVC (4:2:0,
///   BT.709, or with the primaries of Display P3 if the movie has those). HDR becomes SDR.
/// - Sound is copied if the container can hold it, and else becomes AAC. `write` keeps the first of
///   several tracks that `ffmpeg` can decode. Subtitles, chapters and timed metadata are left out.
/// - Date, place, camera, and the identifier that pairs a Live Photo's movie with its still are
///   kept. The instant of the still is kept in QuickTime movies.
/// - A file whose end can't be read is an error (`damaged`), because the export would be shorter
///   than its movie.
/// - The movie is written beside `destination` under a temporary name, and renamed when it is
///   complete. After an error, no file is left.
/// - Both `ffmpeg` processes have always ended when the function returns. It blocks its thread.
public struct MovieExport: Sendable {
  public enum Container: String, Sendable {
    case mov, mp4
  }

  public enum Codec: Sendable {
    case h264, hevc
  }

  public var file: MediaFile
  /// The bytes of a motion photo's file that contain its movie; nil for a whole file.
  public var range: Range<Int>?
  public var container = Container.mov
  public var codec = Codec.h264
  /// x264's rate factor: 18 is visually almost equal to the source, 28 makes small files. HEVC gets
  /// the same quality.
  public var rateFactor = 18
  /// The approximate limit in bytes, for which quality is reduced. It has no effect on streams that
  /// are copied.
  public var byteLimit: Int?
  /// The longest side in pixels; larger frames are scaled down. Nil is no limit.
  public var longestSide: Int?
  /// The part to export, in seconds; nil is the whole movie.
  public var timeRange: ClosedRange<Double>?
  /// The factor for the sound's volume: 0 leaves the sound out, 1 keeps it, and any other value
  /// encodes it anew.
  public var volume = 1.0
  /// Whether the index is at the front, so that a player need not load the end first. In a Live
  /// Photo's movie it is always at the end, as phones write it.
  public var isForNetwork = true

  /// Reads the metadata of the source and of the written movie. The function comes from `Imaging`,
  /// because it runs in a worker. Nil for an export that only decodes.
  let readMetadata: MetadataReader?

  package typealias MetadataReader = @Sendable (MediaFile) throws(ImagingError) -> MediaMetadata

  package init(file: MediaFile, range: Range<Int>? = nil, readingMetadataWith readMetadata: MetadataReader?) {
    self.file = file
    self.range = range
    self.readMetadata = readMetadata
  }

  /// Copies the picture, and all sounds that `ffmpeg` can decode, into the container without
  /// encoding.
  ///
  /// Other sounds are left out, also of a `.mov`. `ffmpeg` would copy their packets, but not the
  /// configuration of a codec that it doesn't know, without which no program can decode them.
  public func copy(
    to destination: URL, isCancelled: @escaping @Sendable () -> Bool = { Task.isCancelled },
    progress: (@Sendable (Double) -> Void)? = nil
  ) throws(ImagingError) {
    // A worker reads it, which may have to start first.
    let stillTime = BackgroundValue { self.stillTime }
    let streams = try MovieStreams(of: file, range: range)
    guard streams.video != nil else { throw ImagingError(.unsupported, file.name, reason: "no video stream") }
    guard streams.hasTimes else {
      throw ImagingError(.unsupported, file.name, reason: "its frames have no times, and can't be copied")
    }
    let arguments =
      input(streams)
      + streams.pictureMap() + (volume == 0 ? ["-an"] : streams.allSoundMaps)
      + ["-dn", "-sn", "-map_metadata", "0", "-c", "copy"]
    try write(
      arguments, streams: streams, stillTime: stillTime, to: destination, frames: nil, isCancelled: isCancelled,
      progress: progress)
  }

  /// Encodes each frame anew, as `frame` returns it. All frames must have the same size, with even
  /// sides.
  ///
  /// `frame` is called on this thread, in the order of the frames. `progress` is called with 0...1,
  /// on another thread.
  public func write(
    to destination: URL, isCancelled: @escaping @Sendable () -> Bool = { Task.isCancelled },
    progress: (@Sendable (Double) -> Void)? = nil, frame: (MovieFrame) throws -> PixelBuffer
  ) throws {
    // A worker reads it, which may have to start first.
    let stillTime = BackgroundValue { self.stillTime }
    let streams = try MovieStreams(of: file, range: range)
    guard streams.video != nil else { throw ImagingError(.unsupported, file.name, reason: "no video stream") }
    // The sound would begin elsewhere than the picture.
    guard timeRange == nil || streams.hasTimes else {
      throw ImagingError(.unsupported, file.name, reason: "its frames have no times, and can't be cut")
    }
    let decoder = MovieDecoding(self, streams: streams, isCancelled)
    defer { decoder.stop() }
    guard let first = decoder.frames.take() else {
      throw decoder.stop() ?? ImagingError(.damaged, file.name, reason: "no frame")
    }
    let encoder = try MovieEncoding(
      self, streams: streams, stillTime: stillTime, first: first, to: destination, isCancelled: isCancelled,
      progress: progress)
    defer { encoder.stop() }
    var next: MovieFrame? = first
    var size: PixelSize?
    while let current = next, !isCancelled() {
      let pixels = try frame(current)
      size = size ?? PixelSize(width: pixels.width, height: pixels.height)
      guard pixels.width == size?.width, pixels.height == size?.height else {
        throw ImagingError(.cannotEncode, file.name, reason: "its frames became pictures of different sizes")
      }
      guard encoder.write(pixels, of: current) else { break }
      next = decoder.frames.take()
    }
    if let failure = decoder.stop() { throw failure }
    guard !isCancelled() else { throw ImagingError(.tookTooLong, file.name, reason: "the export was canceled") }
    if let failure = encoder.finish() { throw failure }
    progress?(1)
  }

  // MARK: ffmpeg's arguments

  static let quiet = ["-hide_banner", "-nostdin", "-nostats", "-y"]
  static let longestSeconds = 6 * 3600.0
  /// The allowed seconds without output, except while `ffmpeg` waits for frames. Moving a long
  /// movie's index to the front takes minutes.
  private static let stallSeconds = 600.0
  static let memoryLimit = 3 << 30

  var seeking: [String] {
    guard let timeRange else { return [] }
    return [
      "-ss", String(format: "%.6f", timeRange.lowerBound), "-t",
      String(format: "%.6f", timeRange.upperBound - timeRange.lowerBound),
    ]
  }

  /// Returns the arguments that open the part of the movie. If its frames have no times, `ffmpeg`
  /// decodes the frames before the part, and discards them.
  func input(_ streams: MovieStreams) -> [String] {
    let input = streams.input(range)
    return streams.hasTimes ? seeking + input : input + seeking
  }

  func seconds(of streams: MovieStreams) -> Double { seconds(ofDuration: streams.duration) }

  func seconds(ofDuration duration: Double) -> Double {
    timeRange.map { min($0.upperBound, duration) - $0.lowerBound } ?? duration
  }

  /// The instant of a Live Photo's still, in seconds of the exported part.
  private var stillTime: Double? {
    guard container == .mov, range == nil, let time = try? readMetadata?(file).stillTime else { return nil }
    guard let timeRange else { return time }
    return timeRange.contains(time) ? time - timeRange.lowerBound : nil
  }

  /// The frames that `ffmpeg` encodes: the descriptor from which it reads them, and whether it
  /// waits for them.
  struct FrameSource {
    var descriptor: Int32
    var isWaitingForInput: @Sendable () -> Bool
  }

  /// Runs `ffmpeg` with these arguments and the container's, and writes the destination.
  func write(
    _ arguments: [String], streams: MovieStreams, stillTime: BackgroundValue<Double?>, to destination: URL,
    frames: FrameSource?,
    isCancelled: @escaping @Sendable () -> Bool, progress: (@Sendable (Double) -> Void)?
  ) throws(ImagingError) {
    let temporary = destination.deletingLastPathComponent()
      .appendingPathComponent(".\(destination.lastPathComponent).\(UUID().uuidString).part")
    defer { unlink(temporary.path) }
    let stillTime = stillTime.value
    var process = Subprocess(
      program: "ffmpeg",
      arguments: Self.quiet + ["-loglevel", "level+error"] + arguments
        + containerArguments(streams, isIndexLast: stillTime != nil)
        + ["-progress", "pipe:1", "-f", container.rawValue, "file:\(temporary.path)"],
      input: file, idleSeconds: Self.stallSeconds, seconds: Self.longestSeconds, memoryLimit: Self.memoryLimit,
      outputByteLimit: .max)
    process.writtenFile = temporary.path
    process.standardInput = frames?.descriptor
    process.isWaitingForInput = frames?.isWaitingForInput
    process.keepsOutput = false
    process.isCancelled = isCancelled
    var meter = ProgressMeter(duration: seconds(of: streams))
    let result = try process.run { chunk in
      if let value = meter.read(chunk) { progress?(value) }
    }
    try MovieInput.check(result, code: .cannotEncode, file: file, writing: destination.path)
    let end = try readMetadata?(MediaFile(path: temporary.path)).duration ?? .infinity
    if let errorMessage = MovieInput.errorMessage(result.errors, ofMovieLasting: seconds(of: streams), endingAt: end) {
      throw ImagingError(.damaged, file.name, reason: errorMessage)
    }
    if let stillTime { try StillTimeTrack.add(stillTime, toMovieAt: temporary.path) }
    guard rename(temporary.path, destination.path) == 0 else {
      throw ImagingError(writing: destination.path, errno)
    }
  }

  private func containerArguments(_ streams: MovieStreams, isIndexLast: Bool) -> [String] {
    // QuickTime's own keys are kept under their names. Other tags are stored where the container
    // has fields for them.
    let tags = streams.format?.tags ?? [:]
    let place = "com.apple.quicktime.location.ISO6709"
    let isMoved = container == .mov && tags[place] == nil && tags["location"] != nil
    let isApple = isMoved || tags.keys.contains { $0.hasPrefix("com.apple.quicktime.") }
    let flags = [isForNetwork && !isIndexLast ? "+faststart" : "", isApple ? "+use_metadata_tags" : ""].joined()
    return (flags.isEmpty ? [] : ["-movflags", flags])
      + (isMoved ? ["-metadata", "\(place)=\(tags["location"] ?? "")"] : [])
      + ["major_brand", "minor_version", "compatible_brands", "encoder"].flatMap { ["-metadata", "\($0)="] }
  }
}

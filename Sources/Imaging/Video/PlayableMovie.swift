import Foundation

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
/// - It is written beside `destination` under a temporary name and renamed when it is whole; an error leaves nothing behind. One that
///   was interrupted begins anew with the next call.
/// - Two processes that make the same movie make it once: the later one waits.
/// - `isCancelled` is asked a few times a second, and its `true` ends it; so does a minute without progress.
/// - `progress` gets 0...1, on the caller's thread.
public func makePlayableMovie(
  of file: MediaFile, range: Range<Int>?, to destination: URL,
  isCancelled: @escaping @Sendable () -> Bool = { Task.isCancelled }, progress: (@Sendable (Double) -> Void)?
) throws(ImagingError) {
  let streams = try MovieStreams(of: file, range: range)
  guard streams.video != nil else { throw ImagingError(.unsupported, file.name, reason: "no video stream") }
  let part = try PartialFile(for: destination, isCancelled: isCancelled)
  guard !part.isDone else { return }

  var process = Subprocess(
    program: "ffmpeg",
    arguments: ["-hide_banner", "-nostdin", "-loglevel", "error", "-y"] + MovieInput.arguments(range)
      + streams.conversion + ["-movflags", "+faststart", "-progress", "pipe:1", "-f", "mp4", "file:\(part.path)"],
    input: file, idleSeconds: stallSeconds, seconds: longestConversionSeconds,
    memoryLimit: conversionMemoryLimit, outputByteLimit: .max)
  process.writtenFile = part.path
  process.keepsOutput = false
  process.isCancelled = isCancelled
  var meter = ProgressMeter(duration: streams.duration)
  let result = try process.run { chunk in
    if let value = meter.read(chunk) { progress?(value) }
  }
  guard result.succeeded else {
    throw ImagingError(.damaged, file.name, reason: MovieInput.complaint(result.errors))
  }
  try part.commit()
  progress?(1)
}

/// `ffmpeg` tells its progress twice a second.
private let stallSeconds = 60.0
private let longestConversionSeconds = 6 * 3600.0
/// An encoder keeps dozens of frames.
private let conversionMemoryLimit = 2 << 30
private let encodedLongSide = 1920

/// Reads `ffmpeg -progress`: lines of `name=value`.
struct ProgressMeter {
  var duration: Double
  private var line: [UInt8] = []

  init(duration: Double) { self.duration = duration }

  /// How far it is, if this chunk says it.
  mutating func read(_ chunk: ArraySlice<UInt8>) -> Double? {
    var latest: Double?
    for byte in chunk {
      guard byte == UInt8(ascii: "\n") else {
        line.append(byte)
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

/// What `ffprobe` says of a movie's streams.
struct MovieStreams {
  struct Stream: Decodable {
    var codecType: String?
    var codecName: String?
    var pixFmt: String?
    var colorTransfer: String?
    var colorSpace: String?
    var colorPrimaries: String?
    var height: Int?
    var duration: String?
    var disposition: [String: Int]?
  }

  struct Format: Decodable {
    var formatName: String?
    var duration: String?
    var tags: [String: String]?
  }

  private struct Answer: Decodable {
    var streams: [Stream]?
    var format: Format?
  }

  let video: Stream?
  let audio: Stream?
  let format: Format?

  private static let probeSeconds = 10.0

  init(of file: MediaFile, range: Range<Int>?) throws(ImagingError) {
    let process = Subprocess(
      program: "ffprobe",
      arguments: ["-hide_banner", "-loglevel", "error", "-of", "json", "-show_streams", "-show_format"]
        + MovieInput.arguments(range),
      input: file, idleSeconds: Self.probeSeconds, seconds: Self.probeSeconds, outputByteLimit: 4 << 20)
    let result = try process.run()
    let decoder = JSONDecoder()
    decoder.keyDecodingStrategy = .convertFromSnakeCase
    guard result.succeeded, let answer = try? decoder.decode(Answer.self, from: Data(result.output)) else {
      throw ImagingError(.damaged, file.name, reason: MovieInput.complaint(result.errors))
    }
    let streams = answer.streams ?? []
    video = streams.first { $0.codecType == "video" && $0.disposition?["attached_pic"] != 1 }
    audio = streams.first { $0.codecType == "audio" }
    format = answer.format
  }

  var duration: Double { (format?.duration ?? video?.duration).flatMap(Double.init) ?? 0 }

  /// Seconds of the picture alone, where its stream tells.
  var videoDuration: Double? { video?.duration.flatMap(Double.init) }

  private var isCommonH264: Bool {
    video?.codecName == "h264" && ["yuv420p", "yuvj420p"].contains(video?.pixFmt)
  }

  var isHDR: Bool { ["arib-std-b67", "smpte2084"].contains(video?.colorTransfer) }

  /// How the picture's colours became light and two differences. Where the movie doesn't say it: as television's norms have it.
  var colorMatrix: String {
    switch video?.colorSpace {
    // Tone mapping ends there.
    case _ where isHDR: "bt709"
    case "bt709": "bt709"
    case "smpte170m", "bt470bg": "smpte170m"
    case "bt2020nc": "bt2020"
    default: (video?.height ?? 0) >= 720 ? "bt709" : "smpte170m"
    }
  }

  /// What red, green and blue are, once the picture is 8 bits of each: a phone's movie is in Display P3, as its photos are.
  var primaries: String {
    switch video?.colorPrimaries {
    case "smpte432" where !isHDR: "smpte432"
    case "bt2020" where !isHDR: "bt2020"
    default: "bt709"
    }
  }

  /// Copied where the container takes it.
  func soundArguments(in container: MovieExport.Container, volume: Double) -> [String] {
    guard volume == 1 else { return ["-af", "volume=\(volume)", "-c:a", "aac", "-b:a", "192k"] }
    let codec = audio?.codecName ?? ""
    let isHeld =
      ["aac", "mp3", "alac", "ac3", "eac3"].contains(codec) || container == .mov && codec.hasPrefix("pcm_")
    return isHeld ? ["-c:a", "copy"] : ["-c:a", "aac", "-b:a", "192k"]
  }

  private var majorBrand: String { format?.tags?["major_brand"] ?? "" }

  var isPlayableCodecs: Bool {
    let picture = isCommonH264 || ["vp8", "vp9", "av1"].contains(video?.codecName)
    return picture && (audio == nil || ["aac", "mp3", "opus", "vorbis"].contains(audio?.codecName))
  }

  func isWebM(_ type: MediaType) -> Bool {
    format?.formatName?.contains("webm") == true && type.uniformTypeIdentifier == "org.webmproject.webm"
      && !isCommonH264 && ["opus", "vorbis", nil].contains(audio?.codecName)
  }

  func isMP4(_ type: MediaType) -> Bool {
    format?.formatName?.contains("mp4") == true && type.uniformTypeIdentifier != "com.apple.quicktime-movie"
      && !majorBrand.hasPrefix("qt") && !majorBrand.hasPrefix("3g") && video?.codecName != "vp8"
      && audio?.codecName != "vorbis"
  }

  /// `ffmpeg`'s arguments between the input and the output.
  var conversion: [String] {
    ["-map", "0:v:0", "-map", "0:a:0?", "-dn", "-sn", "-map_chapters", "-1"] + videoConversion + audioConversion
  }

  private var videoConversion: [String] {
    if isCommonH264, !isHDR { return ["-c:v", "copy"] }
    let toneMap = isHDR ? [MovieFilters.toneMap] : []
    let filters = [MovieFilters.squarePixels, MovieFilters.fit(encodedLongSide, step: 2)] + toneMap
    return [
      "-c:v", "libx264", "-preset", "veryfast", "-crf", "23", "-profile:v", "high", "-pix_fmt", "yuv420p", "-vf",
      filters.joined(separator: ","),
    ]
  }

  private var audioConversion: [String] {
    audio == nil || ["aac", "mp3"].contains(audio?.codecName)
      ? ["-c:a", "copy"] : ["-c:a", "aac", "-b:a", "160k", "-ac", "2"]
  }
}

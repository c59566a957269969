import Foundation
import ImageCoding
import MediaMetadata
import Synchronization

/// The streams of a movie, as `ffprobe` reports them.
struct MovieStreams {
  struct Stream: Decodable {
    var index: Int?
    var codecType: String?
    var codecName: String?
    var pixFmt: String?
    var colorTransfer: String?
    var colorSpace: String?
    var colorPrimaries: String?
    var width: Int?
    var height: Int?
    var sampleAspectRatio: String?
    var timeBase: String?
    var sideDataList: [SideData]?
    var startTime: String?
    var duration: String?
    var avgFrameRate: String?
    var nbFrames: String?
    var nbReadPackets: String?
    var bitRate: String?
    var disposition: [String: Int]?
    var fieldOrder: String?
    var tags: [String: String]?

    /// Whether the stream is a cover, or has the thumbnails of chapters.
    fileprivate var isAttached: Bool { disposition?["attached_pic"] == 1 }

    fileprivate var picture: PictureStream {
      var picture = PictureStream()
      // `ffprobe` reports no rate for a single frame, unless the container states one.
      picture.isStill = (frameCount ?? nbReadPackets) == "1" || avgFrameRate == "0/0"
      picture.hasPhotoCodec = codecName == "mjpeg" || codecName == "png"
      picture.isDefault = disposition?["default"] == 1
      picture.seconds = taggedSeconds ?? duration.flatMap(Double.init)
      picture.pixelCount = (width ?? 0).multipliedReportingOverflow(by: height ?? 0).partialValue
      return picture
    }

    private var frameCount: String? { nbFrames ?? tag("NUMBER_OF_FRAMES") }

    fileprivate var isPicture: Bool { codecType == "video" && !isAttached }
    fileprivate var hasLength: Bool { frameCount != nil || picture.seconds != nil }

    /// The duration that programs write into a Matroska file for each stream, such as
    /// `00:00:03.023000000`. `ffprobe` itself reports the duration of the whole file, or none.
    private var taggedSeconds: Double? {
      let numbers = (tag("DURATION") ?? "").split(separator: ":").compactMap { Double($0) }
      return numbers.count == 3 ? numbers[0] * 3600 + numbers[1] * 60 + numbers[2] : nil
    }

    /// Returns the value of a tag of Matroska, whose name may end with a language: `DURATION-eng`.
    private func tag(_ name: String) -> String? {
      tags?[name] ?? tags?.first { $0.key.hasPrefix("\(name)-") }?.value
    }
  }

  struct SideData: Decodable {
    /// The rotation in degrees, counterclockwise.
    var rotation: Double?
  }

  struct Format: Decodable {
    var formatName: String?
    var startTime: String?
    var duration: String?
    var tags: [String: String]?
  }

  struct Answer: Decodable {
    var streams: [Stream]?
    var format: Format?
  }

  let all: [Stream]
  /// The main picture, not a thumbnail or a cover.
  let video: Stream?
  /// The sounds that `ffmpeg` can decode. A phone's first one may be in a codec of its own.
  private let sounds: [Stream]
  let format: Format?
  private let countedDuration: Double?

  private static let probeSeconds = 10.0

  /// The limit for reading a whole movie.
  private static let countingSeconds = 30.0

  /// Reads the streams. If the container has no duration, the whole movie is read for it, which a
  /// caller that doesn't need the duration can leave out.
  init(of file: MediaFile, range: Range<Int>?, countsDuration: Bool = true) throws(ImagingError) {
    var answer: Answer
    var isReport = false
    do throws(ImagingError) {
      answer = try Self.probe(file, range, ["-show_streams", "-show_format"])
    } catch {
      // Perhaps only the decoder of a sound can't be opened.
      guard error.code == .damaged, let report = Answer(reportOf: file, range, seconds: Self.probeSeconds) else {
        throw error
      }
      answer = report
      isReport = true
    }
    answer.removeUnknownDurations()
    Self.countFirstPictures(in: &answer, file, range)
    let streams = answer.streams ?? []
    all = streams
    format = answer.format
    let codecs = Self.decodableCodecs(file)
    let decodable = streams.filter { stream in
      guard let name = stream.codecName, name != "unknown" else { return false }
      return codecs?.contains(name) ?? true
    }
    let seconds = answer.format?.duration.flatMap(Double.init) ?? 0
    video = Self.mainPicture(of: decodable, seconds) ?? Self.mainPicture(of: streams, seconds)
    sounds = decodable.filter { $0.codecType == "audio" }
    countedDuration =
      if !countsDuration {
        nil
      } else if !Self.hasTimes(answer.format) {
        Self.countedDuration(of: file, range)
      } else if answer.format?.duration == nil, let video, video.duration == nil {
        (isReport ? Self.copiedEnd(of: video, in: file, range) : Self.end(of: video, in: file, range))
          .map { $0 - (answer.format?.startTime.flatMap(Double.init) ?? 0) }
      } else {
        nil
      }
  }

  private static func mainPicture(of streams: [Stream], _ movieSeconds: Double) -> Stream? {
    let pictures = streams.filter(\.isPicture)
    return PictureStream.mainIndex(of: pictures.map(\.picture), movieSeconds: movieSeconds).map { pictures[$0] }
  }

  private static let foundCodecs = Mutex<Set<String>?>(nil)

  /// Returns the names of the codecs that FFmpeg decodes; nil if it doesn't list them. It is asked
  /// once. `Subprocess` needs an input, which `ffprobe` does not read here.
  private static func decodableCodecs(_ file: MediaFile) -> Set<String>? {
    if let known = foundCodecs.withLock(\.self) { return known }
    let process = Subprocess(
      program: "ffprobe", arguments: ["-hide_banner", "-loglevel", "error", "-codecs"], input: file,
      idleSeconds: probeSeconds, seconds: probeSeconds, outputByteLimit: 1 << 20)
    guard let result = try? process.run(), result.succeeded else { return nil }
    // Each line has six flags, the first of which is D for a decoder, and the name.
    var names: Set<String> = []
    for line in String(decoding: result.output, as: UTF8.self).split(whereSeparator: \.isNewline) {
      let words = line.split(separator: " ")
      if words.count > 1, words[0].hasPrefix("D") { names.insert(String(words[1])) }
    }
    guard names.count > 1 else { return nil }
    foundCodecs.withLock { $0 = names }
    return names
  }

  private static func probe(
    _ file: MediaFile, _ range: Range<Int>?, _ arguments: [String]
  ) throws(ImagingError) -> Answer {
    let process = Subprocess(
      program: "ffprobe",
      arguments: ["-hide_banner", "-loglevel", "error", "-of", "json"] + arguments + MovieInput.arguments(range),
      input: file, idleSeconds: probeSeconds, seconds: probeSeconds, outputByteLimit: 4 << 20)
    let result = try process.run()
    let decoder = JSONDecoder()
    decoder.keyDecodingStrategy = .convertFromSnakeCase
    guard result.succeeded, let answer = try? decoder.decode(Answer.self, from: Data(result.output)) else {
      throw ImagingError(.damaged, file.name, reason: MovieInput.errorMessage(result.errors))
    }
    return answer
  }

  /// The length of a movie's beginning in which pictures are counted. A thumbnail has only one.
  private static let countedSeconds = 10

  /// Counts the first pictures of each video stream. It does so only if there are several streams,
  /// and one has neither a duration nor a number of frames, as in a live recording in Matroska.
  private static func countFirstPictures(in answer: inout Answer, _ file: MediaFile, _ range: Range<Int>?) {
    let pictures = (answer.streams ?? []).filter(\.isPicture)
    guard pictures.count > 1, !pictures.allSatisfy(\.hasLength) else { return }
    let counting = [
      "-count_packets", "-read_intervals", "%+\(countedSeconds)", "-select_streams", "v", "-show_streams",
    ]
    for counted in (try? probe(file, range, counting))?.streams ?? [] {
      guard let at = answer.streams?.firstIndex(where: { $0.index == counted.index }) else { continue }
      answer.streams?[at].nbReadPackets = counted.nbReadPackets
    }
  }

  /// Counts the frames of a movie whose frames have no times. Returns nil if that takes too long.
  private static func countedDuration(of file: MediaFile, _ range: Range<Int>?) -> Double? {
    let answer = try? probe(file, range, ["-count_packets", "-select_streams", "v:0", "-show_streams"])
    let stream = answer?.streams?.first
    let rate = (stream?.avgFrameRate ?? "").split(separator: "/").compactMap { Double($0) }
    guard let frames = stream?.nbReadPackets.flatMap(Double.init), rate.count == 2, rate.allSatisfy({ $0 > 0 }) else {
      return nil
    }
    return frames * rate[1] / rate[0]
  }

  /// Returns the end of the last frame on the movie's clock, for a container that doesn't have a
  /// duration, such as that of a live recording. Returns nil if reading the movie takes too long.
  private static func end(of stream: Stream, in file: MediaFile, _ range: Range<Int>?) -> Double? {
    guard let index = stream.index else { return nil }
    let entries = [
      "-select_streams", "\(index)", "-show_entries", "packet=pts_time,dts_time,duration_time", "-of", "csv=p=0",
    ]
    guard let lines = lastLines(of: "ffprobe", entries + MovieInput.arguments(range), file) else { return nil }
    let ends = lines.compactMap { line -> Double? in
      let numbers = line.split(separator: ",").map { Double($0) ?? .nan }
      // An AVI has the times of decoding only.
      guard let start = numbers.prefix(2).first(where: \.isFinite) else { return nil }
      // The duration of a packet may be unknown.
      return numbers.count > 2 && numbers[2].isFinite ? start + numbers[2] : start
    }
    return ends.filter(\.isFinite).max()
  }

  /// Returns the end of the last frame on the movie's clock, for a movie that `ffprobe` refuses.
  /// `ffmpeg` can copy a stream without opening a decoder.
  private static func copiedEnd(of stream: Stream, in file: MediaFile, _ range: Range<Int>?) -> Double? {
    let tick = (stream.timeBase ?? "").split(separator: "/").compactMap { Double($0) }
    guard let index = stream.index, tick.count == 2, tick[1] > 0 else { return nil }
    let copying = ["-map", "0:\(index)", "-c", "copy", "-f", "framecrc", "pipe:1"]
    let lines = lastLines(of: "ffmpeg", ["-nostdin", "-copyts"] + MovieInput.arguments(range) + copying, file)
    // A line has the stream, the decoding time, the presentation time, the duration, and more.
    let ends = lines?.compactMap { line -> Double? in
      let numbers = line.split(separator: ",").map { Double($0.drop { $0 == " " }) ?? .nan }
      return numbers.count > 3 ? numbers[2] + numbers[3] : nil
    }
    return ends?.filter(\.isFinite).max().map { $0 * tick[0] / tick[1] }
  }

  /// Returns the last lines that a program prints. Returns nil if it fails or takes too long.
  private static func lastLines(of program: String, _ arguments: [String], _ file: MediaFile) -> [Substring]? {
    var process = Subprocess(
      program: program, arguments: ["-hide_banner", "-loglevel", "error"] + arguments, input: file,
      idleSeconds: probeSeconds, seconds: countingSeconds, outputByteLimit: .max)
    process.keepsOutput = false
    // The last frame is among the last packets.
    var ending: [UInt8] = []
    let result = try? process.run { ending = (ending + $0).suffix(4096) }
    guard result?.succeeded == true else { return nil }
    let lines = String(decoding: ending, as: UTF8.self).split(whereSeparator: \.isNewline)
    // The first line may be cut off.
    return Array(lines.suffix(max(1, lines.count - 1)))
  }

  private static func hasTimes(_ format: Format?) -> Bool {
    !MediaType.withoutTimes.contains { $0.preferredFilenameExtension == format?.formatName }
  }

  /// Whether the frames have times, so that `ffmpeg` can seek and copy them.
  var hasTimes: Bool { Self.hasTimes(format) }

  var audio: Stream? { sounds.first }

  /// Returns the arguments that open the movie, or a range of the file's bytes.
  func input(_ range: Range<Int>?) -> [String] {
    let isTurned = video?.sideDataList?.contains { $0.rotation != nil } == true
    return (isTurned ? [] : MovieInput.withoutTurn) + MovieInput.arguments(range)
  }

  /// Returns the option that selects the picture of an input of `ffmpeg`.
  func pictureMap(input: Int = 0) -> [String] { Self.map(video, input) }

  /// Returns the option that selects the sound of an input of `ffmpeg`, if there is one.
  func soundMap(input: Int = 0) -> [String] { Self.map(audio, input) }

  /// The options that select all sounds of the first input of `ffmpeg`.
  var allSoundMaps: [String] { sounds.flatMap { Self.map($0, 0) } }

  private static func map(_ stream: Stream?, _ input: Int) -> [String] {
    stream?.index.map { ["-map", "\(input):\($0)"] } ?? []
  }

  /// The beginning of the movie's clock, in seconds.
  var startTime: Double { format?.startTime.flatMap(Double.init) ?? 0 }

  var duration: Double { (format?.duration ?? video?.duration).flatMap(Double.init) ?? countedDuration ?? 0 }

  /// The duration of the picture alone, in seconds; nil if its stream doesn't contain it.
  var videoDuration: Double? { video?.duration.flatMap(Double.init) }

  /// The seconds from the movie's beginning to the end of its last frame; nil if the stream doesn't
  /// contain the duration.
  var videoEnd: Double? {
    guard let duration = videoDuration else { return nil }
    return duration + (video?.startTime.flatMap(Double.init) ?? startTime) - startTime
  }

  /// The date of the container or of a stream, in UTC.
  var creationTime: String? {
    let name = "creation_time"
    return format?.tags?[name] ?? video?.tags?[name] ?? audio?.tags?[name]
  }

  /// Whether the movie is interlaced. Each interlaced frame is marked, too.
  private var isInterlaced: Bool {
    ["tt", "bb", "tb", "bt"].contains(video?.fieldOrder) || ["dvvideo", "mpeg2video"].contains(video?.codecName)
  }

  /// The length of a tick of the picture's clock, in `ffmpeg`'s form.
  var videoClock: String { video?.timeBase.map { $0.replacing("/", with: ":") } ?? "-1" }

  /// The size of the frames, upright and with square pixels.
  var pictureSize: PixelSize? {
    guard let video, var width = video.width, var height = video.height, width > 0, height > 0 else { return nil }
    let sides = (video.sampleAspectRatio ?? "").split(separator: ":").compactMap { Double($0) }
    var ratio = sides.count == 2 && sides.allSatisfy { $0 > 0 } ? sides[0] / sides[1] : 1
    let rotation = video.sideDataList?.compactMap(\.rotation).first ?? 0
    if (rotation / 90).rounded().truncatingRemainder(dividingBy: 2) != 0 {
      (width, height, ratio) = (height, width, 1 / ratio)
    }
    let wide = Double(width) * ratio
    return wide >= 1 && wide < 1e6 ? PixelSize(width: Int(wide), height: height) : nil
  }

  private var isCommonH264: Bool {
    video?.codecName == "h264" && ["yuv420p", "yuvj420p"].contains(video?.pixFmt)
  }

  var isHDR: Bool { ["arib-std-b67", "smpte2084"].contains(video?.colorTransfer) }

  /// The matrix between RGB and YCbCr. If the movie doesn't name one, the television standard for
  /// its height is used.
  var colorMatrix: String {
    switch video?.colorSpace {
    // Tone mapping converts to this matrix.
    case _ where isHDR: "bt709"
    case "bt709": "bt709"
    case "smpte170m", "bt470bg": "smpte170m"
    case "bt2020nc": "bt2020"
    default: (video?.height ?? 0) >= 720 ? "bt709" : "smpte170m"
    }
  }

  /// The primaries of the picture after conversion to 8-bit RGB. A phone's movie has those of
  /// Display P3, like its photos.
  var primaries: String {
    switch video?.colorPrimaries {
    case "smpte432" where !isHDR: "smpte432"
    case "bt2020" where !isHDR: "bt2020"
    default: "bt709"
    }
  }

  /// Returns the arguments that copy the sound if the container can hold it, and else encode it.
  func soundArguments(in container: MovieExport.Container, volume: Double) -> [String] {
    guard volume == 1 else { return ["-af", "volume=\(volume)", "-c:a", "aac", "-b:a", "192k"] }
    let codec = audio?.codecName ?? ""
    let canBeCopied =
      ["aac", "mp3", "alac", "ac3", "eac3"].contains(codec) || container == .mov && codec.hasPrefix("pcm_")
    return canBeCopied ? ["-c:a", "copy"] : ["-c:a", "aac", "-b:a", "192k"]
  }

  private var majorBrand: String { format?.tags?["major_brand"] ?? "" }

  /// Whether browsers show and play the same streams as this program. They take the first ones.
  private var beginsWithMainStreams: Bool {
    all.first(where: \.isPicture)?.index == video?.index
      && all.first { $0.codecType == "audio" }?.index == audio?.index
  }

  var hasPlayableCodecs: Bool {
    guard beginsWithMainStreams else { return false }
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

  // MARK: Playback in browsers

  private static let encodedLongSide = 1920

  /// Whether browsers play the picture unchanged.
  var keepsPicture: Bool { isCommonH264 && !isHDR && hasTimes }

  /// Whether a conversion can be continued from its middle: these containers have an index, and one
  /// continuous clock. A recording without a duration has no index, either.
  var isSeekable: Bool {
    let names = format?.formatName?.split(separator: ",") ?? []
    return names.contains { ["mov", "matroska"].contains($0) } && format?.duration != nil && duration > 0
      && duration < Self.longestPart
  }

  /// The limit in seconds. A transport stream's clock wraps around after 26 hours.
  private static let longestPart = 20 * 3600.0

  /// `ffmpeg`'s arguments for the picture.
  var videoConversion: [String] {
    if keepsPicture { return ["-c:v", "copy"] }
    let toneMap = isHDR ? [MovieFilters.toneMap] : []
    let wholeFrames = isInterlaced ? [MovieFilters.wholeFrames] : []
    let filters = wholeFrames + [MovieFilters.squarePixels, MovieFilters.fit(Self.encodedLongSide, step: 2)] + toneMap
    return [
      "-c:v", "libx264", "-preset", "veryfast", "-crf", "23", "-profile:v", "high", "-pix_fmt", "yuv420p",
      // The key frame interval. An interruption loses this many frames, a few seconds, at most.
      "-g", "120", "-vf", filters.joined(separator: ","),
    ]
  }

  var audioConversion: [String] {
    audio == nil || ["aac", "mp3"].contains(audio?.codecName)
      ? ["-c:a", "copy"] : ["-c:a", "aac", "-b:a", "160k", "-ac", "2"]
  }
}

extension MovieStreams.Answer {
  /// Removes the durations of zero, and those of an AVI that was written to a pipe.
  fileprivate mutating func removeUnknownDurations() {
    func isKnown(_ text: String?) -> Bool { text.flatMap(Double.init) ?? 0 > 0 }
    let isPiped =
      format?.formatName == "avi"
      && streams?.contains { $0.nbFrames.flatMap(Int.init) == AVIFrames.unknownCount } == true
    if isPiped || !isKnown(format?.duration) { format?.duration = nil }
    for at in (streams ?? []).indices where isPiped || !isKnown(streams?[at].duration) { streams?[at].duration = nil }
  }
}

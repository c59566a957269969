import Foundation
import Testing

@testable import ImageCoding
@testable import Imaging
@testable import MediaMetadata
@testable import MovieCoding

/// Tests movies whose first streams are not those that are shown and played, and recordings that
/// were written before their duration was known.
@Suite struct MainStreamTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func make(_ name: String, _ arguments: [String]) throws -> MediaFile {
    let path = folder.url.appendingPathComponent(name).path
    try Program.run("ffmpeg", ["-loglevel", "error", "-y"] + arguments + [path])
    return try MediaFile(path: path)
  }

  private func codecs(_ path: String) throws -> [String] {
    try Program.run("ffprobe", ["-loglevel", "error", "-show_entries", "stream=codec_name", "-of", "csv=p=0", path])
      .split(whereSeparator: \.isNewline).map { $0.filter { $0 != "," } }
  }

  private func size(_ metadata: MediaMetadata) -> PixelSize {
    PixelSize(width: metadata.pixelWidth, height: metadata.pixelHeight)
  }

  private func isBlue(_ pixels: PixelBuffer) -> Bool {
    pixels.width == 64 && pixels.height == 48 && pixels.bytes[2] > 150 && pixels.bytes[0] < 100
  }

  private var output: URL { folder.url.appendingPathComponent("out.mov") }
  private var playable: URL { folder.url.appendingPathComponent("playable.mp4") }

  // MARK: Thumbnails

  /// Returns a blue movie of two seconds. A larger red thumbnail precedes it.
  private func movieWithThumbnail(_ filenameExtension: String) throws -> MediaFile {
    let codec =
      switch filenameExtension {
      case "wmv": ["-c:v:1", "wmv2", "-c:a", "wmav2"]
      case "avi": ["-c:v:1", "mpeg4", "-c:a", "pcm_s16le"]
      default: ["-c:v:1", "libx264", "-c:a", "aac"]
      }
    return try make(
      "movie.\(filenameExtension)",
      [
        "-f", "lavfi", "-i", "color=red:s=320x180:r=25:d=0.04", "-f", "lavfi", "-i", "color=blue:s=64x48:r=20:d=2",
        "-f", "lavfi", "-i", "sine=d=2", "-map", "0:v", "-map", "1:v", "-map", "2:a", "-c:v:0", "mjpeg", "-pix_fmt:v:0",
        "yuvj420p", "-pix_fmt:v:1", "yuv420p",
      ] + codec)
  }

  @Test(arguments: ["mov", "mp4", "mkv", "wmv", "avi"])
  func `a movie whose first picture is a thumbnail has the size and the poster of its main picture`(
    _ filenameExtension: String
  ) throws {
    let file = try movieWithThumbnail(filenameExtension)
    let metadata = try MediaMetadata(of: file)
    #expect(size(metadata) == PixelSize(width: 64, height: 48))
    #expect(abs(metadata.duration - 2) < 0.15)
    #expect(isBlue(try decodePicture(of: file, metadata: metadata)))
  }

  @Test(arguments: ["mov", "mp4", "mkv", "wmv", "avi"])
  func `a movie whose first picture is a thumbnail plays its main picture`(_ filenameExtension: String) throws {
    let file = try movieWithThumbnail(filenameExtension)
    #expect(try !isPlayable(file, metadata: MediaMetadata(of: file)))
    try makePlayableMovie(of: file, range: nil, to: playable, progress: nil)
    #expect(try codecs(playable.path) == ["h264", "aac"])
    let made = try MediaFile(path: playable.path)
    #expect(abs(try MediaMetadata(of: made).duration - 2) < 0.15)
    #expect(isBlue(try made.movieFrame(atSeconds: 1, longestSide: nil).pixels))
  }

  @Test(arguments: ["mov", "mp4", "mkv", "wmv", "avi"])
  func `an export of a movie whose first picture is a thumbnail has its main picture`(
    _ filenameExtension: String
  ) throws {
    let file = try movieWithThumbnail(filenameExtension)
    try MovieExport(file: file).write(to: output) { $0.pixels }
    let made = try MediaFile(path: output.path)
    #expect(abs(try MediaMetadata(of: made).duration - 2) < 0.15)
    #expect(isBlue(try made.movieFrame(atSeconds: 1, longestSide: nil).pixels))
  }

  @Test func `a copy of a movie whose first picture is a thumbnail has its main picture`() throws {
    try MovieExport(file: movieWithThumbnail("mov")).copy(to: output)
    #expect(try codecs(output.path) == ["h264", "aac"])
  }

  // A thumbnail of the main picture's codec differs from it only in its single frame.
  @Test(arguments: [
    ("movie.mkv", "libx264", []), ("movie.webm", "libvpx", []), ("movie.ts", "libx264", []),
    ("movie.mp4", "libx264", ["-movflags", "empty_moov+frag_keyframe"]), ("movie.mp4", "libx264", []),
    // Live recordings have neither durations nor numbers of frames.
    ("live.mkv", "libx264", ["-live", "1"]), ("live.webm", "libvpx", ["-live", "1"]),
  ]) func `a movie whose first picture is a thumbnail of the same codec has and plays its main picture`(
    _ name: String, _ codec: String, _ options: [String]
  ) throws {
    // The sound is much longer than the main picture.
    let file = try make(
      name,
      [
        "-f", "lavfi", "-i", "color=red:s=320x180:r=25:d=0.04", "-f", "lavfi", "-i", "color=blue:s=64x48:r=20:d=2",
        "-f", "lavfi", "-i", "sine=d=10", "-map", "0:v", "-map", "1:v", "-map", "2:a", "-c:v", codec, "-pix_fmt",
        "yuv420p",
      ] + (codec == "libvpx" ? ["-c:a", "libvorbis"] : ["-c:a", "aac"]) + options)
    let metadata = try MediaMetadata(of: file)
    #expect(size(metadata) == PixelSize(width: 64, height: 48))
    #expect(isBlue(try decodePicture(of: file, metadata: metadata)))
    try makePlayableMovie(of: file, range: nil, to: playable, progress: nil)
    #expect(isBlue(try MediaFile(path: playable.path).movieFrame(atSeconds: 1, longestSide: nil).pixels))
  }

  // MARK: Covers

  /// Returns a blue movie of two seconds. Its cover, a larger red picture, precedes its track.
  private func movieWithCover() throws -> MediaFile {
    let file = try make(
      "cover.mp4",
      [
        "-f", "lavfi", "-i", "color=blue:s=64x48:r=20:d=2", "-f", "lavfi", "-i", "color=red:s=320x180:r=25:d=0.04",
        "-map", "0:v", "-map", "1:v", "-c:v:0", "libx264", "-pix_fmt:v:0", "yuv420p", "-c:v:1", "mjpeg",
        "-pix_fmt:v:1", "yuvj420p", "-disposition:v:1", "attached_pic",
      ])
    let bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: file.name)))
    // The index ends the file, and the cover ends the index.
    let track = try #require(bytes.firstRange(of: ascii("trak"))).lowerBound - 4
    let cover = try #require(bytes.firstRange(of: ascii("udta"))).lowerBound - 4
    try #require(track < cover)
    return try folder.file(bytes[..<track] + bytes[cover...] + bytes[track..<cover], named: "moved.mp4")
  }

  @Test func `a movie whose cover precedes its track has the size and the poster of its track`() throws {
    let file = try movieWithCover()
    let streams = try MovieStreams(of: file, range: nil)
    #expect(streams.all.map(\.codecName) == ["mjpeg", "h264"])
    #expect(!MediaBytes(file).hasSeveralPictureTracks)
    let metadata = try MediaMetadata(of: file)
    #expect(size(metadata) == PixelSize(width: 64, height: 48))
    #expect(isBlue(try decodePicture(of: file, metadata: metadata)))
  }

  @Test func `a movie whose cover precedes its track plays and is copied without it`() throws {
    let file = try movieWithCover()
    #expect(try isPlayable(file, metadata: MediaMetadata(of: file)))
    try MovieExport(file: file).copy(to: output)
    #expect(try codecs(output.path) == ["h264"])
  }

  // MARK: Sounds that can't be decoded

  /// Returns a movie whose first sound has the name of another codec. `ffmpeg` doesn't know the
  /// codec `apac`, and knows `mhm1` without decoding it.
  private func movie(withCodec name: String, otherSounds: Int) throws -> MediaFile {
    let sounds = Array(repeating: ["-f", "lavfi", "-i", "sine=d=1"], count: 1 + otherSounds).flatMap(\.self)
    let maps = (0...1 + otherSounds).flatMap { ["-map", "\($0)"] }
    let file = try make(
      "sounds.mov",
      ["-f", "lavfi", "-i", "color=blue:s=64x48:r=20:d=1"] + sounds + maps
        + ["-c:v", "libx264", "-pix_fmt", "yuv420p", "-c:a", "aac", "-c:a:0", "pcm_s16le"])
    var bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: file.name)))
    let entry = try #require(bytes.firstRange(of: ascii("sowt\0\0\0\0\0\0")))
    bytes.replaceSubrange(entry.lowerBound..<entry.lowerBound + 4, with: ascii(name))
    return try folder.file(bytes, named: "phone.mov")
  }

  @Test(arguments: ["apac", "mhm1"], [0, 1])
  func `a movie whose first sound can't be decoded plays with the next`(_ codec: String, _ others: Int) throws {
    try makePlayableMovie(of: movie(withCodec: codec, otherSounds: others), range: nil, to: playable, progress: nil)
    let expected: [String] = ["h264"] + Array(repeating: "aac", count: others)
    #expect(try codecs(playable.path) == expected)
  }

  @Test(arguments: ["apac", "mhm1"], [0, 1])
  func `a movie whose first sound can't be decoded is exported with the next`(_ codec: String, _ others: Int) throws {
    let file = try movie(withCodec: codec, otherSounds: others)
    let expected: [String] = ["h264"] + Array(repeating: "aac", count: others)
    try MovieExport(file: file).write(to: output) { $0.pixels }
    #expect(try codecs(output.path) == expected)
    try MovieExport(file: file).copy(to: output)
    #expect(try codecs(output.path) == expected)
  }

  @Test func `a movie whose first sound can't be decoded is not playable as it is`() throws {
    let streams = try MovieStreams(of: movie(withCodec: "apac", otherSounds: 1), range: nil)
    #expect(streams.audio?.index == 2)
    #expect(!streams.hasPlayableCodecs)
  }

  /// Returns a movie whose first sound is ALAC without its configuration, so that its decoder can't
  /// be opened, and `ffprobe` fails.
  private func movieWithoutConfiguration(otherSounds: Int) throws -> MediaFile {
    let sounds = Array(repeating: ["-f", "lavfi", "-i", "sine=d=1"], count: 1 + otherSounds).flatMap(\.self)
    let maps = (0...1 + otherSounds).flatMap { ["-map", "\($0)"] }
    let file = try make(
      "sounds.mov",
      ["-f", "lavfi", "-i", "color=blue:s=64x48:r=20:d=1"] + sounds + maps
        + ["-c:v", "libx264", "-pix_fmt", "yuv420p", "-c:a", "aac", "-c:a:0", "alac"])
    var bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: file.name)))
    let box = try #require(bytes.firstRange(of: [0, 0, 0, 36] + ascii("alac")))
    bytes.replaceSubrange(box.lowerBound + 4..<box.upperBound, with: ascii("free"))
    return try folder.file(bytes, named: "phone.mov")
  }

  @Test(arguments: [0, 1])
  func `a movie whose first sound has a decoder that can't be opened plays with the next`(_ others: Int) throws {
    let file = try movieWithoutConfiguration(otherSounds: others)
    let expected: [String] = ["h264"] + Array(repeating: "aac", count: others)
    #expect(try !isPlayable(file, metadata: MediaMetadata(of: file)))
    try makePlayableMovie(of: file, range: nil, to: playable, progress: nil)
    #expect(try codecs(playable.path) == expected)
    try MovieExport(file: file).write(to: output) { $0.pixels }
    #expect(try codecs(output.path) == expected)
    #expect(isBlue(try file.movieFrame(atSeconds: 0.5, longestSide: nil).pixels))
  }

  @Test func `the report of ffmpeg has the facts of streams that ffprobe would have`() throws {
    let report = """
      Input #0, mov,mp4,m4a,3gp,3g2,mj2, from 'file:/dev/fd/3':
        Metadata:
          major_brand     : isom
          creation_time   : 2020-05-17T10:00:00.000000Z
        Duration: 01:00:03.50, start: -0.250000, bitrate: 612 kb/s
        Stream #0:0[0x1](und): Video: hevc (Main 10), yuv420p10le(tv, bt2020nc/bt2020/arib-std-b67, \
      top first), 288x216 [SAR 4:3 DAR 16:9], 608 kb/s, 29.97 fps, 29.97 tbr, 90k tbn (default)
          Side data:
            displaymatrix: rotation of -90.00 degrees
        Stream #0:1[0x2](eng): Audio: alac (alac / 0x63616C61), 44100 Hz, mono, 141 kb/s (default)
        Stream #0:2: Video: mjpeg, yuvj420p(pc, bt470bg/unknown/unknown), 160x120, 90k tbr, 90k tbn (attached pic)
      """
    let answer = try #require(MovieStreams.Answer(report: report))
    #expect(answer.format?.formatName == "mov,mp4,m4a,3gp,3g2,mj2")
    #expect(answer.format?.duration.flatMap(Double.init) == 3603.5)
    #expect(answer.format?.startTime.flatMap(Double.init) == -0.25)
    #expect(answer.format?.tags?["major_brand"] == "isom")
    #expect(answer.format?.tags?["creation_time"] == "2020-05-17T10:00:00.000000Z")
    let streams = try #require(answer.streams)
    #expect(streams.map(\.index) == [0, 1, 2])
    #expect(streams.map(\.codecType) == ["video", "audio", "video"])
    #expect(streams.map(\.codecName) == ["hevc", "alac", "mjpeg"])
    #expect(streams.map(\.pixFmt) == ["yuv420p10le", nil, "yuvj420p"])
    #expect(streams.map(\.width) == [288, nil, 160])
    #expect(streams.map(\.height) == [216, nil, 120])
    #expect(streams.map { $0.disposition?["attached_pic"] } == [0, 0, 1])
    let main = streams[0]
    #expect(main.colorSpace == "bt2020nc" && main.colorPrimaries == "bt2020" && main.colorTransfer == "arib-std-b67")
    #expect(main.sampleAspectRatio == "4:3" && main.timeBase == "1/90000" && main.avgFrameRate == "29.97/1")
    #expect(main.fieldOrder == "tt")
    #expect(main.sideDataList?.map(\.rotation) == [-90])
  }

  @Test(arguments: [
    "", "[mov @ 0x1] Could not find codec parameters for stream 0 (Video: h264, none): unspecified size",
  ])
  func `a report without a picture that can be decoded has no streams`(_ line: String) {
    let stream = line.isEmpty ? "Audio: aac (LC), 44100 Hz, mono" : "Video: h264, none, 25 tbn"
    #expect(MovieStreams.Answer(report: "\(line)\n  Stream #0:0: \(stream)\n") == nil)
  }

  @Test(arguments: ["\u{2028}", "\u{2029}", "\u{85}"]) func `a title in the report is no stream`(separator: String)
    throws
  {
    let report = """
      Input #0, mov, from 'file:/dev/fd/3':
        Metadata:
          title           : x\(separator)  Stream #0:9: Video: h264, yuv420p, 7680x4320, 25 tbn
        Duration: N/A, start: 1.443511, bitrate: N/A
        Stream #0:0: Video: h264, yuv420p, 320x240, 25 tbn
      """
    let answer = try #require(MovieStreams.Answer(report: report))
    #expect(answer.streams?.map(\.width) == [320])
    #expect(answer.format?.startTime == "1.443511")
  }

  @Test func `a report whose streams are not in order is not read`() {
    let picture = "Video: h264, yuv420p, 320x240, 25 tbn"
    #expect(MovieStreams.Answer(report: "  Stream #0:9: \(picture)\n  Stream #0:0: \(picture)\n") == nil)
  }

  // MARK: Durations

  @Test(arguments: [
    ("empty.mp4", ["-c:v", "libx264", "-movflags", "empty_moov+frag_keyframe"]),
    ("untrailed.mp4", ["-c:v", "libx264", "-movflags", "empty_moov+frag_keyframe+skip_trailer"]),
    ("partial.mp4", ["-c:v", "libx264", "-movflags", "frag_keyframe"]),
    ("live.webm", ["-c:v", "libvpx", "-live", "1"]),
    ("live.mkv", ["-c:v", "libx264", "-live", "1"]),
  ]) func `a recording is as long as its frames, which only a measurement reads`(
    _ name: String, _ options: [String]
  ) throws {
    let file = try make(
      name, ["-f", "lavfi", "-i", "testsrc=s=64x48:r=20:d=3", "-pix_fmt", "yuv420p", "-g", "20"] + options)
    let metadata = try MediaMetadata(of: file)
    #expect(metadata.duration == 0)
    #expect(try MediaMetadata.read(from: [file]).map { try $0.get().duration } == [0])
    #expect(abs(metadata.measuredDuration(of: file) - 3) < 0.1)
    #expect(abs(try file.movieFrame(atSeconds: 2, longestSide: nil).seconds - 2) < 0.1)
  }

  @Test func `a recording that ffprobe refuses is as long as its frames`() throws {
    let file = try make(
      "live.mkv",
      [
        "-f", "lavfi", "-i", "testsrc=s=64x48:r=20:d=3", "-f", "lavfi", "-i", "sine=d=1", "-c:v", "libx264", "-pix_fmt",
        "yuv420p", "-c:a", "alac", "-live", "1",
      ])
    var bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: file.name)))
    // Without the sound's configuration, `ffprobe` can't open a decoder. A name replaces it here.
    let sound = try #require(bytes.firstRange(of: ascii("A_ALAC"))).upperBound
    let configuration = try #require(bytes[sound...].firstRange(of: [0x63, 0xA2]))
    bytes.replaceSubrange(configuration, with: [0x53, 0x6E])
    let changed = try folder.file(bytes, named: "changed.mkv")
    let metadata = try MediaMetadata(of: changed)
    #expect(metadata.duration == 0)
    #expect(abs(metadata.measuredDuration(of: changed) - 3) < 0.1)
  }

  @Test(arguments: ["libx264", "mpeg4"])
  func `an AVI that was written to a pipe is as long as its frames`(_ codec: String) throws {
    let input = ["-f", "lavfi", "-i", "testsrc=s=64x48:r=20:d=3", "-pix_fmt", "yuv420p", "-c:v", codec]
    // In such a file, as in a pipe, `ffmpeg` can't return to the header.
    let file = try make("piped.avi", input + ["-seekable", "0"])
    let metadata = try MediaMetadata(of: file)
    #expect(metadata.duration == 0)
    #expect(abs(metadata.measuredDuration(of: file) - 3) < 0.1)
  }

  @Test func `a movie whose index has durations of zero is as long as its frames`() throws {
    let file = try make(
      "whole.mp4", ["-f", "lavfi", "-i", "testsrc=s=64x48:r=20:d=3", "-c:v", "libx264", "-pix_fmt", "yuv420p"])
    var bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: file.name)))
    // The type, the version, two dates, and the time scale or the track's number precede it.
    for (type, distance) in [("mvhd", 20), ("tkhd", 24), ("mdhd", 20)] {
      let at = try #require(bytes.firstRange(of: ascii(type))).lowerBound + distance
      bytes.replaceSubrange(at..<at + 4, with: big(0, 4))
    }
    let unknown = try folder.file(bytes, named: "unknown.mp4")
    let metadata = try MediaMetadata(of: unknown)
    #expect(metadata.duration == 0)
    #expect(abs(metadata.measuredDuration(of: unknown) - 3) < 0.1)
  }
}

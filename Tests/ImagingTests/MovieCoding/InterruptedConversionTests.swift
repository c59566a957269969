import Foundation
import Synchronization
import Testing

@testable import ImageCoding
@testable import Imaging
@testable import MediaMetadata
@testable import MovieCoding

/// Tests conversions that are interrupted and then resumed.
@Suite(.serialized) struct InterruptedConversionTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private static let frames = 900
  /// The limit of the first progress that a new conversion reports. A picture of these frames has
  /// about 300 kB, and the first chunk of it at most 64 kB, however late it is read.
  private static let firstShareLimit = 0.3

  private struct Source: Hashable {
    var name: String
    var options: [String]
  }

  /// The movies, and their conversions without an interruption. Several tests use the same ones.
  private static let made = Mutex<[Source: (movie: Data, conversion: Data)]>([:])

  /// Makes a movie whose frames are uniformly gray, each of another gray than its neighbors. Also
  /// returns its conversion without an interruption.
  private func movie(_ name: String, _ options: [String]) throws -> (MediaFile, whole: URL) {
    let source = Source(name: name, options: options)
    let path = folder.url.appendingPathComponent(name).path
    let whole = folder.url.appendingPathComponent("whole.mp4")
    if let (movie, conversion) = Self.made.withLock({ $0[source] }) {
      try conversion.write(to: whole)
      return (try folder.file(movie, named: name), whole)
    }
    let seconds = Double(Self.frames) / 30
    try Program.run(
      "ffmpeg",
      [
        "-loglevel", "error", "-f", "lavfi", "-i", "sine=d=\(seconds)", "-f", "lavfi", "-itsoffset", "0.5", "-i",
        "color=gray:s=64x48:d=\(seconds):r=30,geq=lum='mod(N*37,200)+20':cb=128:cr=128", "-fps_mode", "passthrough",
        "-c:a", "pcm_s16le", "-c:v",
      ] + options + [path])
    let file = try MediaFile(path: path)
    _ = try convert(file, whole.lastPathComponent)
    let made = (try Data(contentsOf: URL(fileURLWithPath: path)), try Data(contentsOf: whole))
    Self.made.withLock { $0[source] = made }
    return (file, whole)
  }

  private func convert(_ file: MediaFile, _ name: String, until share: Double = 2) throws -> (URL, [Double]) {
    let url = folder.url.appendingPathComponent(name)
    let told = Mutex<[Double]>([])
    do {
      try makePlayableMovie(
        of: file, range: nil, to: url, isCancelled: { told.withLock { $0.last ?? 0 } > share },
        progress: { value in told.withLock { $0.append(value) } })
    } catch { #expect(share < 1, "\(error)") }
    return (url, told.withLock(\.self))
  }

  private func probe(_ url: URL, _ arguments: String...) throws -> [String] {
    try Program.run("ffprobe", ["-loglevel", "error", "-of", "csv=p=0"] + arguments + [url.path])
      .split(whereSeparator: \.isNewline).map(String.init)
  }

  /// Returns the gray level of each frame in display order.
  private func greys(_ url: URL) throws -> [Int] {
    let raw = folder.url.appendingPathComponent("raw").path
    try Program.run(
      "ffmpeg",
      [
        "-loglevel", "error", "-y", "-i", url.path, "-an", "-fps_mode", "passthrough", "-vf",
        "crop=8:8:16:16,format=gray", "-f", "rawvideo", raw,
      ])
    let bytes = try Data(contentsOf: URL(fileURLWithPath: raw))
    return stride(from: 0, to: bytes.count, by: 64).map { Int(bytes[$0 + 27]) }
  }

  /// Expects that both movies have the same frames at the same times and the same sound, and that
  /// the frames are those of the source.
  private func expectEqual(_ resumed: URL, _ atOnce: URL, _ source: MediaFile) throws {
    for stream in ["v", "a"] {
      let times = try probe(resumed, "-select_streams", stream, "-show_entries", "packet=pts")
      #expect(try times.sorted() == probe(atOnce, "-select_streams", stream, "-show_entries", "packet=pts").sorted())
      #expect(Set(times).count == times.count && times.count >= Self.frames)
    }
    #expect(
      try probe(resumed, "-show_entries", "stream=codec_name,start_time,duration")
        == probe(atOnce, "-show_entries", "stream=codec_name,start_time,duration"))
    let found = try greys(resumed)
    let expected = try greys(URL(fileURLWithPath: source.name))
    #expect(found.count == expected.count && found.count == Self.frames)
    let wrong = zip(found, expected).enumerated().filter { abs($0.element.0 - $0.element.1) > 8 }.map(\.offset)
    #expect(wrong == [])
  }

  @Test(arguments: [
    ["in.mov", "mpeg4"], ["in.mkv", "libx265", "-x265-params", "log-level=0:keyint=60", "-output_ts_offset", "5"],
    ["old.mov", "mjpeg", "-video_track_timescale", "600"],
  ])
  func `a canceled conversion is resumed`(source: [String]) throws {
    let (file, whole) = try movie(source[0], Array(source.dropFirst()))
    let (url, first) = try convert(file, "movie.mp4", until: 0.5)
    #expect(try #require(first.first) < Self.firstShareLimit)
    #expect(folder.names.sorted() == [".movie.mp4.picture.part", source[0], "whole.mp4"].sorted())
    let (_, second) = try convert(file, "movie.mp4")
    #expect(try #require(second.first) > Self.firstShareLimit)
    #expect(second == second.sorted() && second.last == 1)
    #expect(folder.names.sorted() == [source[0], "movie.mp4", "whole.mp4"].sorted())
    try expectEqual(url, whole, file)
    // The offset between sound and picture is that of the source.
    let starts = try probe(url, "-show_entries", "stream=codec_type,start_time")
    #expect(starts.contains("video,0.500000") && starts.contains("audio,0.000000"))
    #expect(try isPlayable(MediaFile(path: url.path), metadata: Sample.metadata("public.mpeg-4", kind: .video)))
  }

  @Test func `a conversion that is interrupted repeatedly completes`() throws {
    let (file, whole) = try movie("in.mov", ["mpeg4"])
    for share in [0.2, 0.4, 0.6, 0.8] { _ = try convert(file, "movie.mp4", until: share) }
    let (url, _) = try convert(file, "movie.mp4")
    try expectEqual(url, whole, file)
  }

  /// A killed process may leave an incomplete last packet or garbage.
  @Test(arguments: [1, 100, 5000]) func `a damaged end is cut off`(length: Int) throws {
    let (file, whole) = try movie("in.mov", ["mpeg4"])
    _ = try convert(file, "movie.mp4", until: 0.6)
    let part = try FileHandle(forUpdating: folder.url.appendingPathComponent(".movie.mp4.picture.part"))
    try part.seekToEnd()
    try part.write(contentsOf: Data((0..<length).map { UInt8(truncatingIfNeeded: $0 * 71) }))
    try part.close()
    let (url, second) = try convert(file, "movie.mp4")
    #expect(try #require(second.first) > Self.firstShareLimit)
    try expectEqual(url, whole, file)
  }

  /// The last of the movie's three frames is shown for two seconds.
  @Test func `the last frame is shown as long as before`() throws {
    let short = folder.url.appendingPathComponent("short.mov").path
    let path = folder.url.appendingPathComponent("in.mov").path
    try Program.run(
      "ffmpeg",
      [
        "-loglevel", "error", "-f", "lavfi", "-i", "testsrc=s=64x48:d=0.3:r=10", "-c:v", "mpeg4",
        "-video_track_timescale", "16000", short,
      ])
    try Program.run(
      "ffmpeg",
      ["-loglevel", "error", "-i", short, "-c", "copy", "-bsf:v", "setts=pts=PTS:dts=DTS:duration=32000", path])
    let (url, _) = try convert(MediaFile(path: path), "movie.mp4")
    #expect(
      try probe(url, "-show_entries", "stream=duration")
        == probe(URL(fileURLWithPath: path), "-show_entries", "stream=duration"))
    #expect(try probe(url, "-show_entries", "stream=duration") == ["2.200000"])
  }

  /// If a movie has only one key frame, decoding everything after it may take too long.
  @Test func `a conversion that stalls when resumed starts again`() throws {
    let (file, _) = try movie("in.mov", ["mpeg4"])
    let (url, _) = try convert(file, "movie.mp4", until: 0.6)
    do {
      let part = try PartialFile(for: url) { false }
      var conversion = try MovieConversion(
        file: file, range: nil, streams: MovieStreams(of: file, range: nil), isCancelled: { false }, progress: nil)
      conversion.resumedStallSeconds = 0
      let error = #expect(throws: ImagingError.self) { try conversion.write(to: part, for: url) }
      #expect(error?.code == .tookTooLong)
    }
    #expect(folder.names.sorted() == ["in.mov", "whole.mp4"])
    let (_, told) = try convert(file, "movie.mp4")
    #expect(try #require(told.first) < Self.firstShareLimit && told.last == 1)
  }

  @Test func `a removed unfinished picture takes no more data`() throws {
    let picture = try UnfinishedPicture(of: folder.url.appendingPathComponent("movie.mp4"), recipe: "one way")
    try picture.append([1])
    picture.remove()
    #expect(throws: ImagingError.self) { try picture.append([2]) }
    #expect(folder.names == [])
  }

  @Test func `an unfinished picture with another recipe starts again`() throws {
    let (file, _) = try movie("in.mov", ["mpeg4"])
    _ = try convert(file, "movie.mp4", until: 0.6)
    let destination = folder.url.appendingPathComponent("movie.mp4")
    let part = folder.url.appendingPathComponent(".movie.mp4.picture.part").path
    let other = try UnfinishedPicture(of: destination, recipe: "another way")
    #expect(other.resumeSeconds == nil && other.seconds == nil)
    #expect(try FileManager.default.attributesOfItem(atPath: part)[.size] as? Int == TransportStreamScan.packetLength)
  }

  @Test func `a picture that is copied leaves nothing unfinished`() throws {
    let (file, _) = try movie("in.mov", ["libx264", "-pix_fmt", "yuv420p"])
    _ = try convert(file, "movie.mp4", until: -1)
    #expect(folder.names.sorted() == ["in.mov", "whole.mp4"])
  }

  @Test func `a movie that can't be converted leaves nothing unfinished`() throws {
    let (file, _) = try movie("in.mov", ["mpeg4"])
    var bytes = try Data(contentsOf: URL(fileURLWithPath: file.name))
    // The index stays intact.
    let index = try #require(bytes.range(of: Data("moov".utf8))).lowerBound
    bytes.replaceSubrange(48..<index - 8, with: Data(repeating: 0x55, count: index - 56))
    let damaged = try folder.file(bytes, named: "damaged.mov")
    #expect(throws: ImagingError.self) {
      try makePlayableMovie(
        of: damaged, range: nil, to: folder.url.appendingPathComponent("movie.mp4"), progress: nil)
    }
    #expect(folder.names.sorted() == ["damaged.mov", "in.mov", "whole.mp4"])
  }

  @Test func `any bytes are scanned`() {
    var random = SplitMix(seed: 3)
    for _ in 0..<3000 {
      var scan = TransportStreamScan()
      var packet = [UInt8](repeating: 0, count: 188).map { _ in UInt8.random(in: 0...255, using: &random) }
      packet[0] = 0x47
      packet[1] |= 0x40
      packet[3] |= 0x10
      // Writes the start code of a picture at a random place.
      let place = Int.random(in: 4..<188, using: &random)
      packet.replaceSubrange(place..<min(place + 4, 188), with: [0, 0, 1, 0xE0].prefix(188 - place))
      packet[4] = UInt8(truncatingIfNeeded: place - 5)
      scan.received(packet[...])
      #expect((scan.latest ?? 0) < 1 << 33)
    }
  }
}

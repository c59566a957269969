import Foundation
import Synchronization
import Testing

@testable import ImageCoding
@testable import ImageFilters
@testable import Imaging
@testable import MediaMetadata
@testable import MovieCoding

/// Tests the export of generated movies, in which frames pass from one `ffmpeg` through this
/// process to another.
@Suite(.serialized) struct MovieExportTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func run(_ program: String, _ arguments: [String]) throws -> String {
    try Program.run(program, ["-loglevel", "error"] + arguments)
  }

  private func movie(
    _ name: String = "movie.mov", seconds: Double = 1, rate: String = "30", _ options: [String] = []
  ) throws -> MediaFile {
    let url = folder.url.appendingPathComponent(name)
    _ = try run(
      "ffmpeg",
      [
        "-y", "-f", "lavfi", "-i", "color=c=0x6432c8:s=64x48:d=\(seconds):r=\(rate)", "-f", "lavfi", "-i",
        "sine=d=\(seconds)",
      ]
        + ["-c:v", "libx264", "-pix_fmt", "yuv420p", "-c:a", "aac", "-shortest"] + options + [url.path])
    return try MediaFile(path: url.path)
  }

  private func probe(_ url: URL, _ entries: String, _ more: [String] = []) throws -> [String] {
    try run("ffprobe", ["-show_entries", entries, "-of", "csv=p=0"] + more + [url.path])
      .split(whereSeparator: \.isNewline).map(String.init)
  }

  private var output: URL { folder.url.appendingPathComponent("out.mov") }

  private func firstPixel(_ url: URL) throws -> [UInt8] {
    let file = try MediaFile(path: url.path)
    let picture = try decodePicture(of: file, metadata: MediaMetadata(of: file))
    return Array(picture.bytes[0..<3])
  }

  @Test func `each frame goes through the filter`() throws {
    let count = Mutex(0)
    try MovieExport(file: movie()).write(to: output) { frame in
      count.withLock { $0 += 1 }
      return frame.pixels.filtered(by: ColorPipeline([.sepia(intensity: 1)]))
    }
    #expect(count.withLock(\.self) == 30)
    #expect(close([try firstPixel(output)], [[116, 103, 80]], within: 6))
    #expect(try probe(output, "stream=codec_name,color_space") == ["h264,bt709", "aac"])
    #expect(folder.names.sorted() == ["movie.mov", "out.mov"])
  }

  @Test func `a filter that does nothing keeps the colors`() throws {
    let file = try movie()
    try MovieExport(file: file).write(to: output) { $0.pixels }
    let before = try firstPixel(folder.url.appendingPathComponent("movie.mov"))
    #expect(close([try firstPixel(output)], [before], within: 6))
  }

  /// The frames are at 0, 1, 4, 9, 16, … thirtieths of a second.
  @Test func `a variable rate keeps its times, tick by tick`() throws {
    let file = try movie(
      rate: "30000/1001",
      [
        "-vf", "setpts=N*N*TB*0+N*N*1001/30000/TB", "-fps_mode", "passthrough", "-enc_time_base", "1/30000", "-an",
        "-frames:v", "6",
      ])
    try MovieExport(file: file).write(to: output) { $0.pixels }
    let before = try times(URL(fileURLWithPath: file.name))
    #expect(before == ["0.000000", "0.033367", "0.133467", "0.300300", "0.533867", "0.800800"])
    #expect(try times(output) == before)
  }

  private func times(_ url: URL) throws -> [String] {
    try probe(url, "packet=pts_time", ["-select_streams", "v"]).map { $0.filter { $0 != "," } }.sorted()
  }

  @Test func `the metadata of a Live Photo's movie stays`() throws {
    let file = try movie(
      "live.mov",
      ["-movflags", "use_metadata_tags"]
        + [
          "com.apple.quicktime.content.identifier=ABC-1", "com.apple.quicktime.creationdate=2023-09-22T18:34:05+0200",
          "com.apple.quicktime.location.ISO6709=+52.4597+013.3220/", "com.apple.quicktime.make=Apple",
        ].flatMap { ["-metadata", $0] })
    let before = try MediaMetadata(of: file)
    #expect(before.contentIdentifier == "ABC-1")
    try MovieExport(file: file).write(to: output) { $0.pixels }
    let after = try MediaMetadata(of: MediaFile(path: output.path))
    #expect(after.contentIdentifier == before.contentIdentifier)
    #expect(after.captureDate == before.captureDate)
    #expect(after.location == before.location && after.location != nil)
    #expect(after.camera.make == "Apple")
  }

  @Test(arguments: [MovieExport.Container.mov, .mp4])
  func `the metadata of another movie stays`(container: MovieExport.Container) throws {
    let file = try movie(
      "phone.mp4", ["-metadata", "creation_time=2020-10-23T20:27:29Z", "-metadata", "location=+51.4169-000.0806/"])
    let before = try MediaMetadata(of: file)
    var export = MovieExport(file: file)
    export.container = container
    try export.write(to: output) { $0.pixels }
    let after = try MediaMetadata(of: MediaFile(path: output.path))
    #expect(after.captureDate.date == before.captureDate.date && after.captureDate.source == .container)
    // MP4 stores a place in units of 1/65536 degree, QuickTime as a text.
    let (from, to) = (try #require(before.location), try #require(after.location))
    #expect(abs(from.latitude - to.latitude) < 0.0001 && abs(from.longitude - to.longitude) < 0.0001)
  }

  @Test func `a turned movie comes upright`() throws {
    _ = try movie("flat.mov")
    let turned = folder.url.appendingPathComponent("turned.mov")
    _ = try run(
      "ffmpeg",
      [
        "-y", "-i", folder.url.appendingPathComponent("flat.mov").path, "-c", "copy", "-metadata:s:v", "rotate=90",
        turned.path,
      ])
    try MovieExport(file: MediaFile(path: turned.path)).write(to: output) { frame in
      #expect(frame.pixels.width == 48 && frame.pixels.height == 64)
      return frame.pixels
    }
    let after = try MediaMetadata(of: MediaFile(path: output.path))
    #expect(after.pixelWidth == 48 && after.pixelHeight == 64)
  }

  @Test func `a part of a movie is as long as it was asked`() throws {
    var export = MovieExport(file: try movie(seconds: 3))
    export.timeRange = 1...2
    try export.write(to: output) { $0.pixels }
    #expect(abs(try MediaMetadata(of: MediaFile(path: output.path)).duration - 1) < 0.1)
  }

  @Test func `a copy has the same packets`() throws {
    let file = try movie()
    try MovieExport(file: file).copy(to: output)
    let checksums = ["-show_data_hash", "md5"]
    let before = try probe(folder.url.appendingPathComponent("movie.mov"), "packet=data_hash", checksums)
    #expect(try probe(output, "packet=data_hash", checksums) == before)
  }

  @Test func `an export at volume 0 has no sound`() throws {
    var export = MovieExport(file: try movie())
    export.volume = 0
    try export.write(to: output) { $0.pixels }
    #expect(try probe(output, "stream=codec_type") == ["video"])
  }

  @Test func `softer sound is encoded anew`() throws {
    var export = MovieExport(file: try movie())
    export.volume = 0.25
    try export.write(to: output) { $0.pixels }
    #expect(try probe(output, "stream=codec_name") == ["h264", "aac"])
    #expect(try loudness(output) < loudness(folder.url.appendingPathComponent("movie.mov")) - 10)
  }

  /// Returns the loudness in decibels.
  private func loudness(_ url: URL) throws -> Double {
    let lines = try run(
      "ffprobe",
      [
        "-f", "lavfi", "-i", "amovie=\(url.path),astats=metadata=1", "-show_entries",
        "frame_tags=lavfi.astats.Overall.RMS_level", "-of", "csv=p=0",
      ])
    let last = lines.split(whereSeparator: \.isNewline).last.map { $0.filter { $0 != "," } }
    return try #require(last.flatMap { Double($0) })
  }

  @Test func `a phone's colors stay`() throws {
    let file = try movie(
      "movie.mov", ["-color_primaries", "smpte432", "-color_trc", "bt709", "-colorspace", "smpte170m"])
    try MovieExport(file: file).write(to: output) { $0.pixels }
    #expect(try probe(output, "stream=color_primaries", ["-select_streams", "v"]) == ["smpte432"])
  }

  // MARK: The time of a Live Photo's still

  private func livePhotoMovie(_ time: Double) throws -> MediaFile {
    let source = try movie("source.mov", seconds: 2, ["-movflags", "use_metadata_tags"])
    try StillTimeTrack.add(time, toMovieAt: source.name)
    return try MediaFile(path: source.name)
  }

  @Test(arguments: [0, 0.5, 1.234]) func `an added still time is found in the movie`(time: Double) throws {
    let file = try livePhotoMovie(time)
    #expect(try MediaMetadata(of: file).stillTime == time)
    #expect(try probe(URL(fileURLWithPath: file.name), "stream=codec_type") == ["video", "audio", "data"])
  }

  @Test func `an export and a copy keep the still time`() throws {
    let file = try livePhotoMovie(1.5)
    try MovieExport(file: file).write(to: output) { $0.pixels }
    #expect(try MediaMetadata(of: MediaFile(path: output.path)).stillTime == 1.5)
    try MovieExport(file: file).copy(to: output)
    #expect(try MediaMetadata(of: MediaFile(path: output.path)).stillTime == 1.5)
    #expect(try probe(output, "stream=codec_name", ["-select_streams", "v"]) == ["h264"])
  }

  @Test(arguments: [(1.0...2.0, 0.5), (0.0...1.0, nil)] as [(ClosedRange<Double>, Double?)])
  func `an exported part has the still time within that part`(range: ClosedRange<Double>, time: Double?) throws {
    var export = MovieExport(file: try livePhotoMovie(1.5))
    export.timeRange = range
    try export.write(to: output) { $0.pixels }
    #expect(try MediaMetadata(of: MediaFile(path: output.path)).stillTime == time)
  }

  @Test func `a movie whose index comes first gets no still time`() throws {
    let file = try movie("movie.mov", ["-movflags", "faststart"])
    #expect(throws: ImagingError.self) { try StillTimeTrack.add(0.5, toMovieAt: file.name) }
  }

  // MARK: Failures

  private struct Refusal: Error {}

  @Test func `a filter's error ends the export, and leaves nothing`() throws {
    let file = try movie(seconds: 5)
    let count = Mutex(0)
    #expect(throws: Refusal.self) {
      try MovieExport(file: file).write(to: output) { frame in
        if count.withLock({
          $0 += 1
          return $0
        }) == 20 {
          throw Refusal()
        }
        return frame.pixels
      }
    }
    #expect(folder.names == ["movie.mov"])
  }

  @Test func `a canceled export leaves nothing`() throws {
    let file = try movie(seconds: 5)
    let count = Atomic(0)
    #expect(throws: ImagingError.self) {
      try MovieExport(file: file).write(
        to: output, isCancelled: { count.load(ordering: .relaxed) > 10 },
        frame: { frame in
          count.add(1, ordering: .relaxed)
          return frame.pixels
        })
    }
    #expect(folder.names == ["movie.mov"])
  }

  @Test func `an error names the file`() throws {
    let file = try folder.file(Data("not a movie at all".utf8), named: "broken.mov")
    do {
      try MovieExport(file: file).write(to: output) { $0.pixels }
      Issue.record("it was exported")
    } catch let error as ImagingError {
      #expect(error.file.hasSuffix("broken.mov"))
    }
    #expect(folder.names == ["broken.mov"])
  }

  @Test func `a folder that can't be written is an error`() throws {
    let file = try movie()
    #expect(throws: ImagingError.self) {
      try MovieExport(file: file).write(to: URL(fileURLWithPath: "/nowhere/out.mov")) { $0.pixels }
    }
  }

  @Test func `progress ends at one`() throws {
    let last = Mutex(0.0)
    try MovieExport(file: movie()).write(
      to: output, progress: { value in last.withLock { $0 = value } }, frame: { $0.pixels })
    #expect(last.withLock(\.self) == 1)
  }

  /// `ffmpeg` reads less than half of the movie and reports success.
  @Test func `a movie that is cut off is not a shorter movie`() throws {
    let file = try movie("whole.mov", seconds: 4, ["-movflags", "faststart", "-b:v", "400k"])
    let bytes = try Data(contentsOf: URL(fileURLWithPath: file.name))
    let half = try folder.file(bytes.prefix(bytes.count / 2), named: "half.mov")
    do {
      try MovieExport(file: half).write(to: output) { $0.pixels }
      Issue.record("it was exported")
    } catch let error as ImagingError {
      #expect(error.code == .damaged && error.reason.hasPrefix("it ends at "))
    }
    #expect(throws: ImagingError.self) { try MovieExport(file: half).copy(to: output) }
    #expect(folder.names.sorted() == ["half.mov", "whole.mov"])
  }

  /// The movie shows the same frame for most of its duration.
  @Test func `a long last frame is no damage`() throws {
    let file = try movie(
      "long.mov", seconds: 4, ["-vf", "select='lt(n,3)'", "-fps_mode", "passthrough", "-shortest"])
    try MovieExport(file: file).write(to: output) { $0.pixels }
    #expect(folder.names.contains("out.mov"))
  }

  @Test func `frames of different sizes are no movie`() throws {
    let file = try movie()
    let count = Mutex(0)
    #expect(throws: ImagingError.self) {
      try MovieExport(file: file).write(to: output) { frame in
        let isFirst = count.withLock { count in
          defer { count += 1 }
          return count == 0
        }
        return isFirst ? frame.pixels : frame.pixels.cropped(x: 0..<32, y: 0..<24) ?? frame.pixels
      }
    }
    #expect(folder.names == ["movie.mov"])
  }

  /// `ffmpeg` scales all frames to the size of the first one.
  @Test func `a size that changes in mid-stream is no garbage`() throws {
    for (name, size) in [("a", "64x48"), ("b", "96x64")] {
      _ = try run(
        "ffmpeg",
        [
          "-y", "-f", "lavfi", "-i", "color=c=0x6432c8:s=\(size):d=0.5:r=30", "-c:v", "libx264", "-pix_fmt", "yuv420p",
          "-f", "mpegts", folder.url.appendingPathComponent("\(name).ts").path,
        ])
    }
    let parts = try ["a.ts", "b.ts"].map { try Data(contentsOf: folder.url.appendingPathComponent($0)) }
    let both = try folder.file(parts[0] + parts[1], named: "both.ts")
    let colors = Mutex<Set<[UInt8]>>([])
    let sizes = Mutex<Set<PixelSize>>([])
    try MovieExport(file: both).write(to: output) { frame in
      sizes.withLock { _ = $0.insert(PixelSize(width: frame.pixels.width, height: frame.pixels.height)) }
      let middle = (24 * frame.pixels.width + 32) * 3
      colors.withLock { _ = $0.insert(Array(frame.pixels.bytes[middle..<middle + 3])) }
      return frame.pixels
    }
    #expect(sizes.withLock(\.self) == [PixelSize(width: 64, height: 48)])
    #expect(colors.withLock(\.self).allSatisfy { close([$0], [[100, 50, 200]], within: 6) })
  }

  // MARK: Metadata with forged output

  /// `ffmpeg` prints the keys of metadata unescaped. These keys look like lines that its filters
  /// print.
  @Test func `a movie's metadata is not taken for a frame's size or time`() throws {
    let filter = "[Parsed_showinfo_9 @ 0x1] [info]"
    let key = "x\n\(filter) config in time_base: 1/1, frame_rate: 1/1\n\(filter) n: 0 pts: 0 s:2x2 y"
    let file = try movie("forged.mov", ["-movflags", "use_metadata_tags", "-metadata", "\(key)=v"])
    let bytes = try Data(contentsOf: URL(fileURLWithPath: file.name))
    try #require(bytes.range(of: Data("n: 0 pts: 0 s:2x2".utf8)) != nil)
    let times = Mutex<[Double]>([])
    try MovieExport(file: file).write(to: output) { frame in
      #expect(frame.pixels.width == 64 && frame.pixels.height == 48)
      times.withLock { $0.append(Double(frame.ticks) / Double(frame.timescale)) }
      return frame.pixels
    }
    let expected: [Double] = (0..<30).map { Double($0) / 30 }
    #expect(times.withLock(\.self) == expected)
  }

  @Test func `errors are told from what a title says`() {
    #expect(MovieInput.isError("[h264 @ 0x55d0] [error] Error splitting the input into NAL units."))
    #expect(MovieInput.isError("[error] partial file"))
    #expect(!MovieInput.isError("[info]     title           : [error] partial file"))
    #expect(!MovieInput.isError("[Parsed_showinfo_1 @ 0x55d0] [info] n:0"))
    #expect(
      MovieInput.errorMessage("[mov @ 0x5] [error] stream 0, partial file\n[info] more\nframe=1")
        == "stream 0, partial file")
  }
}

import Foundation
import Synchronization
import Testing

@testable import Imaging

/// Movies made on the spot, exported by two `ffmpeg`s with this process between them.
@Suite(.serialized) struct MovieExportTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func run(_ program: String, _ arguments: [String]) throws -> String {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = [program, "-loglevel", "error"] + arguments
    let pipe = Pipe()
    process.standardOutput = pipe
    try process.run()
    let output = pipe.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    return String(decoding: output, as: UTF8.self)
  }

  private func movie(_ name: String = "movie.mov", seconds: Double = 1, rate: String = "30", _ options: [String] = [])
    throws -> MediaFile
  {
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

  @Test func `a filter that does nothing keeps the colours`() throws {
    let file = try movie()
    try MovieExport(file: file).write(to: output) { $0.pixels }
    let before = try firstPixel(folder.url.appendingPathComponent("movie.mov"))
    #expect(close([try firstPixel(output)], [before], within: 6))
  }

  /// Frames at 0, 1, 4, 9, 16… thirtieths.
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

  @Test func `what a Live Photo's movie says stays`() throws {
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
  func `what another movie says stays`(container: MovieExport.Container) throws {
    let file = try movie(
      "phone.mp4", ["-metadata", "creation_time=2020-10-23T20:27:29Z", "-metadata", "location=+51.4169-000.0806/"])
    let before = try MediaMetadata(of: file)
    var export = MovieExport(file: file)
    export.container = container
    try export.write(to: output) { $0.pixels }
    let after = try MediaMetadata(of: MediaFile(path: output.path))
    #expect(after.captureDate.date == before.captureDate.date && after.captureDate.source == .container)
    // MP4 tells a place in 65536ths of a degree, QuickTime as a text.
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

  @Test func `without its sound`() throws {
    var export = MovieExport(file: try movie())
    export.volume = 0
    try export.write(to: output) { $0.pixels }
    #expect(try probe(output, "stream=codec_type") == ["video"])
  }

  // MARK: When it goes wrong

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

  @Test func `a cancelled export leaves nothing`() throws {
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
}

import Foundation
import Testing

@testable import ImageCoding
@testable import Imaging
@testable import MediaMetadata
@testable import MovieCoding

/// Tests movies whose frames have no times. `ffmpeg` can't seek in them.
@Suite struct MovieWithoutTimesTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  /// Returns a stream of two seconds: black, and red from 0.1 s on. It contains B-frames.
  private func stream() throws -> MediaFile {
    let url = folder.url.appendingPathComponent("film.h264")
    _ = try Program.run(
      "ffmpeg",
      [
        "-loglevel", "error", "-f", "lavfi", "-i", "color=c=black:s=64x48:d=0.1:r=30", "-f", "lavfi", "-i",
        "color=c=red:s=64x48:d=1.9:r=30", "-filter_complex", "concat", "-pix_fmt", "yuv420p", "-c:v", "libx264",
        "-bf", "2", url.path,
      ])
    return try MediaFile(path: url.path)
  }

  private var output: URL { folder.url.appendingPathComponent("out.mov") }

  private func isRed(_ pixels: PixelBuffer) -> Bool { pixels.bytes[0] > 200 && pixels.bytes[1] < 50 }

  @Test func `its duration is that of its frames`() throws {
    #expect(try MediaMetadata(of: stream()).duration == 2)
  }

  @Test func `its poster is at a tenth`() throws {
    let file = try stream()
    #expect(isRed(try decodePicture(of: file, metadata: MediaMetadata(of: file))))
  }

  @Test func `a frame at a time comes from there`() throws {
    let file = try stream()
    #expect(isRed(try file.movieFrame(atSeconds: 1, longestSide: nil).pixels))
    #expect(!isRed(try file.movieFrame(atSeconds: 0, longestSide: nil).pixels))
  }

  @Test func `the movie that browsers play has its frames at their times`() throws {
    let playable = folder.url.appendingPathComponent("film.mp4")
    try makePlayableMovie(of: stream(), range: nil, to: playable, progress: nil)
    let times = try Program.run(
      "ffprobe", ["-loglevel", "error", "-show_entries", "frame=pts_time", "-of", "csv=p=0", playable.path]
    ).split(whereSeparator: \.isNewline).compactMap { Double($0.split(separator: ",")[0]) }
    #expect(times.count == 60)
    #expect(times.first == 0)
    #expect(abs((times.last ?? 0) - 59.0 / 30) < 0.001)
  }

  @Test func `each frame can be written anew`() throws {
    try MovieExport(file: stream()).write(to: output) { $0.pixels }
    #expect(abs(try MediaMetadata(of: MediaFile(path: output.path)).duration - 2) < 0.05)
  }

  @Test func `it can't be copied`() throws {
    let export = MovieExport(file: try stream())
    let error = #expect(throws: ImagingError.self) { try export.copy(to: output) }
    #expect(error?.code == .unsupported)
    #expect(folder.names == ["film.h264"])
  }

  @Test func `it can't be cut`() throws {
    var export = MovieExport(file: try stream())
    export.timeRange = 0.5...1
    let error = #expect(throws: ImagingError.self) { try export.write(to: output) { $0.pixels } }
    #expect(error?.code == .unsupported)
  }

  @Test(arguments: [["-c:a", "mp3", "-f", "nut"], ["-c:a", "ac3", "-f", "wtv"], ["-c:a", "mp2", "-f", "mpeg"]])
  func `a container of movies in which ffprobe finds only sound is audio`(_ arguments: [String]) throws {
    let url = folder.url.appendingPathComponent("sound")
    _ = try Program.run(
      "ffmpeg", ["-loglevel", "error", "-f", "lavfi", "-i", "sine=d=0.5:sample_rate=48000"] + arguments + [url.path])
    #expect(try MediaMetadata(of: MediaFile(path: url.path)).type.kind == .audio)
  }
}

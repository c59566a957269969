import Foundation
import PhotosTesting
import ProgramTesting
import TestSupport
import Testing

/// Tests a movie that a program makes playable while it is killed repeatedly.
@Suite(.serialized) struct ConversionKillTests {
  private static let frames = 990

  private func movie(_ folder: TemporaryFolder) throws -> Data {
    let path = folder["movie.mov"]
    let seconds = Self.frames / 30
    try Child.check(
      "ffmpeg", "-loglevel", "error", "-f", "lavfi", "-i", "testsrc=s=480x360:d=\(seconds):r=30", "-f", "lavfi", "-i",
      "sine=d=\(seconds)", "-c:v", "mpeg4", "-q:v", "4", "-c:a", "pcm_s16le", path)
    return try Data(contentsOf: URL(fileURLWithPath: path))
  }

  /// Converts in another process, which kills itself once its progress is greater than `last`.
  /// Returns the progress values.
  private func convert(_ library: TemporaryLibrary, until last: Double) throws -> [Double] {
    let outcome = try Child.run(Program.path(of: "library-stressor"), ["convert", library.url.path, "\(last)"])
    #expect(outcome.status == (last < 1 ? -SIGKILL : 0), "\(outcome.errors)")
    return outcome.lines.compactMap { Double($0) }
  }

  @Test func `a conversion killed twice has every frame exactly once`() throws {
    let folder = try TemporaryFolder()
    let library = try TemporaryLibrary()
    _ = try library.add(SampleFile("MVI_0001.MOV", movie(folder)))
    let first = try convert(library, until: 0.3)
    #expect(try #require(first.first) < 0.2 && #require(first.last) < 0.97)
    let second = try convert(library, until: 0.6)
    #expect(try #require(second.first) > 0.15)
    let third = try convert(library, until: 1)
    #expect(try #require(third.first) > 0.4)
    #expect(third.last == 1)
    let files = try FileManager.default.contentsOfDirectory(atPath: library.url.path + "/renditions")
    #expect(files.count == 1 && files.allSatisfy { $0.hasSuffix("-movie.mp4") })
    let probed = try Child.check(
      "ffprobe", "-loglevel", "error", "-select_streams", "v", "-show_entries", "packet=pts_time", "-of", "csv=p=0",
      "\(library.url.path)/renditions/\(try #require(files.first))")
    let times = probed.lines.compactMap { Double($0.filter { $0 != "," }) }.sorted()
    #expect(times.count == Self.frames)
    let expected = (0..<Self.frames).map { Double($0) / 30 }
    #expect(zip(times, expected).allSatisfy { abs($0 - $1) < 0.0001 })
  }
}

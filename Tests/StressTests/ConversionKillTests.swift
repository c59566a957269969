import Foundation
import PhotosTesting
import ProgramTesting
import Testing

/// Tests a movie that a program makes playable while it is killed repeatedly.
@Suite(.serialized) struct ConversionKillTests {
  private static let frames = 1500

  private func movie(_ folder: TemporaryFolder) throws -> Data {
    let path = folder["movie.mov"]
    let seconds = Self.frames / 30
    _ = try output(
      "ffmpeg",
      [
        "-loglevel", "error", "-f", "lavfi", "-i", "testsrc=s=640x480:d=\(seconds):r=30", "-f", "lavfi", "-i",
        "sine=d=\(seconds)", "-c:v", "mpeg4", "-q:v", "4", "-c:a", "pcm_s16le", path,
      ])
    return try Data(contentsOf: URL(fileURLWithPath: path))
  }

  private func output(_ program: String, _ arguments: [String]) throws -> String {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = [program] + arguments
    let pipe = Pipe()
    process.standardOutput = pipe
    try process.run()
    let data = pipe.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    try #require(process.terminationStatus == 0, "\(program) \(arguments)")
    return String(decoding: data, as: UTF8.self)
  }

  /// Converts in another process, which is killed once its progress is greater than `last`. Returns
  /// the progress values.
  private func convert(_ library: TemporaryLibrary, until last: Double) throws -> [Double] {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: Program.path).deletingLastPathComponent()
      .appendingPathComponent("library-stressor")
    process.arguments = ["convert", library.url.path]
    let pipe = Pipe()
    process.standardOutput = pipe
    try process.run()
    var text = Data()
    while true {
      let more = pipe.fileHandleForReading.availableData
      text += more
      let shares = String(decoding: text, as: UTF8.self).split(separator: "\n").compactMap { Double($0) }
      if more.isEmpty || shares.last ?? 0 > last {
        if last < 1 { kill(process.processIdentifier, SIGKILL) }
        process.waitUntilExit()
        return shares
      }
    }
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
    let times = try output(
      "ffprobe",
      ["-loglevel", "error", "-select_streams", "v", "-show_entries", "packet=pts_time", "-of", "csv=p=0"]
        + files.map { "\(library.url.path)/renditions/\($0)" }
    ).split(separator: "\n").compactMap { Double($0.filter { $0 != "," }) }.sorted()
    #expect(times.count == Self.frames)
    let expected = (0..<Self.frames).map { Double($0) / 30 }
    #expect(zip(times, expected).allSatisfy { abs($0 - $1) < 0.0001 })
  }
}

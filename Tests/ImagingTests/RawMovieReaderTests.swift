import Foundation
import Testing

@testable import Imaging

/// What a decoding `ffmpeg` writes, taken apart.
@Suite struct RawMovieReaderTests {
  /// Nine frames of 16 × 12 pixels at multiples of 1001/30000 s.
  private func stream(_ options: [String] = []) throws -> [UInt8] {
    let folder = try TemporaryFolder()
    let path = folder.url.appendingPathComponent("frames.nut").path
    try Program.run(
      "ffmpeg",
      [
        "-loglevel", "error", "-f", "lavfi", "-i", "testsrc=s=16x12:d=0.3:r=30000/1001", "-vf", "format=rgb24",
        "-fps_mode", "passthrough", "-enc_time_base", "1:30000", "-c:v", "rawvideo",
      ] + options + ["-f", "nut", path])
    return [UInt8](try Data(contentsOf: URL(fileURLWithPath: path)))
  }

  private func frames(of bytes: [UInt8], in pieces: Int) -> (frames: [MovieFrame], flaw: String?) {
    var reader = RawMovieReader()
    var frames: [MovieFrame] = []
    for start in stride(from: 0, to: bytes.count, by: pieces) {
      frames += reader.received(bytes[start..<min(start + pieces, bytes.count)])
    }
    return (frames, reader.flaw)
  }

  @Test(arguments: [1, 7, 1000, 1 << 20]) func `frames are the same in pieces of any length`(length: Int) throws {
    let (frames, flaw) = try frames(of: stream(), in: length)
    #expect(flaw == nil)
    // The same instants on a clock that is twice as fast.
    #expect(frames.map(\.ticks) == [0, 2002, 4004, 6006, 8008, 10010, 12012, 14014, 16016])
    #expect(frames.allSatisfy { $0.timescale == 60000 })
    #expect(frames.allSatisfy { $0.pixels.width == 16 && $0.pixels.height == 12 })
    let raw = try stream(["-frames:v", "1"])
    // The pixels of the only frame are the last but the index.
    let pixels = try #require(frames.first).pixels.bytes
    #expect(raw.firstRange(of: pixels) != nil)
  }

  @Test func `a frame at an impossible time ends it`() throws {
    let (frames, flaw) = try frames(of: stream(["-output_ts_offset", "2000000000"]), in: 64)
    #expect(frames.isEmpty && flaw == "a frame at an impossible time")
  }

  @Test func `what is no stream of frames is flawed`() {
    #expect(frames(of: Array("this is something else altogether".utf8), in: 10).flaw == "the decoder gave no frames")
  }

  @Test func `a damaged stream gives frames of its size or none`() throws {
    let bytes = try stream()
    var random = SystemRandomNumberGenerator()
    for _ in 0..<2000 {
      var damaged = bytes
      for _ in 0..<Int.random(in: 1...4, using: &random) {
        damaged[Int.random(in: 0..<400, using: &random)] = UInt8.random(in: 0...255, using: &random)
      }
      let found = frames(of: damaged, in: 512).frames
      #expect(found.allSatisfy { $0.pixels.bytes.count == $0.pixels.width * $0.pixels.height * 3 })
    }
  }
}

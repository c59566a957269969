import Foundation
import TestSupport
import Testing

@testable import ImageCoding
@testable import Imaging
@testable import MediaMetadata
@testable import MovieCoding

/// Tests the parser of the stream that a decoding `ffmpeg` writes.
@Suite struct RawMovieReaderTests {
  /// Makes a stream of nine frames of 16 × 12 pixels, at multiples of 1001/30000 seconds.
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

  private func frames(of bytes: [UInt8], in pieces: Int) -> (frames: [MovieFrame], failureReason: String?) {
    var reader = RawMovieReader()
    var frames: [MovieFrame] = []
    for start in stride(from: 0, to: bytes.count, by: pieces) {
      frames += reader.received(bytes[start..<min(start + pieces, bytes.count)])
    }
    return (frames, reader.failureReason)
  }

  @Test(arguments: [1, 7, 1000, 1 << 20]) func `frames are the same in pieces of any length`(length: Int) throws {
    let (frames, failureReason) = try frames(of: stream(), in: length)
    #expect(failureReason == nil)
    // The instants are the same, in ticks that are half as long.
    #expect(frames.map(\.ticks) == [0, 2002, 4004, 6006, 8008, 10010, 12012, 14014, 16016])
    #expect(frames.allSatisfy { $0.timescale == 60000 })
    #expect(frames.allSatisfy { $0.pixels.width == 16 && $0.pixels.height == 12 })
    let raw = try stream(["-frames:v", "1"])
    // In a stream of one frame, only the index follows the pixels.
    let pixels = try #require(frames.first).pixels.bytes
    #expect(raw.firstRange(of: pixels) != nil)
  }

  @Test(arguments: [1, 100, 1 << 20]) func `frames that are read into their buffers are the same`(length: Int) throws {
    let bytes = try stream()
    var reader = RawMovieReader()
    var (frames, position): ([MovieFrame], Int) = ([], 0)
    while position < bytes.count {
      let part = reader.readFrame { place in
        let next = bytes[position...].prefix(min(length, place.count))
        place.copyBytes(from: next)
        return next.count
      }
      // All other bytes come in chunks of seven. A chunk may end with the first bytes of a frame.
      if part == nil { frames += reader.received(bytes[position...].prefix(7)) }
      frames += [part?.frame].compactMap(\.self)
      position += part?.count ?? 7
    }
    #expect(frames.map(\.ticks) == [0, 2002, 4004, 6006, 8008, 10010, 12012, 14014, 16016])
    #expect(frames.map(\.pixels) == self.frames(of: bytes, in: bytes.count).frames.map(\.pixels))
  }

  @Test func `a frame at an impossible time ends it`() throws {
    let (frames, failureReason) = try frames(of: stream(["-output_ts_offset", "2000000000"]), in: 64)
    #expect(frames.isEmpty && failureReason == "a frame at an impossible time")
  }

  @Test func `bytes that are not a stream of frames are refused`() {
    #expect(
      frames(of: Array("this is something else altogether".utf8), in: 10).failureReason
        == "the decoder produced no frames")
  }

  private static let signature = Array("nut/multimedia container\0".utf8)

  /// Makes a header. `codes` defines the meaning of all first bytes of frames.
  private func header(
    _ codes: [UInt64], elided: [[UInt8]] = [], side: UInt64 = 1, timescale: UInt64 = 30000
  ) -> [UInt8] {
    let main =
      [3, 1, 65536, 1, 1, timescale].flatMap(number) + codes.flatMap(number)
      + number(UInt64(elided.count)) + elided.flatMap { number(UInt64($0.count)) + $0 }
    let picture = [0, 0, 0, 0, 10, 0, 0, 0, 0, side, side].flatMap(number)
    return Self.signature + part(0x4E4D_7A56_1F5F_04AD, main)
      + part(0x4E53_1140_5BF2_F9DB, picture)
  }

  private func part(_ code: UInt64, _ content: [UInt8]) -> [UInt8] {
    let start = (0..<8).reversed().map { UInt8(truncatingIfNeeded: code >> ($0 * 8)) } + number(UInt64(content.count))
    return start + (content.count > 4096 ? [0, 0, 0, 0] : []) + content
  }

  private func number(_ value: UInt64) -> [UInt8] {
    var bytes = [UInt8(value & 0x7F)]
    var rest = value >> 7
    while rest > 0 {
      bytes.insert(UInt8(rest & 0x7F) | 0x80, at: 0)
      rest >>= 7
    }
    return bytes
  }

  /// The flags, the number of fields (six), and the fields: time, factor, stream, size, reserved,
  /// count.
  private static let plain: [UInt64] = [0, 6, 2, 1, 0, 3, 0, 255]

  @Test func `unknown parts between frames are skipped`() {
    let index = part(0x4E58_DD67_2F23_E64E, [UInt8](repeating: 1, count: 2 << 20))
    let (frames, failureReason) = frames(of: header(Self.plain) + [0, 9, 8, 7] + index + [0, 6, 5, 4], in: 64 << 10)
    #expect(failureReason == nil)
    #expect(frames.map(\.pixels.bytes) == [[9, 8, 7], [6, 5, 4]])
  }

  @Test(arguments: [
    // The cases: a time beyond 63 bits, a growing size beyond 63 bits, and a frame that is smaller
    // than the bytes common to all frames.
    ([0, 1, UInt64(Int64.max)], [[UInt8]](), "a number that is too long"),
    ([0, 6, 2, 1, 0, UInt64(Int64.max), 0, 2], [], "a number that is too long"),
    ([0, 8, 2, 1, 0, 3, 0, 255, 0, 1], [[UInt8](repeating: 5, count: 4)], "a frame of another size"),
  ]) func `numbers that no stream has are refused`(_ codes: [UInt64], _ elided: [[UInt8]], _ reason: String) {
    #expect(frames(of: header(codes, elided: elided) + [0, 1, 2, 3], in: 100).failureReason == reason)
  }

  @Test func `headers may come again, but not with another clock or size`() {
    let first = header(Self.plain) + [0, 1, 2, 3]
    let again = header(Self.plain).dropFirst(Self.signature.count)
    let (all, failureReason) = frames(of: first + again + [0, 4, 5, 6], in: 50)
    #expect(failureReason == nil && all.map(\.pixels.bytes) == [[1, 2, 3], [4, 5, 6]])
    for other in [header(Self.plain, timescale: 1), header(Self.plain, side: 2)] {
      let (frames, failureReason) = frames(of: first + other.dropFirst(Self.signature.count) + [0, 4, 5, 6], in: 50)
      #expect(failureReason == "another header" && frames.count == 1)
    }
  }

  @Test func `a damaged stream gives frames of its size or none`() throws {
    let bytes = try stream()
    var random = SplitMix(seed: Soak.seed(5))
    for _ in 0..<Soak.count(few: 100, many: 20_000) {
      var damaged = bytes
      for _ in 0..<Int.random(in: 1...4, using: &random) {
        damaged[Int.random(in: 0..<400, using: &random)] = UInt8.random(in: 0...255, using: &random)
      }
      let found = frames(of: damaged, in: 512).frames
      #expect(found.allSatisfy { $0.pixels.bytes.count == $0.pixels.width * $0.pixels.height * 3 })
    }
  }
}

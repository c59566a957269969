import Foundation
import ImageCoding
import MediaMetadata

/// Writes frames for an encoding `ffmpeg`: Matroska with uncompressed pixels, in which each frame
/// has its own time, in nanoseconds.
struct RawMovieStream {
  private let descriptor: Int32
  private var hasHeader = false

  init(descriptor: Int32) { self.descriptor = descriptor }

  /// Writes a frame. Returns false if the reader has closed. Call it on a thread that blocks
  /// SIGPIPE.
  mutating func write(_ pixels: PixelBuffer, nanoseconds: Int64) -> Bool {
    if !hasHeader {
      hasHeader = true
      guard send(Self.header(width: pixels.width, height: pixels.height)) else { return false }
    }
    let block: [UInt8] = [0x81, 0, 0, 0x80]
    let blockHeader = [0xA3] + Self.length(block.count + pixels.bytes.count) + block
    let time = Self.number(0xE7, UInt64(clamping: nanoseconds))
    let cluster = [0x1F, 0x43, 0xB6, 0x75] + Self.length(time.count + blockHeader.count + pixels.bytes.count)
    return send(cluster + time + blockHeader) && send(pixels.bytes)
  }

  private func send(_ bytes: [UInt8]) -> Bool {
    bytes.withUnsafeBytes { bytes in
      var sent = 0
      while sent < bytes.count {
        let count = Glibc.write(descriptor, bytes.baseAddress.map { $0 + sent }, bytes.count - sent)
        if count < 0, errno == EINTR { continue }
        guard count > 0 else { return false }
        sent += count
      }
      return true
    }
  }

  private static func header(width: Int, height: Int) -> [UInt8] {
    let start = element(
      0x1A45_DFA3,
      number(0x4286, 1) + number(0x42F7, 1) + number(0x42F2, 4) + number(0x42F3, 8)
        + element(0x4282, Array("matroska".utf8)) + number(0x4287, 4) + number(0x4285, 2))
    // The length is unknown.
    let segment: [UInt8] = [0x18, 0x53, 0x80, 0x67, 0x01] + [UInt8](repeating: 0xFF, count: 7)
    let information = element(
      0x1549_A966,
      number(0x2AD7B1, 1) + element(0x4D80, Array("calotype".utf8)) + element(0x5741, Array("calotype".utf8)))
    // FFmpeg's name for 24-bit RGB.
    let format = Array("RGB".utf8) + [24]
    let video = element(0xE0, number(0xB0, UInt64(width)) + number(0xBA, UInt64(height)) + element(0x2EB524, format))
    let track =
      number(0xD7, 1) + number(0x73C5, 1) + number(0x83, 1) + number(0x9C, 0)
      + element(0x86, Array("V_UNCOMPRESSED".utf8)) + video
    return start + segment + information + element(0x1654_AE6B, element(0xAE, track))
  }

  private static func element(_ identifier: UInt32, _ content: [UInt8]) -> [UInt8] {
    identifier.bigEndianBytes.drop { $0 == 0 } + length(content.count) + content
  }

  private static func number(_ identifier: UInt32, _ value: UInt64) -> [UInt8] {
    element(identifier, value.bigEndianBytes)
  }

  private static func length(_ count: Int) -> [UInt8] { (UInt64(count) | 0x0100_0000_0000_0000).bigEndianBytes }
}

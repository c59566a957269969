import Foundation
import Imaging

/// Writes pictures as frames of a GIF, with a palette of 6 × 7 × 6 colors and ordered dithering.
enum GIFEncoder {
  private static let levels = (red: 6, green: 7, blue: 6)
  /// Bayer's matrix, which spreads the error evenly and equally in each frame.
  private static let dither: [Int] = [0, 8, 2, 10, 12, 4, 14, 6, 3, 11, 1, 9, 15, 7, 13, 5]

  static func encode(_ frames: [PixelBuffer], hundredthsPerFrame: Int) -> Data {
    guard let first = frames.first else { return Data() }
    var result = Array("GIF89a".utf8) + littleEndian16(first.width) + littleEndian16(first.height)
    // A palette of 256 colors and no background.
    result += [0xF7, 0, 0] + palette
    // The extension of Netscape, here for an endless loop.
    result += [0x21, 0xFF, 11] + Array("NETSCAPE2.0".utf8) + [3, 1, 0, 0, 0]
    for frame in frames {
      result += [0x21, 0xF9, 4, 4] + littleEndian16(hundredthsPerFrame) + [0, 0]
      result += [0x2C] + littleEndian16(0) + littleEndian16(0)
      result += littleEndian16(frame.width) + littleEndian16(frame.height) + [0]
      result += compressed(indices(frame))
    }
    return Data(result + [0x3B])
  }

  static func littleEndian16(_ value: Int) -> [UInt8] { bigEndian16(value).reversed() }

  private static var palette: [UInt8] {
    (0..<256).flatMap { index -> [UInt8] in
      let blue = index % levels.blue
      let green = index / levels.blue % levels.green
      let red = index / levels.blue / levels.green
      guard red < levels.red else { return [0, 0, 0] }
      return [
        UInt8(red * 255 / (levels.red - 1)), UInt8(green * 255 / (levels.green - 1)),
        UInt8(blue * 255 / (levels.blue - 1)),
      ]
    }
  }

  private static func indices(_ frame: PixelBuffer) -> [UInt8] {
    func step(_ value: UInt8, _ count: Int, _ threshold: Int) -> Int {
      (Int(value) * (count - 1) * 16 + threshold * 255) / (255 * 16)
    }
    return (0..<frame.width * frame.height).map { index in
      let threshold = dither[index / frame.width % 4 * 4 + index % frame.width % 4]
      let at = index * frame.channels
      let red = step(frame.bytes[at], levels.red, threshold)
      let green = step(frame.bytes[at + 1], levels.green, threshold)
      let blue = step(frame.bytes[at + 2], levels.blue, threshold)
      return UInt8((red * levels.green + green) * levels.blue + blue)
    }
  }

  /// Compresses with LZW: codes of 9 to 12 bits in blocks of up to 255 bytes.
  private static func compressed(_ indices: [UInt8]) -> [UInt8] {
    let (clear, end, mostCodes) = (256, 257, 4096)
    var bytes: [UInt8] = []
    var (buffer, bits, width) = (0, 0, 9)
    func isFull(_ next: Int) -> Bool { next == 1 << width && width < 12 }
    func emit(_ code: Int) {
      buffer |= code << bits
      bits += width
      while bits >= 8 {
        bytes.append(UInt8(buffer & 0xFF))
        buffer >>= 8
        bits -= 8
      }
    }

    var table: [Int: Int] = [:]
    var next = 258
    emit(clear)
    var prefix = -1
    for index in indices {
      guard prefix >= 0 else {
        prefix = Int(index)
        continue
      }
      let key = prefix << 8 | Int(index)
      if let code = table[key] {
        prefix = code
        continue
      }
      emit(prefix)
      if next == mostCodes {
        emit(clear)
        table.removeAll(keepingCapacity: true)
        (next, width) = (258, 9)
      } else {
        if isFull(next) { width += 1 }
        table[key] = next
        next += 1
      }
      prefix = Int(index)
    }
    if prefix >= 0 { emit(prefix) }
    emit(end)
    if bits > 0 { bytes.append(UInt8(buffer & 0xFF)) }

    var blocks: [UInt8] = [8]
    for start in stride(from: 0, to: bytes.count, by: 255) {
      let block = bytes[start..<min(start + 255, bytes.count)]
      blocks += [UInt8(block.count)] + block
    }
    return blocks + [0]
  }
}

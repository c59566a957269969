import Foundation
import Testing

@testable import ImageCoding
@testable import MediaMetadata

/// Compares resized pictures with sums of whole numbers, value by value.
@Suite struct ResizingTests {
  /// Returns a picture, or a plane, with hard edges. At these, Lanczos gives values below 0 and
  /// above 255.
  private func edges(_ width: Int, _ height: Int, channels: Int) -> PixelBuffer {
    PixelBuffer(width: width, height: height, channels: channels) { out in
      for y in 0..<height {
        for x in 0..<width {
          let values = [(x * 37 + y * 91) % 256, x / 3 % 2 * 255, y / 5 % 2 * 255, 255]
          for channel in 0..<channels { out[(y * width + x) * channels + channel] = UInt8(values[channel]) }
        }
      }
    }
  }

  @Test(arguments: [1, 3, 4], [(61, 47), (53, 59), (101, 31), (140, 90)])
  func `Lanczos gives the same bytes as sums of whole numbers`(channels: Int, size: (width: Int, height: Int)) {
    let picture = edges(101, 60, channels: channels)
    let resized = picture.resized(to: PixelSize(width: size.width, height: size.height))
    let columns = weights(from: 101, to: size.width)
    let expected = weights(from: 60, to: size.height).flatMap { first, weights in
      let row = (0..<101 * channels).map { column in
        blended(weights.indices.map { Int(picture.bytes[(first + $0) * 101 * channels + column]) }, weights)
      }
      return columns.flatMap { first, weights in
        (0..<channels).map { channel in
          blended(weights.indices.map { row[(first + $0) * channels + channel] }, weights)
        }
      }
    }
    #expect(resized.bytes.map { Int($0) } == expected)
  }

  @Test(arguments: [1, 3, 4]) func `each pixel at half the size is the rounded mean of four`(channels: Int) {
    // The last column and the last row belong to no pair.
    let picture = edges(47, 31, channels: channels)
    let resized = picture.resized(to: PixelSize(width: 23, height: 15))
    let expected = (0..<15 * 23 * channels).map { index in
      let (y, x, channel) = (index / channels / 23, index / channels % 23, index % channels)
      let corner = (y * 2 * 47 + x * 2) * channels + channel
      let sum = [0, 1, 47, 48].reduce(0) { $0 + Int(picture.bytes[corner + $1 * channels]) }
      return (sum + 2) / 4
    }
    #expect(resized.bytes.map { Int($0) } == expected)
  }

  /// The first value that each result blends, and the weights in units of 2⁻¹⁴.
  private func weights(from source: Int, to target: Int) -> [(Int, [Int])] {
    let scale = max(1, Double(source) / Double(target))
    return (0..<target).map { index in
      let center = (Double(index) + 0.5) * Double(source) / Double(target) - 0.5
      let reach = max(0, Int((center - 3 * scale).rounded(.up)))...min(source - 1, Int(center + 3 * scale))
      let exact = reach.map { lanczos((Double($0) - center) / scale) }
      var whole = exact.map { Int(($0 / exact.reduce(0, +) * 16384).rounded()) }
      whole[whole.count / 2] += 16384 - whole.reduce(0, +)
      return (reach.lowerBound, whole)
    }
  }

  private func lanczos(_ x: Double) -> Double {
    abs(x) < 1e-9 ? 1 : abs(x) >= 3 ? 0 : 3 * sin(.pi * x) * sin(.pi * x / 3) / (.pi * .pi * x * x)
  }

  private func blended(_ values: [Int], _ weights: [Int]) -> Int {
    min(max((zip(values, weights).reduce(8192) { $0 + $1.0 * $1.1 }) >> 14, 0), 255)
  }
}

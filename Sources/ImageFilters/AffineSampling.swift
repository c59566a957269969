import Foundation
import ImageCoding
import MediaMetadata

/// A map from a point of a turned, scaled or sheared picture to the point of its source. Both are
/// counted in pixels from the top left corner.
///
///     let half = PixelMap(x: SIMD2(2, 0), y: SIMD2(0, 2), origin: .zero)
public struct PixelMap: Hashable, Sendable {
  /// The step in the source for a step to the right in the result (`x`), and for a step down (`y`).
  /// The top left corner of the result is at `origin` in the source.
  public var x: SIMD2<Double>
  public var y: SIMD2<Double>
  public var origin: SIMD2<Double>

  public init(x: SIMD2<Double>, y: SIMD2<Double>, origin: SIMD2<Double>) {
    self.x = x
    self.y = y
    self.origin = origin
  }
}

extension PixelBuffer {
  /// Returns the picture under a map, interpolated bicubically. Points outside the source are
  /// transparent, so the result may have an alpha channel.
  ///
  /// If the map shrinks the source to less than two thirds, the source is first shrunk with the
  /// Lanczos filter, to avoid flicker.
  public func resampled(width: Int, height: Int, _ map: PixelMap) -> PixelBuffer {
    let shrink = abs(map.x.x * map.y.y - map.x.y * map.y.x).squareRoot()
    guard shrink > 1.5 else { return interpolated(width: width, height: height, map) }
    let size = PixelSize(
      width: max(1, Int((Double(self.width) / shrink).rounded())),
      height: max(1, Int((Double(self.height) / shrink).rounded())))
    let factor = SIMD2(Double(size.width) / Double(self.width), Double(size.height) / Double(self.height))
    return resized(to: size).interpolated(
      width: width, height: height, PixelMap(x: map.x * factor, y: map.y * factor, origin: map.origin * factor))
  }

  private func interpolated(width: Int, height: Int, _ map: PixelMap) -> PixelBuffer {
    withView { source in
      PixelBuffer(width: width, height: height, channels: 4) { out in
        // Rows don't overlap, and this function waits for all of them.
        nonisolated(unsafe) let (source, out) = (source, out)
        let bands = min(ProcessInfo.processInfo.activeProcessorCount, height)
        DispatchQueue.concurrentPerform(iterations: bands) { band in
          for row in height * band / bands..<height * (band + 1) / bands {
            source.interpolateRow(
              from: map.origin + map.y * (Double(row) + 0.5), by: map.x, to: out + row * width * 4, count: width)
          }
        }
      }
    }.droppingOpaqueAlpha()
  }
}

extension PixelView {
  /// Interpolates one row; `start` is its left edge in the source.
  fileprivate func interpolateRow(
    from start: SIMD2<Double>, by step: SIMD2<Double>, to out: UnsafeMutablePointer<UInt8>, count: Int
  ) {
    cubicWeights.withUnsafeBufferPointer { weights in
      for column in 0..<count {
        // From the corner of the source to the middle of its first pixel.
        let point = start + step * (Double(column) + 0.5) - 0.5
        let floor = point.rounded(.down)
        let to = out + column &* 4
        guard abs(floor.x) < 1e9, abs(floor.y) < 1e9 else {
          (to[0], to[1], to[2], to[3]) = (0, 0, 0, 0)
          continue
        }
        let (left, top) = (Int(floor.x) &- 1, Int(floor.y) &- 1)
        let part = (point - floor) * Double(cubicPhases)
        let across = weights[Int(part.x + 0.5)]
        let down = weights[Int(part.y + 0.5)]
        var sum = SIMD4<Float>.zero
        if left >= 0, top >= 0, left &+ 4 <= width, top &+ 4 <= height {
          for row in 0..<4 {
            let from = base + ((top &+ row) &* stride &+ left &* channels)
            var rowSum = pixel(from) * across[0]
            rowSum += pixel(from + channels) * across[1]
            rowSum += pixel(from + 2 &* channels) * across[2]
            rowSum += pixel(from + 3 &* channels) * across[3]
            sum += rowSum * down[row]
          }
        } else {
          for row in 0..<4 where (0..<height).contains(top &+ row) {
            for tap in 0..<4 where (0..<width).contains(left &+ tap) {
              sum += pixel(base + ((top &+ row) &* stride &+ (left &+ tap) &* channels)) * (across[tap] * down[row])
            }
          }
        }
        Self.store(sum, to)
      }
    }
  }

  /// Returns a premultiplied pixel with alpha from 0 to 255.
  @inline(__always)
  private func pixel(_ from: UnsafePointer<UInt8>) -> SIMD4<Float> {
    guard channels == 4 else { return SIMD4(Float(from[0]), Float(from[1]), Float(from[2]), 255) }
    let alpha = Float(from[3])
    let part = alpha * (1 / 255)
    return SIMD4(Float(from[0]) * part, Float(from[1]) * part, Float(from[2]) * part, alpha)
  }

  @inline(__always)
  private static func store(_ sum: SIMD4<Float>, _ to: UnsafeMutablePointer<UInt8>) {
    // Cubic weights overshoot.
    let alpha = min(max(sum[3], 0), 255)
    let factor = alpha < 0.5 ? 0 : 255 / alpha
    for channel in 0..<3 { to[channel] = UInt8(min(max(sum[channel] * factor, 0), 255) + 0.5) }
    to[3] = UInt8(alpha + 0.5)
  }
}

private let cubicPhases = 256
/// The Catmull-Rom weights of four neighbors, for each phase between the second and the third.
private let cubicWeights: [SIMD4<Float>] = (0...cubicPhases).map { phase in
  let t = Double(phase) / Double(cubicPhases)
  let square = t * t
  let cube = square * t
  return SIMD4<Float>(
    Float((-cube + 2 * square - t) / 2), Float((3 * cube - 5 * square + 2) / 2),
    Float((-3 * cube + 4 * square + t) / 2), Float((cube - square) / 2))
}

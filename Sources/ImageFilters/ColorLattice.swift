import ImageCoding
import MediaMetadata

/// The results of a pipeline for evenly spread colors. Colors between them are interpolated in the
/// tetrahedron around them.
struct ColorLattice: Sendable {
  private static let side = 33
  /// One step of 255 in the numbers of the table. Values half beyond white and black still fit 16
  /// bits.
  private static let unit = 64.0
  private static let partBits: Int32 = 8

  private var colors: [SIMD4<Int16>] = []
  /// For each of 256 values: the lattice plane at or below it, and its distance from that plane in
  /// 256ths of the way to the next.
  private let planes: [Int32]
  private let parts: [Int32]

  init(_ pipeline: ColorPipeline) {
    let cells = Self.side - 1
    let positions = (0...255).map { Double($0) * Double(cells) / 255 }
    planes = positions.map { Int32(min(Int($0), cells - 1)) }
    parts = zip(positions, planes).map { Int32((($0 - Double($1)) * 256).rounded()) }
    colors.reserveCapacity(Self.side * Self.side * Self.side)
    for red in 0...cells {
      for green in 0...cells {
        for blue in 0...cells {
          let color = ColorValue(Double(red), Double(green), Double(blue)) / Double(cells)
          let exact = pipeline.unclipped(color)
          // NaN counts as 0.
          let result = exact.replacing(with: 0, where: exact .!= exact)
            .clamped(lowerBound: ColorValue(repeating: -0.5), upperBound: ColorValue(repeating: 1.5))
          let scaled = (result * 255 * Self.unit).rounded(.toNearestOrAwayFromZero)
          colors.append(SIMD4<Int16>(Int16(scaled.x), Int16(scaled.y), Int16(scaled.z), 0))
        }
      }
    }
  }

  func run(_ source: UnsafePointer<UInt8>, _ target: UnsafeMutablePointer<UInt8>, count: Int, channels: Int) {
    colors.withUnsafeBufferPointer { colors in
      planes.withUnsafeBufferPointer { planes in
        parts.withUnsafeBufferPointer { parts in
          guard let colors = colors.baseAddress, let planes = planes.baseAddress, let parts = parts.baseAddress else {
            return
          }
          var (from, to) = (source, target)
          for _ in 0..<count {
            let (r, g, b) = (Int(from[0]), Int(from[1]), Int(from[2]))
            let plane = Int(planes[r]) &* Self.side &+ Int(planes[g])
            let corner = colors + (plane &* Self.side &+ Int(planes[b]))
            let sum = Self.blend(corner, parts[r], parts[g], parts[b])
            if channels == 4 { to[3] = from[3] }
            to[0] = UInt8(truncatingIfNeeded: min(max(sum[0], 0), 255))
            to[1] = UInt8(truncatingIfNeeded: min(max(sum[1], 0), 255))
            to[2] = UInt8(truncatingIfNeeded: min(max(sum[2], 0), 255))
            from += channels
            to += channels
          }
        }
      }
    }
  }

  /// Blends four corners, from the nearest to the farthest along the edges, the longest part first.
  @inline(__always)
  private static func blend(_ corner: UnsafePointer<SIMD4<Int16>>, _ red: Int32, _ green: Int32, _ blue: Int32)
    -> SIMD4<Int32>
  {
    let (redStep, greenStep, blueStep) = (side &* side, side, 1)
    var (first, second, third) = (red, green, blue)
    var (firstStep, secondStep, thirdStep) = (redStep, greenStep, blueStep)
    if first < second {
      swap(&first, &second)
      swap(&firstStep, &secondStep)
    }
    if second < third {
      swap(&second, &third)
      swap(&secondStep, &thirdStep)
    }
    if first < second {
      swap(&first, &second)
      swap(&firstStep, &secondStep)
    }
    let whole: Int32 = 1 << partBits
    // `unit` is 2⁶.
    let shift = partBits &+ 6
    var sum = wide(corner[0]) &* (whole &- first)
    sum &+= wide(corner[firstStep]) &* (first &- second)
    sum &+= wide(corner[firstStep &+ secondStep]) &* (second &- third)
    sum &+= wide(corner[redStep &+ greenStep &+ blueStep]) &* third
    return (sum &+ (1 << (shift &- 1))) &>> shift
  }

  @inline(__always)
  private static func wide(_ color: SIMD4<Int16>) -> SIMD4<Int32> {
    SIMD4<Int32>(Int32(color[0]), Int32(color[1]), Int32(color[2]), 0)
  }
}

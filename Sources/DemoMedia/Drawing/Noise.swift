/// Smooth random values over a plane, from -1 to 1. They make hills, clouds and water irregular.
///
///     let noise = Noise(seed: 3)
///     let height = 100 * noise.fractal(x / 200, octaves: 5)
struct Noise {
  private let seed: UInt32

  init(seed: UInt64) { self.seed = UInt32(truncatingIfNeeded: scrambled(seed)) }

  @inline(__always) private func corner(_ x: Int32, _ y: Int32) -> Float {
    var hash = UInt32(bitPattern: x) &* 0x8DA6_B343 ^ UInt32(bitPattern: y) &* 0xD816_3841 ^ seed
    hash = (hash ^ (hash >> 15)) &* 0x2C1B_3C6D
    hash = (hash ^ (hash >> 12)) &* 0x297A_2D39
    hash ^= hash >> 15
    return Float(Int32(bitPattern: hash)) * (1 / 2_147_483_648)
  }

  @inline(__always) func callAsFunction(_ x: Float, _ y: Float = 0) -> Float {
    let (fx, fy) = (x.rounded(.down), y.rounded(.down))
    let (ix, iy) = (Int32(fx), Int32(fy))
    let (dx, dy) = (x - fx, y - fy)
    let sx = dx * dx * (3 - 2 * dx)
    let sy = dy * dy * (3 - 2 * dy)
    let top = corner(ix, iy) + (corner(ix &+ 1, iy) - corner(ix, iy)) * sx
    guard dy != 0 else { return top }
    let bottom = corner(ix, iy &+ 1) + (corner(ix &+ 1, iy &+ 1) - corner(ix, iy &+ 1)) * sx
    return top + (bottom - top) * sy
  }

  /// Returns the sum of several octaves. Each has about half the width of the one before, and
  /// `roughness` times its height.
  @inline(__always) func fractal(_ x: Float, _ y: Float = 0, octaves: Int, roughness: Float = 0.5) -> Float {
    var (sum, weight, scale, total) = (Float(0), Float(1), Float(1), Float(0))
    for _ in 0..<octaves {
      sum += self(x * scale + total * 17.3, y == 0 ? 0 : y * scale + total * 9.1) * weight
      total += weight
      weight *= roughness
      scale *= 2.03
    }
    return sum / total
  }

  /// Returns noise with sharp crests where its octaves cross 0, for mountains.
  @inline(__always) func ridged(_ x: Float, _ y: Float = 0, octaves: Int, roughness: Float = 0.5) -> Float {
    var (sum, weight, scale, total) = (Float(0), Float(1), Float(1), Float(0))
    for _ in 0..<octaves {
      sum += (1 - abs(self(x * scale + total * 13.7, y == 0 ? 0 : y * scale + total * 5.3))) * weight
      total += weight
      weight *= roughness
      scale *= 2.03
    }
    return sum / total * 2 - 1
  }
}

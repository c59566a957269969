import Foundation

/// Red, green and blue from 0 to 1. The fourth number is unused.
typealias Color = SIMD4<Float>

extension SIMD4<Float> {
  /// Makes a color of `0xRRGGBB`.
  init(_ hexadecimal: UInt32) {
    self.init(
      Float(hexadecimal >> 16 & 0xFF) / 255, Float(hexadecimal >> 8 & 0xFF) / 255, Float(hexadecimal & 0xFF) / 255, 0)
  }

  static let white = Color(0xFFFFFF)
  static let black = Color(0x000000)

  @inline(__always) func mixed(with other: Color, _ amount: Float) -> Color {
    self + (other - self) * Swift.min(1, Swift.max(0, amount))
  }

  func lighter(_ amount: Float) -> Color { mixed(with: .white, amount) }
  func darker(_ amount: Float) -> Color { mixed(with: .black, amount) }

  /// Returns the color at a position between sorted stops.
  static func between(_ stops: [(at: Float, color: Color)], at position: Float) -> Color {
    guard var before = stops.first else { return .black }
    for stop in stops {
      if position < stop.at {
        let t = (position - before.at) / Swift.max(1e-6, stop.at - before.at)
        // Eased, since the eye sees the stops of a linear gradient.
        let clamped = Swift.min(1, Swift.max(0, t))
        return before.color.mixed(with: stop.color, clamped * clamped * (3 - 2 * clamped) * 0.5 + clamped * 0.5)
      }
      before = stop
    }
    return before.color
  }

  /// Makes a color of a hue in turns, a saturation and a brightness from 0 to 1.
  static func hsb(_ hue: Float, _ saturation: Float, _ brightness: Float) -> Color {
    func channel(_ offset: Float) -> Float {
      let k = (offset + hue * 6).truncatingRemainder(dividingBy: 6)
      let positive = k < 0 ? k + 6 : k
      return brightness - brightness * saturation * Swift.max(0, Swift.min(positive, 4 - positive, 1))
    }
    return Color(channel(5), channel(3), channel(1), 0)
  }
}

@inline(__always) func sin32(_ angle: Float) -> Float { Float(sin(Double(angle))) }
@inline(__always) func cos32(_ angle: Float) -> Float { Float(cos(Double(angle))) }
@inline(__always) func asin32(_ value: Float) -> Float { Float(asin(Double(value))) }

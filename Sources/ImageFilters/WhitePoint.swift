import ImageCoding
import MediaMetadata

/// The color of a light that looks white: its temperature in kelvin, and its distance from the
/// color of a black body (tint).
///
///     // Warmer.
///     ColorFilter.temperature(from: WhitePoint(kelvin: 6500), to: WhitePoint(kelvin: 4500))
///
/// The temperature is limited to 1667 to 25000 kelvin. Tint is positive toward magenta and negative
/// toward green; 3000 is a distance of 1 in CIE 1960's diagram.
public struct WhitePoint: Hashable, Sendable {
  public var kelvin: Double
  public var tint: Double

  public init(kelvin: Double, tint: Double = 0) {
    self.kelvin = kelvin
    self.tint = tint
  }

  /// The unit that raw developers use.
  private static let tintUnit = 3000.0

  /// The coordinates u and v of CIE 1960.
  private var chromaticity: SIMD2<Double> {
    let kelvin = min(max(self.kelvin, 1667), 25_000)
    let here = Self.planckianChromaticity(atKelvin: kelvin)
    guard tint != 0 else { return here }
    let along = Self.planckianChromaticity(atKelvin: kelvin * 1.01) - here
    let across = SIMD2(along.y, -along.x) / (along * along).sum().squareRoot()
    // Green is above the curve.
    return here + (across.y > 0 ? -across : across) * min(max(tint, -300), 300) / Self.tintUnit
  }

  /// Returns the color of a black body: the cubic splines of Kim et al., 2002.
  private static func planckianChromaticity(atKelvin kelvin: Double) -> SIMD2<Double> {
    let t = 1000 / kelvin
    let x =
      kelvin <= 4000
      ? ((-0.2661239 * t - 0.2343589) * t + 0.8776956) * t + 0.179910
      : ((-3.0258469 * t + 2.1070379) * t + 0.2226347) * t + 0.240390
    let y =
      switch kelvin {
      case ..<2222: ((-1.1063814 * x - 1.34811020) * x + 2.18555832) * x - 0.20219683
      case ..<4000: ((-0.9549476 * x - 1.37418593) * x + 2.09137015) * x - 0.16748867
      default: ((3.0817580 * x - 5.87338670) * x + 3.75112997) * x - 0.37001483
      }
    let divisor = -2 * x + 12 * y + 3
    return SIMD2(4 * x / divisor, 6 * y / divisor)
  }

  /// The light in XYZ with Y = 1.
  private var light: ColorValue {
    let uv = chromaticity
    let divisor = 2 * uv.x - 8 * uv.y + 4
    let (x, y) = (3 * uv.x / divisor, 2 * uv.y / divisor)
    return ColorValue(x / y, 1, (1 - x - y) / y)
  }

  /// Returns Bradford's adaptation in linear sRGB, scaled so that the brightness of gray stays.
  func adaptation(to other: WhitePoint) -> ColorMatrix {
    guard other != self else { return .identity }
    let (from, to) = (Self.cones(light), Self.cones(other.light))
    let gain = to / from
    let scaled = ColorMatrix(red: [gain.x, 0, 0], green: [0, gain.y, 0], blue: [0, 0, gain.z])
    let adapted = Self.toXYZ.followed(by: Self.cones).followed(by: scaled).followed(by: Self.fromCones)
      .followed(by: Self.fromXYZ)
    let brightness = (ColorMatrix.lumaWeights * adapted([1, 1, 1])).sum()
    return adapted.followed(by: .scale(1 / brightness))
  }

  private static let cones = ColorMatrix(
    red: [0.8951, 0.2664, -0.1614], green: [-0.7502, 1.7135, 0.0367], blue: [0.0389, -0.0685, 1.0296])
  private static let fromCones = ColorMatrix(
    red: [0.9869929, -0.1470543, 0.1599627], green: [0.4323053, 0.5183603, 0.0492912],
    blue: [-0.0085287, 0.0400428, 0.9684867])
  private static let toXYZ = ColorMatrix(
    red: [0.4124564, 0.3575761, 0.1804375], green: [0.2126729, 0.7151522, 0.0721750],
    blue: [0.0193339, 0.1191920, 0.9503041])
  private static let fromXYZ = ColorMatrix(
    red: [3.2404542, -1.5371385, -0.4985314], green: [-0.9692660, 1.8760108, 0.0415560],
    blue: [0.0556434, -0.2040259, 1.0572252])
}

import Foundation
import ImageCoding
import MediaMetadata

/// A change of each pixel's color that does not depend on other pixels. It is the only definition
/// of a filter, for stills and for movie frames alike.
///
///     let pipeline = ColorPipeline([.exposure(stops: 0.5), .sepia(intensity: 1)])
///     let edited = pixels.filtered(by: pipeline)
///
/// Colors are sRGB. Exposure, temperature, matrices and inversion work in linear light. All other
/// filters work in sRGB's code, which is close to perceived brightness. Values are not clipped
/// between filters. Alpha stays as it is.
public enum ColorFilter: Hashable, Sendable {
  /// Brown tones; 0 changes nothing, 1 is the full effect.
  case sepia(intensity: Double)
  case effect(PhotoEffect)
  /// Brightness is added (−1 to 1). Contrast is a factor around the middle, saturation a factor
  /// around gray.
  case controls(brightness: Double, contrast: Double, saturation: Double)
  /// Twice the light for each stop.
  case exposure(stops: Double)
  /// Maps colors that are neutral under one light to colors that are neutral under the other.
  case temperature(from: WhitePoint, to: WhitePoint)
  case matrix(ColorMatrix)
  case invert
  /// More saturation (up to 1) or less (down to −1), mostly for colors that have little of it.
  case vibrance(Double)

  var steps: [ColorStep] {
    switch self {
    case .sepia(let intensity): [.matrix(Self.sepia.blended(fraction: intensity))]
    case .effect(let effect): effect.steps
    case .controls(let brightness, let contrast, let saturation):
      [.matrix(.saturation(saturation)), .matrix(.scale(contrast, bias: 0.5 - 0.5 * contrast + brightness))]
    case .exposure(let stops): Self.inLight(.scale(exp2(stops)))
    case .temperature(let from, let to): Self.inLight(from.adaptation(to: to))
    case .matrix(let matrix): Self.inLight(matrix)
    case .invert: Self.inLight(.scale(-1, bias: 1))
    case .vibrance(let amount): [.vibrance(amount)]
    }
  }

  private static func inLight(_ matrix: ColorMatrix) -> [ColorStep] {
    [.curve(.decodeSRGB), .matrix(matrix), .curve(.encodeSRGB)]
  }

  /// The customary sepia weights.
  private static let sepia = ColorMatrix(
    red: [0.393, 0.769, 0.189], green: [0.349, 0.686, 0.168], blue: [0.272, 0.534, 0.131])
}

/// A step of a filter.
enum ColorStep: Hashable, Sendable {
  case matrix(ColorMatrix)
  case curve(ToneCurve)
  case vibrance(Double)

  func callAsFunction(_ color: ColorValue) -> ColorValue {
    switch self {
    case .matrix(let matrix): return matrix(color)
    case .curve(let curve): return curve(color)
    case .vibrance(let amount):
      let spread = min(max(color.max() - color.min(), 0), 1)
      return ColorMatrix.saturation(1 + amount * (1 - spread))(color)
    }
  }
}

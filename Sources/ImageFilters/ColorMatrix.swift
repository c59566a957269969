import ImageCoding
import MediaMetadata

/// A color as red, green and blue from 0 to 1. Values may be beyond that range between the steps of
/// a filter.
public typealias ColorValue = SIMD3<Double>

/// A matrix that computes red, green and blue, each as a weighted sum of all three and a constant.
///
///     let half = ColorMatrix(red: [0.5, 0, 0], green: [0, 0.5, 0], blue: [0, 0, 0.5])
///     half([1, 1, 1])   // 0.5, 0.5, 0.5
public struct ColorMatrix: Hashable, Sendable {
  /// The weights for the red, green and blue of the result, and the constants.
  public var red: ColorValue
  public var green: ColorValue
  public var blue: ColorValue
  public var bias: ColorValue

  public init(red: ColorValue, green: ColorValue, blue: ColorValue, bias: ColorValue = .zero) {
    self.red = red
    self.green = green
    self.blue = blue
    self.bias = bias
  }

  public static let identity = ColorMatrix(red: [1, 0, 0], green: [0, 1, 0], blue: [0, 0, 1])

  public func callAsFunction(_ color: ColorValue) -> ColorValue {
    ColorValue((red * color).sum(), (green * color).sum(), (blue * color).sum()) + bias
  }

  /// Returns one matrix that applies this one and then the next.
  func followed(by next: ColorMatrix) -> ColorMatrix {
    let columns = [red, green, blue]
    func row(_ shares: ColorValue) -> ColorValue {
      shares.x * columns[0] + shares.y * columns[1] + shares.z * columns[2]
    }
    return ColorMatrix(red: row(next.red), green: row(next.green), blue: row(next.blue), bias: next(bias))
  }

  /// Returns the matrix between the identity (0) and this one (1).
  func blended(fraction part: Double) -> ColorMatrix {
    let rest = 1 - part
    return ColorMatrix(
      red: red * part + ColorValue(rest, 0, 0), green: green * part + ColorValue(0, rest, 0),
      blue: blue * part + ColorValue(0, 0, rest), bias: bias * part)
  }

  /// Rec. 709's weights of brightness.
  static let lumaWeights = ColorValue(0.2126, 0.7152, 0.0722)

  /// Returns a matrix for saturation: 0 is gray, 1 changes nothing, more makes colors stronger.
  static func saturation(_ amount: Double, shares: ColorValue = lumaWeights) -> ColorMatrix {
    ColorMatrix(red: shares, green: shares, blue: shares).blended(fraction: 1 - amount)
  }

  /// Returns a matrix with the same factor and constant for all three channels.
  static func scale(_ factor: Double, bias: Double = 0) -> ColorMatrix {
    ColorMatrix(
      red: [factor, 0, 0], green: [0, factor, 0], blue: [0, 0, factor], bias: ColorValue(repeating: bias))
  }
}

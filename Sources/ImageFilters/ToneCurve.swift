import Foundation
import ImageCoding
import MediaMetadata

/// A function of one channel's value.
enum ToneCurve: Hashable, Sendable {
  /// From sRGB's code to light, and back. The curves continue beyond 1 and are mirrored below 0.
  case decodeSRGB, encodeSRGB
  /// Darker shadows and brighter highlights: 0 changes nothing, 1 is a full S. The ends stay.
  case contrast(Double)
  /// A smooth curve through values at even steps from 0 to 1, one for each channel.
  case points(red: [Double], green: [Double], blue: [Double])

  static func points(_ all: [Double]) -> ToneCurve { .points(red: all, green: all, blue: all) }

  /// Returns the curve's value; `channel` counts from 0.
  func callAsFunction(_ value: Double, channel: Int) -> Double {
    switch self {
    case .decodeSRGB:
      let size = abs(value)
      let light = size <= 0.04045 ? size / 12.92 : pow((size + 0.055) / 1.055, 2.4)
      return value < 0 ? -light : light
    case .encodeSRGB:
      let size = abs(value)
      let code = size <= 0.0031308 ? size * 12.92 : 1.055 * pow(size, 1 / 2.4) - 0.055
      return value < 0 ? -code : code
    case .contrast(let amount):
      let value = min(max(value, 0), 1)
      return value + amount * (value * value * (3 - 2 * value) - value)
    case .points(let red, let green, let blue):
      return Self.smooth(channel == 0 ? red : channel == 1 ? green : blue, min(max(value, 0), 1))
    }
  }

  func callAsFunction(_ color: ColorValue) -> ColorValue {
    ColorValue(self(color.x, channel: 0), self(color.y, channel: 1), self(color.z, channel: 2))
  }

  var isSameForAllChannels: Bool {
    if case .points(let red, let green, let blue) = self { return red == green && green == blue }
    return true
  }

  /// Returns a value of the Catmull-Rom spline through the points. The curve is extended in a
  /// straight line beyond its ends.
  private static func smooth(_ points: [Double], _ value: Double) -> Double {
    let position = value * Double(points.count - 1)
    let index = min(Int(position), points.count - 2)
    let part = position - Double(index)
    let (start, end) = (points[index], points[index + 1])
    let before = index > 0 ? points[index - 1] : 2 * start - end
    let after = index + 2 < points.count ? points[index + 2] : 2 * end - start
    let slopes = ((end - before) / 2, (after - start) / 2)
    let square = part * part
    let cube = square * part
    let result =
      (2 * cube - 3 * square + 1) * start + (cube - 2 * square + part) * slopes.0 + (3 * square - 2 * cube) * end
      + (cube - square) * slopes.1
    return min(max(result, 0), 1)
  }
}

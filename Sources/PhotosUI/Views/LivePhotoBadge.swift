/// Options for drawing the badge of a Live Photo.
public struct PHLivePhotoBadgeOptions: OptionSet, Hashable, Sendable {
  public let rawValue: UInt
  public init(rawValue: UInt) { self.rawValue = rawValue }

  /// The badge has a dark background, to be visible on a picture.
  public static let overContent = PHLivePhotoBadgeOptions(rawValue: 1 << 0)
  /// The photo is not played: the sign is crossed out.
  public static let liveOff = PHLivePhotoBadgeOptions(rawValue: 1 << 1)
}

/// Draws the sign of a Live Photo, since there are no symbols here.
struct LivePhotoBadge {
  let options: PHLivePhotoBadgeOptions

  private static let side = 28.0
  private static let dashes = 24.0

  var image: UIImage {
    let size = CGSize(width: Self.side, height: Self.side)
    return UIGraphicsImageRenderer(size: size).image { context in
      let step = 1 / max(1, context.format.scale)
      let steps = Int(Self.side / step)
      for row in 0..<steps {
        for column in 0..<steps {
          let (x, y) = (CGFloat(column) * step, CGFloat(row) * step)
          color(x + step / 2 - Self.side / 2, y + step / 2 - Self.side / 2).setFill()
          context.fill(CGRect(x: x, y: y, width: step, height: step))
        }
      }
    }
  }

  /// Returns the color at a distance from the center.
  private func color(_ x: Double, _ y: Double) -> UIColor {
    let radius = (x * x + y * y).squareRoot()
    let isDash = cos(atan2(y, x) * Self.dashes) > 0
    let fromLine = abs(x - y) / 2.0.squareRoot()
    var isWhite = radius < 3 || abs(radius - 6) < 0.75 || (abs(radius - 9.5) < 0.75 && isDash)
    if options.contains(.liveOff), radius < 11 { isWhite = fromLine < 0.75 || (isWhite && fromLine > 2) }
    if isWhite { return .white }
    return options.contains(.overContent) && radius < 13 ? UIColor(white: 0, alpha: 0.4) : .clear
  }
}

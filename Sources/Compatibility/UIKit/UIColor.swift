import Foundation

/// A color in sRGB for filling images.
///
///     UIColor(red: 1, green: 0.5, blue: 0, alpha: 1).setFill()
///
/// Immutable. Two colors with the same components are equal. Colors that depend on a screen's
/// appearance are left out.
open class UIColor: NSObject, @unchecked Sendable {
  // Immutable after init; subclasses guard what they add.

  private let components: SIMD4<Double>

  /// Makes a color of components from 0 to 1. Values outside that range are clamped.
  public init(red: CGFloat, green: CGFloat, blue: CGFloat, alpha: CGFloat) {
    let given = SIMD4(Double(red), Double(green), Double(blue), Double(alpha))
    components = given.replacing(with: 0, where: given .!= given).clamped(
      lowerBound: SIMD4(repeating: 0), upperBound: SIMD4(repeating: 1))
  }

  public convenience init(white: CGFloat, alpha: CGFloat) {
    self.init(red: white, green: white, blue: white, alpha: alpha)
  }

  public convenience init(hue: CGFloat, saturation: CGFloat, brightness: CGFloat, alpha: CGFloat) {
    func part(_ offset: CGFloat) -> CGFloat {
      let place = (offset + min(max(hue, 0), 1) * 6).truncatingRemainder(dividingBy: 6)
      return brightness * (1 - min(max(saturation, 0), 1) * max(0, min(place, 4 - place, 1)))
    }
    self.init(red: part(5), green: part(3), blue: part(1), alpha: alpha)
  }

  /// Writes the components, and returns `true`.
  @discardableResult
  open func getRed(
    _ red: UnsafeMutablePointer<CGFloat>?, green: UnsafeMutablePointer<CGFloat>?, blue: UnsafeMutablePointer<CGFloat>?,
    alpha: UnsafeMutablePointer<CGFloat>?
  ) -> Bool {
    red?.pointee = components.x
    green?.pointee = components.y
    blue?.pointee = components.z
    alpha?.pointee = components.w
    return true
  }

  open func withAlphaComponent(_ alpha: CGFloat) -> UIColor {
    UIColor(red: components.x, green: components.y, blue: components.z, alpha: alpha)
  }

  /// Makes this the color that `UIRectFill` and a renderer's `fill(_:)` use on this thread's image.
  open func setFill() { DrawnImage.current?.fillColor = bytes }

  /// Does the same as `setFill()`, since lines can't be drawn.
  open func set() { setFill() }

  /// The components, 0 to 255 each.
  var bytes: SIMD4<UInt8> { SIMD4<UInt8>((components * 255).rounded(.toNearestOrAwayFromZero)) }

  public override func isEqual(_ object: Any?) -> Bool { (object as? UIColor)?.components == components }
  public override var hash: Int { components.hashValue }

  public static let black = UIColor(white: 0, alpha: 1)
  public static let darkGray = UIColor(white: 1 / 3, alpha: 1)
  public static let lightGray = UIColor(white: 2 / 3, alpha: 1)
  public static let white = UIColor(white: 1, alpha: 1)
  public static let gray = UIColor(white: 0.5, alpha: 1)
  public static let red = UIColor(red: 1, green: 0, blue: 0, alpha: 1)
  public static let green = UIColor(red: 0, green: 1, blue: 0, alpha: 1)
  public static let blue = UIColor(red: 0, green: 0, blue: 1, alpha: 1)
  public static let cyan = UIColor(red: 0, green: 1, blue: 1, alpha: 1)
  public static let yellow = UIColor(red: 1, green: 1, blue: 0, alpha: 1)
  public static let magenta = UIColor(red: 1, green: 0, blue: 1, alpha: 1)
  public static let orange = UIColor(red: 1, green: 0.5, blue: 0, alpha: 1)
  public static let purple = UIColor(red: 0.5, green: 0, blue: 0.5, alpha: 1)
  public static let brown = UIColor(red: 0.6, green: 0.4, blue: 0.2, alpha: 1)
  public static let clear = UIColor(white: 0, alpha: 0)
}

import CLcms

/// The colors of a screen, as a PNG or a bitmap describes them without a profile.
struct CalibratedColors {
  /// A color without its brightness, in CIE 1931's x and y.
  typealias Chromaticity = SIMD2<Double>

  /// The white point, by default sRGB's.
  var white = Chromaticity(0.3127, 0.3290)
  /// Red, green and blue, by default sRGB's.
  var primaries = Self.rec709
  /// The exponents that turn values of red, green and blue into light.
  var exponents: [Double]

  private static let rec709 = [Chromaticity(0.64, 0.33), Chromaticity(0.30, 0.60), Chromaticity(0.15, 0.06)]

  /// sRGB, or a profile of the colors; nil if no screen can have them.
  var description: ColorDescription? {
    guard isPossible else { return nil }
    guard !isSRGB else { return .sRGB }
    return ColorProfile(self)?.undatedBytes.map(ColorDescription.profile)
  }

  /// Whether the numbers stand for sRGB. Programs write 1/2.2 or 0.45 as its gamma, although its
  /// curve is not a power.
  private var isSRGB: Bool {
    let differences = zip([white] + primaries, [Chromaticity(0.3127, 0.3290)] + Self.rec709).map { $0 - $1 }
    return exponents.allSatisfy { abs($0 - 2.2) < 0.03 }
      && differences.allSatisfy { max(abs($0.x), abs($0.y)) < 0.003 }
  }

  /// Whether the exponents are plausible, and red, green and blue can mix white. White then is
  /// inside their triangle.
  private var isPossible: Bool {
    guard primaries.count == 3, exponents.count == 3, exponents.allSatisfy({ (0.1...10).contains($0) }),
      ([white] + primaries).allSatisfy({ (0...1).contains($0.x) && (0...1).contains($0.y) }), white.y > 0.1
    else { return false }
    let sides = primaries.indices.map { index in
      let side = primaries[(index + 1) % 3] - primaries[index]
      let inner = white - primaries[index]
      return side.x * inner.y - side.y * inner.x
    }
    let smallest = 0.001
    return sides.allSatisfy { $0 > smallest } || sides.allSatisfy { $0 < -smallest }
  }
}

extension ColorProfile {
  fileprivate convenience init?(_ colors: CalibratedColors) {
    var white = cmsCIExyY(x: colors.white.x, y: colors.white.y, Y: 1)
    let corners = colors.primaries.map { cmsCIExyY(x: $0.x, y: $0.y, Y: 1) }
    var triple = cmsCIExyYTRIPLE(Red: corners[0], Green: corners[1], Blue: corners[2])
    var curves = colors.exponents.map { cmsBuildGamma(nil, $0) }
    defer {
      for curve in curves { curve.map { cmsFreeToneCurve($0) } }
    }
    guard curves.allSatisfy({ $0 != nil }), let handle = cmsCreateRGBProfile(&white, &triple, &curves) else {
      return nil
    }
    self.init(adopting: handle)
  }
}

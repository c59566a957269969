/// A width and a height in pixels.
public struct PixelSize: Hashable, Sendable {
  public var width: Int
  public var height: Int

  public init(width: Int, height: Int) {
    self.width = width
    self.height = height
  }

  public var longSide: Int { max(width, height) }
  package var shortSide: Int { min(width, height) }
  public var pixels: Int { width * height }

  /// Returns the size multiplied by `factor`, with fractions of a pixel rounded up. Never enlarges.
  package func scaled(by factor: Double) -> PixelSize {
    func scaled(_ side: Int) -> Int { min(side, max(1, Int((Double(side) * factor - 1e-6).rounded(.up)))) }
    return factor >= 1 ? self : PixelSize(width: scaled(width), height: scaled(height))
  }

  /// Returns a size of the same shape with the longer side of another size.
  package func fitting(_ other: PixelSize) -> PixelSize { scaled(other.longSide, over: longSide) }

  /// Returns a size of the same shape, `numerator / denominator` as large; each side is at least
  /// one pixel.
  package func scaled(_ numerator: Int, over denominator: Int) -> PixelSize {
    PixelSize(
      width: max(1, (width * numerator + denominator / 2) / denominator),
      height: max(1, (height * numerator + denominator / 2) / denominator))
  }
}

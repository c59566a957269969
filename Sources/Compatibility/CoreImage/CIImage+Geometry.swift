extension CIImage {
  /// Returns the image turned and mirrored, without loss, with its origin at zero.
  public func oriented(_ orientation: CGImagePropertyOrientation) -> CIImage {
    let value = Int(orientation.rawValue)
    guard !extent.isNull, value != 1 else { return self }
    if case .clamped(let image) = content { return image.oriented(orientation).clampedToExtent() }
    if case .oriented(let before, Self.inverse(value)) = content, before.extent.origin == .zero { return before }
    let size = value >= 5 ? CGSize(width: extent.height, height: extent.width) : extent.size
    return CIImage(extent: CGRect(origin: .zero, size: size), .oriented(self, value))
  }

  /// Returns the image turned and mirrored for an EXIF orientation. Numbers other than 1–8 have no
  /// effect.
  public func oriented(forExifOrientation orientation: Int32) -> CIImage {
    UInt32(exactly: orientation).flatMap(CGImagePropertyOrientation.init).map(oriented) ?? self
  }

  /// Returns the transform that `oriented(_:)` applies.
  public func orientationTransform(for orientation: CGImagePropertyOrientation) -> CGAffineTransform {
    guard !extent.isNull, !extent.isInfinite else { return .identity }
    let (width, height) = (extent.width, extent.height)
    let start = CGAffineTransform(translationX: -extent.minX, y: -extent.minY)
    let turn =
      switch orientation {
      case .up: CGAffineTransform.identity
      case .upMirrored: CGAffineTransform(a: -1, b: 0, c: 0, d: 1, tx: width, ty: 0)
      case .down: CGAffineTransform(a: -1, b: 0, c: 0, d: -1, tx: width, ty: height)
      case .downMirrored: CGAffineTransform(a: 1, b: 0, c: 0, d: -1, tx: 0, ty: height)
      case .leftMirrored: CGAffineTransform(a: 0, b: -1, c: -1, d: 0, tx: height, ty: width)
      case .right: CGAffineTransform(a: 0, b: -1, c: 1, d: 0, tx: 0, ty: width)
      case .rightMirrored: CGAffineTransform(a: 0, b: 1, c: 1, d: 0, tx: 0, ty: 0)
      case .left: CGAffineTransform(a: 0, b: 1, c: -1, d: 0, tx: height, ty: 0)
      }
    return start.concatenating(turn)
  }

  /// Returns the part inside a rectangle, at its place. The rectangle is enlarged to whole pixels.
  public func cropped(to rect: CGRect) -> CIImage {
    guard !extent.isNull, !rect.isInfinite else { return self }
    guard let rect = Self.clampedToCoordinateLimit(rect) else { return .empty() }
    let kept = extent.isInfinite ? rect.integral : extent.intersection(rect).integral.intersection(extent)
    guard !kept.isNull, kept.width >= 1, kept.height >= 1 else { return .empty() }
    guard kept != extent else { return self }
    return CIImage(extent: kept, .cropped(self))
  }

  /// Returns the image rotated, scaled, sheared or moved, with bicubic interpolation. The extent is
  /// enlarged to whole pixels and is transparent outside the image. A transform without an inverse
  /// returns an empty image.
  public func transformed(by transform: CGAffineTransform) -> CIImage {
    guard !extent.isNull, !transform.isIdentity else { return self }
    let determinant = transform.a * transform.d - transform.b * transform.c
    guard determinant.isFinite, abs(determinant) > 1e-12 else { return .empty() }
    if case .transformed(let before, let first) = content {
      return before.transformed(by: first.concatenating(transform))
    }
    let moved = extent.isInfinite ? extent : Self.wholePixels(extent.applying(transform))
    guard moved.isInfinite || moved.width < Self.longestSide && moved.height < Self.longestSide,
      [transform.a, transform.b, transform.c, transform.d, transform.tx, transform.ty].allSatisfy({
        abs($0) < Self.coordinateLimit
      })
    else { return .empty() }
    return CIImage(extent: moved, .transformed(self, transform))
  }

  /// `highQualityDownsample` has no effect: shrinking always filters.
  public func transformed(by transform: CGAffineTransform, highQualityDownsample: Bool) -> CIImage {
    transformed(by: transform)
  }

  /// Returns the image without bounds: its outermost pixels repeat forever. Crop the result before
  /// writing it.
  public func clampedToExtent() -> CIImage {
    extent.isNull || extent.isInfinite ? self : CIImage(extent: .infinite, .clamped(self))
  }

  /// Returns the part inside a rectangle, with its outermost pixels repeated forever.
  public func clamped(to rect: CGRect) -> CIImage { cropped(to: rect).clampedToExtent() }

  /// No picture with a longer side can be decoded.
  private static let longestSide: CGFloat = 65_536
  /// Larger coordinates have no exact fractions, and no picture reaches so far.
  private static let coordinateLimit: CGFloat = 1e9

  /// Returns the part of a rectangle that is within `coordinateLimit`. Returns `nil` for a null
  /// rectangle and for one with a coordinate that is not a number.
  private static func clampedToCoordinateLimit(_ rect: CGRect) -> CGRect? {
    let edges = rect.isNull ? [] : [rect.minX, rect.minY, rect.maxX, rect.maxY]
    guard !edges.isEmpty, edges.allSatisfy({ !$0.isNaN }) else { return nil }
    let near = edges.map { min(max($0, -coordinateLimit), coordinateLimit) }
    return CGRect(x: near[0], y: near[1], width: near[2] - near[0], height: near[3] - near[1])
  }

  /// Returns the smallest rectangle of whole pixels around another. Sines and cosines are not
  /// exact, so an edge within 1e-6 of a whole number counts as that number.
  private static func wholePixels(_ rect: CGRect) -> CGRect {
    let (left, bottom) = ((rect.minX + 1e-6).rounded(.down), (rect.minY + 1e-6).rounded(.down))
    let (right, top) = ((rect.maxX - 1e-6).rounded(.up), (rect.maxY - 1e-6).rounded(.up))
    return CGRect(x: left, y: bottom, width: max(1, right - left), height: max(1, top - bottom))
  }
}

extension CIImage {
  /// Turned and mirrored, without loss; the result's origin is at zero.
  public func oriented(_ orientation: CGImagePropertyOrientation) -> CIImage {
    let value = Int(orientation.rawValue)
    guard !extent.isNull, value != 1 else { return self }
    if case .clamped(let image) = content { return image.oriented(orientation).clampedToExtent() }
    if case .oriented(let before, Self.inverse(value)) = content, before.extent.origin == .zero { return before }
    let size = value >= 5 ? CGSize(width: extent.height, height: extent.width) : extent.size
    return CIImage(extent: CGRect(origin: .zero, size: size), .oriented(self, value))
  }

  /// The same by EXIF's number; one that is not 1–8 changes nothing.
  public func oriented(forExifOrientation orientation: Int32) -> CIImage {
    UInt32(exactly: orientation).flatMap(CGImagePropertyOrientation.init).map(oriented) ?? self
  }

  /// What `oriented(_:)` does, as a transform.
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

  /// What is inside a rectangle, at its place; the rectangle grows to whole pixels.
  public func cropped(to rect: CGRect) -> CIImage {
    guard !extent.isNull, !rect.isInfinite else { return self }
    guard let rect = Self.bounded(rect) else { return .empty() }
    let kept = extent.isInfinite ? rect.integral : extent.intersection(rect).integral.intersection(extent)
    guard !kept.isNull, kept.width >= 1, kept.height >= 1 else { return .empty() }
    guard kept != extent else { return self }
    return CIImage(extent: kept, .cropped(self))
  }

  /// Turned by any angle, scaled, sheared or moved, bicubically; the extent grows to whole pixels, and is transparent where the image
  /// isn't. A transform that can't be undone gives an empty image.
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
        abs($0) < Self.farthestPlace
      })
    else { return .empty() }
    return CIImage(extent: moved, .transformed(self, transform))
  }

  /// `highQualityDownsample` changes nothing: what becomes smaller is always filtered.
  public func transformed(by transform: CGAffineTransform, highQualityDownsample: Bool) -> CIImage {
    transformed(by: transform)
  }

  /// Without bounds: beyond the image its outermost pixels are repeated. To be cropped before it is written.
  public func clampedToExtent() -> CIImage {
    extent.isNull || extent.isInfinite ? self : CIImage(extent: .infinite, .clamped(self))
  }

  /// The part inside a rectangle, without bounds.
  public func clamped(to rect: CGRect) -> CIImage { cropped(to: rect).clampedToExtent() }

  /// More than any picture that can be decoded.
  private static let longestSide: CGFloat = 65_536
  /// Numbers that are larger have no exact fractions, and what is so far away is never seen.
  private static let farthestPlace: CGFloat = 1e9

  /// The part of a rectangle that is not too far away; `nil` for one that has no place, or no end in both directions.
  private static func bounded(_ rect: CGRect) -> CGRect? {
    let edges = rect.isNull ? [] : [rect.minX, rect.minY, rect.maxX, rect.maxY]
    guard !edges.isEmpty, edges.allSatisfy({ !$0.isNaN }) else { return nil }
    let near = edges.map { min(max($0, -farthestPlace), farthestPlace) }
    return CGRect(x: near[0], y: near[1], width: near[2] - near[0], height: near[3] - near[1])
  }

  /// Sines and cosines are not exact: what is a whole number but for that stays one.
  private static func wholePixels(_ rect: CGRect) -> CGRect {
    let (left, bottom) = ((rect.minX + 1e-6).rounded(.down), (rect.minY + 1e-6).rounded(.down))
    let (right, top) = ((rect.maxX - 1e-6).rounded(.up), (rect.maxY - 1e-6).rounded(.up))
    return CGRect(x: left, y: bottom, width: max(1, right - left), height: max(1, top - bottom))
  }
}

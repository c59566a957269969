import MediaMetadata

/// The sizes in which the library keeps pictures at hand.
public enum RenditionKind: String, Sendable, CaseIterable {
  /// A cell of the grid: the shorter side at most 360 pixels, the longer at most 1440.
  case grid
  /// A screen: the longer side at most 2048 pixels. A JPEG that can be decoded at an eighth-step between 1600 and 2048 keeps
  /// that size: a 12-megapixel photo becomes 2016 × 1512 without being resized.
  case screen
  /// Every pixel, upright, in sRGB: for what a browser can't show itself.
  case full
}

extension RenditionKind {
  package static let gridShortSide = 360
  package static let gridLongSide = 1440
  package static let screenLongSide = 2048
  /// A picture that a whole-number shrink brings between this and `screenLongSide` is not resized any further.
  package static let screenLongSideWithoutResizing = 1600

  /// How large this kind of rendition is for a picture of this size; never larger than the picture.
  public func size(of picture: PixelSize) -> PixelSize {
    switch self {
    case .full: return picture
    case .grid:
      // The side whose limit is the tighter one decides.
      let shortSideDecides = Self.gridShortSide * picture.longSide <= Self.gridLongSide * picture.shortSide
      let (limit, side) =
        shortSideDecides ? (Self.gridShortSide, picture.shortSide) : (Self.gridLongSide, picture.longSide)
      return limit < side ? picture.scaled(limit, over: side) : picture
    case .screen:
      let long = picture.longSide
      guard long > Self.screenLongSide else { return picture }
      let divisor = (long + Self.screenLongSide - 1) / Self.screenLongSide
      if long / divisor >= Self.screenLongSideWithoutResizing {
        return PixelSize(width: max(1, picture.width / divisor), height: max(1, picture.height / divisor))
      }
      return picture.scaled(Self.screenLongSide, over: long)
    }
  }
}

import MediaMetadata

/// The sizes of the pictures that the library stores.
public enum RenditionKind: String, Sendable, CaseIterable {
  /// A cell of the grid: the shorter side has at most 360 pixels, the longer at most 1440.
  case grid
  /// A screen: the longer side has at most 2048 pixels. If a JPEG can be decoded at an eighth-step
  /// between 1600 and 2048, it keeps that size: a 12-megapixel photo becomes 2016 × 1512 without
  /// being resized.
  case screen
  /// Every pixel, upright, in sRGB: for formats that browsers can't show.
  case full
}

extension RenditionKind {
  package static let gridShortSide = 360
  package static let gridLongSide = 1440
  package static let screenLongSide = 2048
  /// The lower limit of a size that needs no resizing. A picture that a whole-number shrink brings
  /// between this and `screenLongSide` keeps that size.
  package static let screenLongSideWithoutResizing = 1600

  /// Returns the size of this kind of rendition for a picture of this size. It is never larger than
  /// the picture.
  public func size(of picture: PixelSize) -> PixelSize {
    switch self {
    case .full: return picture
    case .grid:
      // The side whose limit is tighter determines the scale.
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

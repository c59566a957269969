/// Width and height of a sample, in pixels.
///
///     let pixels = SampleScene.hills.picture(.medium, seed: 7)
public struct PictureSize: Hashable, Sendable {
  public var width: Int
  public var height: Int

  public init(width: Int, height: Int) {
    precondition(width > 0 && height > 0, "a picture has at least one pixel")
    self.width = width
    self.height = height
  }

  /// 160 × 120: quick to draw, for tests that ignore the picture.
  public static let small = PictureSize(width: 160, height: 120)
  /// 640 × 480.
  public static let medium = PictureSize(width: 640, height: 480)
  /// 1600 × 1200.
  public static let large = PictureSize(width: 1600, height: 1200)
  /// 4032 × 3024, the usual size of phones' photos for a decade.
  public static let twelveMegapixels = PictureSize(width: 4032, height: 3024)

  /// The size with width and height swapped.
  public var turned: PictureSize { PictureSize(width: height, height: width) }
}

import Foundation

/// Draws images, for example smaller, over a color, or beside another one.
///
///     let small = UIGraphicsImageRenderer(size: CGSize(width: 200, height: 150)).image { _ in
///       image.draw(in: CGRect(x: 0, y: 0, width: 200, height: 150))
///     }
///
/// Images and filled rectangles can be drawn; paths, texts, clipping and transforms are left out.
/// Edges are at whole pixels.
open class UIGraphicsImageRenderer: NSObject {
  public let format: UIGraphicsImageRendererFormat
  private let bounds: CGRect

  public init(bounds: CGRect, format: UIGraphicsImageRendererFormat) {
    self.bounds = bounds
    self.format = format
  }

  public convenience init(bounds: CGRect) { self.init(bounds: bounds, format: .default()) }
  public convenience init(size: CGSize) { self.init(bounds: CGRect(origin: .zero, size: size)) }
  public convenience init(size: CGSize, format: UIGraphicsImageRendererFormat) {
    self.init(bounds: CGRect(origin: .zero, size: size), format: format)
  }

  /// Calls `actions` once, and returns what they drew. Returns an empty image for bounds without an
  /// area.
  open func image(actions: (UIGraphicsImageRendererContext) -> Void) -> UIImage {
    let drawn = DrawnImage(bounds: bounds, scale: format.usedScale, isOpaque: format.opaque)
    DrawnImage.push(drawn)
    defer { DrawnImage.pop() }
    actions(UIGraphicsImageRendererContext(drawn, format))
    return drawn?.image ?? UIImage()
  }

  /// Calls `actions` once, and returns what they drew as a JPEG; empty for bounds without an area.
  open func jpegData(
    withCompressionQuality compressionQuality: CGFloat, actions: (UIGraphicsImageRendererContext) -> Void
  ) -> Data { image(actions: actions).jpegData(compressionQuality: compressionQuality) ?? Data() }

  /// Calls `actions` once, and returns what they drew as a PNG; empty for bounds without an area.
  open func pngData(actions: (UIGraphicsImageRendererContext) -> Void) -> Data {
    image(actions: actions).pngData() ?? Data()
  }
}

/// How an image is drawn.
open class UIGraphicsImageRendererFormat: NSObject {
  /// Pixels in a point; 0 is the screen's.
  open var scale: CGFloat = UIScreen.main.scale
  /// Whether the image has no alpha: it begins black.
  open var opaque = false

  public override init() {}

  open class func `default`() -> UIGraphicsImageRendererFormat { UIGraphicsImageRendererFormat() }
  open class func preferred() -> UIGraphicsImageRendererFormat { UIGraphicsImageRendererFormat() }

  var usedScale: CGFloat { scale > 0 ? scale : UIScreen.main.scale }
}

/// An image while it is drawn.
open class UIGraphicsImageRendererContext: NSObject {
  private let drawn: DrawnImage?
  public let format: UIGraphicsImageRendererFormat

  init(_ drawn: DrawnImage?, _ format: UIGraphicsImageRendererFormat) {
    self.drawn = drawn
    self.format = format
  }

  /// The image as it has been drawn so far.
  open var currentImage: UIImage { drawn?.image ?? UIImage() }

  /// Fills with the color of `setFill()`.
  open func fill(_ rect: CGRect) { drawn?.fill(rect) }
}

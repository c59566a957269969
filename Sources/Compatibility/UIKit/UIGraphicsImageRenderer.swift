import Foundation

/// Draws images, for example to shrink one, to fill it with a color, or to put two side by side.
///
///     let small = UIGraphicsImageRenderer(size: CGSize(width: 200, height: 150)).image { _ in
///       image.draw(in: CGRect(x: 0, y: 0, width: 200, height: 150))
///     }
///
/// Images and filled rectangles can be drawn. Paths, texts, clipping and transforms are left out.
/// Rectangles are rounded to whole pixels.
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

  /// Calls `actions` once and returns the drawn image. Returns an empty image for bounds without an
  /// area.
  open func image(actions: (UIGraphicsImageRendererContext) -> Void) -> UIImage {
    let drawn = DrawnImage(bounds: bounds, scale: format.effectiveScale, isOpaque: format.opaque)
    DrawnImage.push(drawn)
    defer { DrawnImage.pop() }
    actions(UIGraphicsImageRendererContext(drawn, format))
    return drawn?.image ?? UIImage()
  }

  /// Calls `actions` once and returns the drawn image as a JPEG. Returns empty data for bounds
  /// without an area.
  open func jpegData(
    withCompressionQuality compressionQuality: CGFloat, actions: (UIGraphicsImageRendererContext) -> Void
  ) -> Data { image(actions: actions).jpegData(compressionQuality: compressionQuality) ?? Data() }

  /// Calls `actions` once and returns the drawn image as a PNG. Returns empty data for bounds
  /// without an area.
  open func pngData(actions: (UIGraphicsImageRendererContext) -> Void) -> Data {
    image(actions: actions).pngData() ?? Data()
  }
}

/// The scale and opacity of a drawn image.
open class UIGraphicsImageRendererFormat: NSObject {
  /// Pixels per point; 0 is the screen's scale.
  open var scale: CGFloat = UIScreen.main.scale
  /// True for an image without alpha, which starts black.
  open var opaque = false

  public override init() {}

  open class func `default`() -> UIGraphicsImageRendererFormat { UIGraphicsImageRendererFormat() }
  open class func preferred() -> UIGraphicsImageRendererFormat { UIGraphicsImageRendererFormat() }

  var effectiveScale: CGFloat { scale > 0 ? scale : UIScreen.main.scale }
}

/// An image that is being drawn.
open class UIGraphicsImageRendererContext: NSObject {
  private let drawn: DrawnImage?
  public let format: UIGraphicsImageRendererFormat

  init(_ drawn: DrawnImage?, _ format: UIGraphicsImageRendererFormat) {
    self.drawn = drawn
    self.format = format
  }

  /// The image with everything drawn so far.
  open var currentImage: UIImage { drawn?.image ?? UIImage() }

  /// Fills a rectangle with the color of `setFill()`.
  open func fill(_ rect: CGRect) { drawn?.fill(rect) }
}

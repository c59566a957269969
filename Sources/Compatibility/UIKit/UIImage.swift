@_exported import CoreImage
package import Imaging

// UIKit: the image that PhotoKit's signatures mention, functions that draw it smaller, and the
// values of the screen and the device. Left out: named and system images, rendering modes, animated
// and resizable images, and everything that is a view or a view controller.

/// A still picture: as its file had it until its pixels are asked for.
///
///     guard let image = UIImage(contentsOfFile: "/photos/IMG_0001.HEIC") else { return }
///     image.size                                    // upright; nothing has been decoded yet
///     let small = image.jpegData(compressionQuality: 0.8)
///
/// Immutable, and any thread may use it. It keeps the encoded bytes, and the pixels from the first time they are asked for.
open class UIImage: NSObject, @unchecked Sendable {
  // Immutable after init; subclasses guard what they add.

  private let content: Content
  /// Pixels in a point.
  public let scale: CGFloat
  /// How the file stores its picture. Sizes, and what is written, are upright whatever it says; `CIImage(image:)` is not.
  public let imageOrientation: Orientation

  private enum Content: Sendable {
    case none
    case encoded(EncodedPicture)
    case recipe(CIImage)
    /// The pixels as they are stored, to be turned by `imageOrientation`.
    case pixels(PixelBuffer)
  }

  /// UIKit's raw values, which are not EXIF's.
  public enum Orientation: Int, Sendable {
    case up
    case down
    case left
    case right
    case upMirrored
    case downMirrored
    case leftMirrored
    case rightMirrored
  }

  /// An image without a pixel.
  public override init() {
    content = .none
    scale = 1
    imageOrientation = .up
  }

  /// A still picture in any format that the library takes; `nil` for anything else. Of an animation the first frame.
  public convenience init?(data: Data) { self.init(data: data, scale: 1) }

  public init?(data: Data, scale: CGFloat) {
    guard let picture = try? EncodedPicture(data, named: "image data") else { return nil }
    content = .encoded(picture)
    self.scale = scale > 0 ? scale : 1
    imageOrientation = Orientation(exif: picture.metadata.orientation)
  }

  public convenience init?(contentsOfFile path: String) {
    guard let data = try? Data(contentsOf: URL(fileURLWithPath: path)) else { return nil }
    self.init(data: data)
  }

  public init(ciImage: CIImage) {
    content = .recipe(ciImage)
    scale = 1
    imageOrientation = .up
  }

  /// The pixels of `cgImage`, to be turned as the orientation says.
  public init(cgImage: CGImage, scale: CGFloat, orientation: Orientation) {
    content = .pixels(cgImage.pixels)
    self.scale = scale > 0 ? scale : 1
    imageOrientation = orientation
  }

  public convenience init(cgImage: CGImage) { self.init(cgImage: cgImage, scale: 1, orientation: .up) }

  /// Pixels that are decoded already, upright.
  package convenience init(pixels: PixelBuffer) { self.init(pixels: pixels, scale: 1) }

  package init(pixels: PixelBuffer, scale: CGFloat) {
    content = .pixels(pixels)
    self.scale = scale
    imageOrientation = .up
  }

  /// A picture that the library has at hand; decoded when its pixels are first asked for.
  package init(rendition: Rendition) {
    content = .encoded(EncodedPicture(rendition))
    scale = 1
    imageOrientation = .up
  }

  /// Points: pixels divided by `scale`.
  open var size: CGSize {
    let (width, height) = pixelSize
    return CGSize(width: CGFloat(width) / scale, height: CGFloat(height) / scale)
  }

  private var pixelSize: (Int, Int) {
    switch content {
    case .none: (0, 0)
    case .encoded(let picture): (picture.pixelWidth, picture.pixelHeight)
    case .recipe(let image): image.extent.isNull ? (0, 0) : (Int(image.extent.width), Int(image.extent.height))
    case .pixels(let pixels):
      imageOrientation.exif >= 5 ? (pixels.height, pixels.width) : (pixels.width, pixels.height)
    }
  }

  /// The recipe that the image was made with.
  open var ciImage: CIImage? {
    guard case .recipe(let image) = content else { return nil }
    return image
  }

  /// The pixels as their file stores them, in sRGB, before `imageOrientation` is applied. Decodes
  /// them with each call; `nil` if that fails, and for an image of a `CIImage`.
  open var cgImage: CGImage? {
    switch content {
    case .none, .recipe: nil
    case .encoded(let picture):
      // Decoding makes pictures upright.
      (try? picture.pixels()).map { CGImage($0.oriented(CIImage.inverse(imageOrientation.exif))) }
    case .pixels(let pixels): CGImage(pixels)
    }
  }

  /// Draws the image upright on the thread's current image, scaled to fill a rectangle.
  open func draw(in rect: CGRect) {
    guard let drawn = DrawnImage.current, let pixels = pixels() else { return }
    drawn.draw(pixels, in: rect)
  }

  /// Draws the image upright in its own size.
  open func draw(at point: CGPoint) { draw(in: CGRect(origin: point, size: size)) }

  /// Bytes that it holds now: pixels that are decoded later are more.
  package var heldByteCount: Int {
    switch content {
    case .none, .recipe: 0
    case .encoded(let picture): picture.data.count
    case .pixels(let pixels): pixels.bytes.count
    }
  }

  /// Upright, in sRGB; `nil` for an image without pixels and for one whose file can't be decoded.
  package func pixels() -> PixelBuffer? {
    switch content {
    case .none: nil
    case .encoded(let picture): try? picture.pixels()
    case .recipe(let image): image.pixels()
    case .pixels(let pixels): pixels.oriented(imageOrientation.exif)
    }
  }

  /// A new JPEG without metadata, transparent parts white; `nil` where there are no pixels.
  ///
  /// `compressionQuality` goes from 0 (smallest) to 1 (best).
  open func jpegData(compressionQuality: CGFloat) -> Data? {
    let quality = compressionQuality.isFinite ? Int((min(max(compressionQuality, 0), 1) * 100).rounded()) : 100
    return pixels().flatMap { try? encode($0.flattened(), as: "public.jpeg", quality: quality) }
  }

  /// A new PNG without metadata; `nil` where there are no pixels.
  open func pngData() -> Data? { pixels().flatMap { try? encode($0, as: "public.png", quality: 100) } }

  /// The picture of an image, for `CIImage(image:)`.
  fileprivate var storedRecipe: CIImage? {
    switch content {
    case .none: nil
    case .encoded(let picture): CIImage(picture, isUpright: false)
    case .recipe(let image): image
    case .pixels(let pixels): CIImage(pixels: pixels)
    }
  }
}

extension UIImage.Orientation {
  package init(exif orientation: Int) {
    self =
      switch orientation {
      case 2: .upMirrored
      case 3: .down
      case 4: .downMirrored
      case 5: .leftMirrored
      case 6: .right
      case 7: .rightMirrored
      case 8: .left
      default: .up
      }
  }

  /// EXIF's number, 1–8.
  fileprivate var exif: Int {
    switch self {
    case .up: 1
    case .upMirrored: 2
    case .down: 3
    case .downMirrored: 4
    case .leftMirrored: 5
    case .right: 6
    case .rightMirrored: 7
    case .left: 8
    }
  }
}

extension CIImage {
  /// The pixels as their file stores them, whatever `imageOrientation` says; `nil` for an image without pixels.
  ///
  ///     let upright = CIImage(image: image)?.oriented(forExifOrientation: orientation)
  public convenience init?(image: UIImage) {
    guard let recipe = image.storedRecipe else { return nil }
    self.init(copying: recipe)
  }
}

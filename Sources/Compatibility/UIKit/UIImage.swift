@_exported import CoreImage
package import Imaging
@_exported import ItemProviding

// The part of UIKit that this module contains: the image that PhotoKit's signatures mention,
// functions that draw it smaller, the values of the screen and the device, and the view controller
// from which a program shows a picker. Left out: named and system images, rendering modes, animated
// and resizable images, views that show anything.

/// A still picture. It stays encoded until its pixels are needed.
///
///     guard let image = UIImage(contentsOfFile: "/photos/IMG_0001.HEIC") else { return }
///     image.size                                    // upright; nothing has been decoded yet
///     let small = image.jpegData(compressionQuality: 0.8)
///
/// Immutable, and any thread may use it. It keeps the encoded bytes, and the pixels once they were
/// decoded.
open class UIImage: NSObject, NSSecureCoding, @unchecked Sendable {
  // Immutable after init; subclasses guard what they add.

  private let content: Content
  /// Pixels per point.
  public let scale: CGFloat
  /// The orientation in which the file stores its picture. Sizes and written files are always
  /// upright; the result of `CIImage(image:)` is not.
  public let imageOrientation: Orientation

  private enum Content: Sendable {
    case none
    case encoded(EncodedPicture)
    case recipe(CIImage)
    /// The pixels as they are stored. `imageOrientation` says how to turn them.
    case pixels(PixelBuffer)
  }

  /// The orientation with UIKit's raw values, which are not EXIF's.
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

  /// Makes an image without pixels.
  public override init() {
    content = .none
    scale = 1
    imageOrientation = .up
  }

  /// Makes an image of a still picture in any format that the library accepts, or of an animation's
  /// first frame. Returns `nil` for other data.
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

  /// Makes an image of the pixels of `cgImage`, which the orientation turns upright.
  public init(cgImage: CGImage, scale: CGFloat, orientation: Orientation) {
    content = .pixels(cgImage.pixels)
    self.scale = scale > 0 ? scale : 1
    imageOrientation = orientation
  }

  public convenience init(cgImage: CGImage) { self.init(cgImage: cgImage, scale: 1, orientation: .up) }

  /// Makes an image of upright pixels.
  package convenience init(pixels: PixelBuffer) { self.init(pixels: pixels, scale: 1) }

  package init(pixels: PixelBuffer, scale: CGFloat) {
    content = .pixels(pixels)
    self.scale = scale
    imageOrientation = .up
  }

  /// Makes an image of a stored rendition, which is decoded when its pixels are first needed.
  package init(rendition: Rendition) {
    content = .encoded(EncodedPicture(rendition))
    scale = 1
    imageOrientation = .up
  }

  // MARK: Archiving

  open class var supportsSecureCoding: Bool { true }

  private static let dataKey = "data"
  private static let scaleKey = "scale"

  /// Reads an archived image. Returns `nil` if its bytes are no picture.
  public required convenience init?(coder: NSCoder) {
    guard let data = coder.decodeObject(of: NSData.self, forKey: Self.dataKey) else { return nil }
    self.init(data: Data(referencing: data), scale: coder.decodeDouble(forKey: Self.scaleKey))
  }

  /// Archives the encoded bytes if the image holds them, else a PNG. An image without pixels has no
  /// archive that can be read.
  open func encode(with coder: NSCoder) {
    let held: Data? = if case .encoded(let picture) = content { picture.data } else { nil }
    guard let data = held ?? pngData() else { return }
    coder.encode(NSData(data: data), forKey: Self.dataKey)
    coder.encode(Double(scale), forKey: Self.scaleKey)
  }

  /// The size in points: upright pixels divided by `scale`.
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

  /// The `CIImage` that the image was made of.
  open var ciImage: CIImage? {
    guard case .recipe(let image) = content else { return nil }
    return image
  }

  /// The pixels as their file stores them, in sRGB, before `imageOrientation` is applied. `nil` if
  /// they can't be decoded, and for an image of a `CIImage`.
  open var cgImage: CGImage? {
    switch content {
    case .none, .recipe: nil
    case .encoded(let picture):
      // Decoding turns pictures upright.
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

  /// The bytes that the image holds. Pixels decoded later are not included.
  package var heldByteCount: Int {
    switch content {
    case .none, .recipe: 0
    case .encoded(let picture): picture.data.count
    case .pixels(let pixels): pixels.bytes.count
    }
  }

  /// Returns the upright pixels in sRGB. Returns `nil` for an image without pixels, and if its file
  /// can't be decoded.
  package func pixels() -> PixelBuffer? {
    switch content {
    case .none: nil
    case .encoded(let picture): try? picture.pixels()
    case .recipe(let image): image.pixels()
    case .pixels(let pixels): pixels.oriented(imageOrientation.exif)
    }
  }

  /// Returns a JPEG without metadata, or `nil` for an image without pixels. Transparent parts
  /// become white.
  ///
  /// `compressionQuality` goes from 0 (smallest) to 1 (best).
  open func jpegData(compressionQuality: CGFloat) -> Data? {
    let quality = compressionQuality.isFinite ? Int((min(max(compressionQuality, 0), 1) * 100).rounded()) : 100
    return pixels().flatMap { try? written($0.flattened(), as: "public.jpeg", quality: quality) }
  }

  /// Returns a PNG without metadata, or `nil` for an image without pixels.
  open func pngData() -> Data? { pixels().flatMap { try? written($0, as: "public.png", quality: 100) } }

  /// The content as a `CIImage`, not turned by `imageOrientation`.
  fileprivate var unorientedCIImage: CIImage? {
    switch content {
    case .none: nil
    case .encoded(let picture): CIImage(picture, isUpright: false)
    case .recipe(let image): image
    case .pixels(let pixels): CIImage(pixels: pixels)
    }
  }
}

/// Encodes pixels. Within `UIImage`, `encode` is the method that archives it.
private func written(_ pixels: PixelBuffer, as type: String, quality: Int) throws -> Data {
  try encode(pixels, as: type, quality: quality)
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

  /// The EXIF number, 1–8.
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
  /// Makes an image of the pixels as their file stores them, ignoring `imageOrientation`. Returns
  /// `nil` for an image without pixels.
  ///
  ///     let upright = CIImage(image: image)?.oriented(forExifOrientation: orientation)
  public convenience init?(image: UIImage) {
    guard let recipe = image.unorientedCIImage else { return nil }
    self.init(copying: recipe)
  }
}

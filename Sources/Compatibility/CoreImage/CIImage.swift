@_exported import CoreGraphics
internal import ImageFilters
@_exported import ImageIO
package import Imaging

// The part of CoreImage that this module contains: images, filters of color and geometry, and the
// context that writes images. Left out: every filter that `CIFilter.filterNames(inCategories:)`
// doesn't list (blurs, blends, generators), `CIFilterBuiltins`, compositing, samplers, kernels,
// detectors, bar codes, and drawing into textures.

/// A recipe for a picture. Nothing is decoded or computed until a `CIContext` renders it.
///
///     let image = CIImage(contentsOf: url)?.oriented(forExifOrientation: orientation)
///     let brown = image?.applyingFilter("CISepiaTone", parameters: [kCIInputIntensityKey: 0.8])
///     let middle = brown?.cropped(to: CGRect(x: 100, y: 100, width: 400, height: 300))
///
/// Immutable, and any thread may use it. Points are pixels; the origin is at the bottom left and y
/// points up. Pixels outside a crop are not computed, and consecutive color filters are one pass
/// over the pixels.
public final class CIImage: NSObject, Sendable {
  /// The bounds in whole pixels; infinite after `clampedToExtent()`.
  public let extent: CGRect
  let content: Content

  indirect enum Content: Sendable {
    case empty
    /// Decoded upright.
    case picture(EncodedPicture)
    case pixels(PixelBuffer)
    /// The number is an EXIF orientation, 1–8.
    case oriented(CIImage, Int)
    case cropped(CIImage)
    case colored(CIImage, ColorPipeline)
    case transformed(CIImage, CGAffineTransform)
    case clamped(CIImage)
    /// One pixel, the mean of the whole image.
    case averaged(CIImage)
  }

  init(extent: CGRect, _ content: Content) {
    self.extent = extent
    self.content = content
  }

  /// Makes an image of a still picture in any format that the library accepts. Returns `nil` for
  /// other data.
  ///
  /// The picture is as its file stores it, unless the option `.applyOrientationProperty` is true.
  /// `oriented(forExifOrientation:)` turns it upright. Pictures in HEIF files are always upright,
  /// since the format itself turns them.
  public convenience init?(data: Data, options: [CIImageOption: Any]? = nil) {
    self.init(try? EncodedPicture(data, named: "image data"), options)
  }

  /// Makes an image of a file. The file is read at once and decoded later.
  public convenience init?(contentsOf url: URL, options: [CIImageOption: Any]? = nil) {
    self.init((try? Data(contentsOf: url)).flatMap { try? EncodedPicture($0, named: url.path) }, options)
  }

  private convenience init?(_ source: EncodedPicture?, _ options: [CIImageOption: Any]?) {
    guard let source else { return nil }
    self.init(source, isUpright: options?[.applyOrientationProperty] as? Bool ?? false)
  }

  /// Makes an image of a picture that a `UIImage` shares.
  package convenience init(_ source: EncodedPicture, isUpright: Bool) {
    let size = CGSize(width: source.pixelWidth, height: source.pixelHeight)
    let orientation = source.metadata.orientation
    let content = Content.picture(source)
    // Decoding turns pictures upright.
    guard !isUpright, orientation != 1 else {
      self.init(extent: CGRect(origin: .zero, size: size), content)
      return
    }
    let upright = CIImage(extent: CGRect(origin: .zero, size: size), content)
    self.init(copying: upright.oriented(forExifOrientation: Int32(Self.inverse(orientation))))
  }

  /// Makes an image of pixels. The options have no effect: they configure the reading of a file.
  public convenience init(cgImage image: CGImage, options: [CIImageOption: Any]? = nil) {
    self.init(pixels: image.pixels)
  }

  /// Makes an image of pixels in memory, for example of a movie's frame.
  package convenience init(pixels: PixelBuffer) {
    self.init(extent: CGRect(x: 0, y: 0, width: pixels.width, height: pixels.height), .pixels(pixels))
  }

  package convenience init(copying image: CIImage) { self.init(extent: image.extent, image.content) }

  /// Returns an image without pixels. Its extent is null.
  public class func empty() -> CIImage { CIImage(extent: .null, .empty) }

  /// The color space of the image's file, for example Display P3 for a phone's photo. Filters work
  /// in it; pass it to a context to write the image in it. It is sRGB if there is no file, or if
  /// its colors can't be edited (HDR, inks, tables). `nil` for an empty image.
  ///
  /// Reading it decodes the picture. The decoded picture is kept for rendering.
  public var colorSpace: CGColorSpace? {
    guard !extent.isNull else { return nil }
    guard let profile = profile() else { return CGColorSpaceCreateDeviceRGB() }
    return CGColorSpace(profile: profile)
  }

  /// The metadata of the file under ImageIO's keys, as from `CGImageSourceCopyPropertiesAtIndex`.
  /// Empty for pixels without a file.
  ///
  /// A context writes this metadata, and more, into the files that it makes.
  public var properties: [String: Any] {
    guard let picture = file?.picture else { return [:] }
    let read = try? PictureProperties(of: MediaFile(data: picture.data, name: "image data"))
    return imageProperties(of: picture.metadata, read ?? PictureProperties())
  }

  /// The file that the recipe starts with, and whether its rows and columns are unchanged.
  package var file: (picture: EncodedPicture, keepsGeometry: Bool)? {
    switch content {
    case .empty, .pixels: nil
    case .picture(let picture): (picture, picture.metadata.orientation == 1)
    case .colored(let image, _): image.file
    case .oriented(let image, _), .cropped(let image), .transformed(let image, _), .clamped(let image),
      .averaged(let image):
      image.file.map { ($0.picture, false) }
    }
  }

  package static func inverse(_ orientation: Int) -> Int {
    switch orientation {
    case 6: 8
    case 8: 6
    default: orientation
    }
  }
}

/// An option for reading an image.
public struct CIImageOption: RawRepresentable, Hashable, Sendable {
  public let rawValue: String
  public init(rawValue: String) { self.rawValue = rawValue }

  /// A `Bool`: true to turn the picture upright.
  public static let applyOrientationProperty = CIImageOption(rawValue: "kCIImageApplyOrientationProperty")
}

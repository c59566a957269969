@_exported import CoreGraphics
@_exported import ImageIO
package import Imaging

// Of CoreImage, images, filters of colour and geometry, and the context that writes images. Left out: every filter that
// `CIFilter.filterNames(inCategories:)` doesn't list (blurs, blends, generators), `CIFilterBuiltins`, compositing, samplers, kernels,
// detectors, bar codes, and drawing into textures.

/// A recipe for a picture: nothing is decoded or computed before a `CIContext` asks for it.
///
///     let image = CIImage(contentsOf: url)?.oriented(forExifOrientation: orientation)
///     let brown = image?.applyingFilter("CISepiaTone", parameters: [kCIInputIntensityKey: 0.8])
///     let middle = brown?.cropped(to: CGRect(x: 100, y: 100, width: 400, height: 300))
///
/// Immutable, and any thread may use it. Points are pixels; the origin is at the bottom left and y goes up. What a crop leaves out is not
/// computed, and filters of colour that follow each other are one pass over the pixels.
public final class CIImage: NSObject, Sendable {
  /// Whole pixels; infinite after `clampedToExtent()`.
  public let extent: CGRect
  let content: Content

  indirect enum Content: Sendable {
    case empty
    /// Upright.
    case picture(EncodedPicture)
    case pixels(PixelBuffer)
    /// EXIF's 1–8.
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

  /// A still picture in any format that the library takes; `nil` for anything else.
  ///
  /// The picture is as its file stores it, unless the options say `.applyOrientationProperty: true`: `oriented(forExifOrientation:)`
  /// makes it upright. HEIF files turn their pictures themselves.
  public convenience init?(data: Data, options: [CIImageOption: Any]? = nil) {
    self.init(try? EncodedPicture(data, named: "image data"), options)
  }

  /// The same of a file, which is read at once and decoded later.
  public convenience init?(contentsOf url: URL, options: [CIImageOption: Any]? = nil) {
    self.init((try? Data(contentsOf: url)).flatMap { try? EncodedPicture($0, named: url.path) }, options)
  }

  private convenience init?(_ source: EncodedPicture?, _ options: [CIImageOption: Any]?) {
    guard let source else { return nil }
    self.init(source, isUpright: options?[.applyOrientationProperty] as? Bool ?? false)
  }

  /// A picture that is shared with a `UIImage`.
  package convenience init(_ source: EncodedPicture, isUpright: Bool) {
    let size = CGSize(width: source.pixelWidth, height: source.pixelHeight)
    let orientation = source.metadata.orientation
    let content = Content.picture(source)
    // Decoding makes pictures upright.
    guard !isUpright, orientation != 1 else {
      self.init(extent: CGRect(origin: .zero, size: size), content)
      return
    }
    let upright = CIImage(extent: CGRect(origin: .zero, size: size), content)
    self.init(copying: upright.oriented(forExifOrientation: Int32(Self.inverse(orientation))))
  }

  /// Pixels in memory; options say how they are read, and change nothing.
  public convenience init(cgImage image: CGImage, options: [CIImageOption: Any]? = nil) {
    self.init(pixels: image.pixels)
  }

  /// Pixels that are there already: a movie's frame.
  package convenience init(pixels: PixelBuffer) {
    self.init(extent: CGRect(x: 0, y: 0, width: pixels.width, height: pixels.height), .pixels(pixels))
  }

  package convenience init(copying image: CIImage) { self.init(extent: image.extent, image.content) }

  /// An image without a pixel; its extent is null.
  public class func empty() -> CIImage { CIImage(extent: .null, .empty) }

  /// The colours of its file, in which it is filtered and, if the context is given them, written: Display P3 of a phone's photo. sRGB
  /// where there is no file, and where its colours can't be edited (HDR, inks, tables); `nil` for an empty image.
  ///
  /// It is known from the decoded picture, which is then there for whoever renders the image.
  public var colorSpace: CGColorSpace? {
    guard !extent.isNull else { return nil }
    guard let profile = profile() else { return CGColorSpaceCreateDeviceRGB() }
    return CGColorSpace(profile: profile)
  }

  /// What the file says of itself, by ImageIO's keys: `CGImageSourceCopyPropertiesAtIndex`. Empty for pixels without a file.
  ///
  /// A context writes all of it, and more, into the files that it makes of the recipe.
  public var properties: [String: Any] {
    guard let picture = file?.picture else { return [:] }
    let read = try? PictureProperties(of: MediaFile(data: picture.data, name: "image data"))
    return imageProperties(of: picture.metadata, read ?? PictureProperties())
  }

  /// The file at the recipe's start, and whether each pixel is where it was in the file's own rows and columns.
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

/// How an image is read.
public struct CIImageOption: RawRepresentable, Hashable, Sendable {
  public let rawValue: String
  public init(rawValue: String) { self.rawValue = rawValue }

  /// A `Bool`: whether the picture is made upright.
  public static let applyOrientationProperty = CIImageOption(rawValue: "kCIImageApplyOrientationProperty")
}

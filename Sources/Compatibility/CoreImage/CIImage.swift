@_exported import CoreGraphics
@_exported import ImageIO
package import Imaging

// Of CoreImage, images and the context that writes them. Left out: filters (`CIFilter`), affine transforms, compositing, samplers,
// kernels, detectors, bar codes, and drawing into textures or `CGImage`s.

/// A recipe for a picture: nothing is decoded or computed before a `CIContext` asks for it.
///
///     let image = CIImage(contentsOf: url)?.oriented(forExifOrientation: orientation)
///     let middle = image?.cropped(to: CGRect(x: 100, y: 100, width: 400, height: 300))
///
/// Immutable, and any thread may use it. Points are pixels; the origin is at the bottom left and y goes up.
public final class CIImage: NSObject, Sendable {
  public let extent: CGRect
  private let source: EncodedPicture?
  private let steps: [Step]

  private enum Step: Equatable, Sendable {
    /// EXIF's 1–8.
    case orient(Int)
    /// The rectangle that stays, in pixels from the top left.
    case crop(x: Range<Int>, y: Range<Int>)
  }

  private init(extent: CGRect, source: EncodedPicture?, steps: [Step]) {
    self.extent = extent
    self.source = source
    self.steps = steps
  }

  /// A still picture in any format that the library takes; `nil` for anything else.
  ///
  /// The picture is as its file stores it, unless the options say `.applyOrientationProperty: true`: `oriented(forExifOrientation:)`
  /// makes it upright. HEIF files turn their pictures themselves.
  public convenience init?(data: Data, options: [CIImageOption: Any]? = nil) {
    self.init(try? EncodedPicture(data, named: "image data"), options)
  }

  public convenience init?(contentsOf url: URL, options: [CIImageOption: Any]? = nil) {
    self.init((try? Data(contentsOf: url)).flatMap { try? EncodedPicture($0, named: url.path) }, options)
  }

  private convenience init?(_ source: EncodedPicture?, _ options: [CIImageOption: Any]?) {
    guard let source else { return nil }
    self.init(source, isUpright: options?[.applyOrientationProperty] as? Bool ?? false)
  }

  /// A picture that is shared with a `UIImage`.
  package convenience init(_ source: EncodedPicture, isUpright: Bool) {
    let orientation = source.metadata.orientation
    // Decoding makes pictures upright.
    let back = isUpright || orientation == 1 ? [] : [Step.orient(Self.inverse(orientation))]
    let isTurned = !back.isEmpty && orientation >= 5
    let size =
      isTurned
      ? CGSize(width: source.pixelHeight, height: source.pixelWidth)
      : CGSize(width: source.pixelWidth, height: source.pixelHeight)
    self.init(extent: CGRect(origin: .zero, size: size), source: source, steps: back)
  }

  package convenience init(copying image: CIImage) {
    self.init(extent: image.extent, source: image.source, steps: image.steps)
  }

  /// An image without a pixel; its extent is null.
  public class func empty() -> CIImage { CIImage(extent: .null, source: nil, steps: []) }

  /// sRGB; `nil` for an empty image.
  public var colorSpace: CGColorSpace? { source.map { _ in CGColorSpaceCreateDeviceRGB() } }

  /// Turned and mirrored; the result's origin is at zero.
  public func oriented(_ orientation: CGImagePropertyOrientation) -> CIImage {
    let value = Int(orientation.rawValue)
    guard !extent.isNull, value != 1 else { return self }
    let size = value >= 5 ? CGSize(width: extent.height, height: extent.width) : extent.size
    let undoes = steps.last == .orient(Self.inverse(value))
    return CIImage(
      extent: CGRect(origin: .zero, size: size), source: source,
      steps: undoes ? steps.dropLast() : steps + [.orient(value)])
  }

  /// The same by EXIF's number; one that is not 1–8 changes nothing.
  public func oriented(forExifOrientation orientation: Int32) -> CIImage {
    UInt32(exactly: orientation).flatMap(CGImagePropertyOrientation.init).map(oriented) ?? self
  }

  /// What is inside a rectangle, at its place; the rectangle grows to whole pixels.
  public func cropped(to rect: CGRect) -> CIImage {
    guard !extent.isNull else { return self }
    let kept = extent.intersection(rect).integral.intersection(extent)
    guard !kept.isNull, kept.width >= 1, kept.height >= 1 else { return .empty() }
    guard kept != extent else { return self }
    let (left, top) = (Int(kept.minX - extent.minX), Int(extent.maxY - kept.maxY))
    let crop = Step.crop(x: left..<left + Int(kept.width), y: top..<top + Int(kept.height))
    return CIImage(extent: kept, source: source, steps: steps + [crop])
  }

  /// The recipe carried out; `nil` for an empty image and for one whose file can't be decoded.
  package func pixels() -> PixelBuffer? {
    guard let source, let pixels = try? source.pixels() else { return nil }
    return steps.reduce(Optional(pixels)) { pixels, step in
      switch step {
      case .orient(let orientation): pixels?.oriented(orientation)
      case .crop(let x, let y): pixels?.cropped(x: x, y: y)
      }
    }
  }

  private static func inverse(_ orientation: Int) -> Int {
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

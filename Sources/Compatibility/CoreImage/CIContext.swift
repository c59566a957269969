package import Imaging

/// Carries out images' recipes and writes what they give.
///
///     let context = CIContext()
///     if let space = image.colorSpace {
///       try context.writeJPEGRepresentation(of: image, to: output.renderedContentURL, colorSpace: space)
///     }
///
/// - A file that was read by its recipe hands on what it says of itself: EXIF, place, XMP and IPTC, with the orientation reset and the
///   sizes corrected (`CarriedMetadata`).
/// - It keeps nothing, so that making one costs nothing; any thread may use it.
public final class CIContext: NSObject, Sendable {
  public override init() {}

  /// Options say how a graphics processor is used, and there is none here: they change nothing.
  public init(options: [CIContextOption: Any]?) {}

  /// `nil` for an empty image and for one whose file can't be decoded. Transparent parts become white.
  public func jpegRepresentation(
    of image: CIImage, colorSpace: CGColorSpace, options: [CIImageRepresentationOption: Any] = [:]
  ) -> Data? { try? encoded(image, "public.jpeg", options) }

  public func heifRepresentation(
    of image: CIImage, format: CIFormat, colorSpace: CGColorSpace,
    options: [CIImageRepresentationOption: Any] = [:]
  ) -> Data? { try? encoded(image, "public.heic", options) }

  public func pngRepresentation(
    of image: CIImage, format: CIFormat, colorSpace: CGColorSpace,
    options: [CIImageRepresentationOption: Any] = [:]
  ) -> Data? { try? encoded(image, "public.png", options) }

  public func writeJPEGRepresentation(
    of image: CIImage, to url: URL, colorSpace: CGColorSpace, options: [CIImageRepresentationOption: Any] = [:]
  ) throws { try write(image, "public.jpeg", options, to: url) }

  public func writeHEIFRepresentation(
    of image: CIImage, to url: URL, format: CIFormat, colorSpace: CGColorSpace,
    options: [CIImageRepresentationOption: Any] = [:]
  ) throws {
    try write(image, "public.heic", options, to: url)
  }

  public func writePNGRepresentation(
    of image: CIImage, to url: URL, format: CIFormat, colorSpace: CGColorSpace,
    options: [CIImageRepresentationOption: Any] = [:]
  ) throws {
    try write(image, "public.png", options, to: url)
  }

  /// Of an image that doesn't say how well it is to look.
  private static let standardQuality = 0.92

  private func encoded(_ image: CIImage, _ type: String, _ options: [CIImageRepresentationOption: Any])
    throws(ImagingError) -> Data
  {
    let asked = options[kCGImageDestinationLossyCompressionQuality]
    let quality =
      asked as? Double ?? (asked as? CGFloat).map(Double.init) ?? (asked as? NSNumber)?.doubleValue
      ?? Self.standardQuality
    return try image.encoded(as: type, quality: quality)
  }

  private func write(
    _ image: CIImage, _ type: String, _ options: [CIImageRepresentationOption: Any], to url: URL
  ) throws {
    do { try encoded(image, type, options).write(to: url, options: .atomic) } catch let error as ImagingError {
      throw CocoaError(
        .fileWriteUnknown,
        userInfo: [
          NSFilePathErrorKey: url.path, NSUnderlyingErrorKey: error,
          NSLocalizedDescriptionKey: "\(url.path): the image can't be written: \(error)",
        ])
    }
  }
}

extension CIImage {
  /// The recipe carried out and encoded, with what its file says of itself.
  ///
  /// `quality` goes from 0 (smallest) to 1 (best). The types are those of `encode(_:as:quality:carrying:)`.
  package func encoded(as uniformTypeIdentifier: String, quality: Double) throws(ImagingError) -> Data {
    var pixels = try render()
    if uniformTypeIdentifier == "public.jpeg" { pixels = pixels.flattened() }
    let percent = quality.isFinite ? Int((min(max(quality, 0), 1) * 100).rounded()) : 100
    guard let file else { return try encode(pixels, as: uniformTypeIdentifier, quality: percent) }
    let carried = try CarriedMetadata(
      from: MediaFile(data: file.picture.data, name: "image data"), metadata: file.picture.metadata,
      width: pixels.width, height: pixels.height, keepsGeometry: file.keepsGeometry)
    return try encode(pixels, as: uniformTypeIdentifier, quality: percent, carrying: carried)
  }
}

/// How a context works.
public struct CIContextOption: RawRepresentable, Hashable, Sendable {
  public let rawValue: String
  public init(rawValue: String) { self.rawValue = rawValue }

  public static let useSoftwareRenderer = CIContextOption(rawValue: "software_renderer")
}

/// How an image is written.
public struct CIImageRepresentationOption: RawRepresentable, Hashable, Sendable {
  public let rawValue: String
  public init(rawValue: String) { self.rawValue = rawValue }
}

/// A number from 0 to 1. ImageIO's name; it is of this type here, so that `… as CIImageRepresentationOption` compiles.
public let kCGImageDestinationLossyCompressionQuality = CIImageRepresentationOption(
  rawValue: "kCGImageDestinationLossyCompressionQuality")

/// The layout of pixels: 8 bits for each of red, green, blue and alpha.
public struct CIFormat: Hashable, Sendable {
  // CoreImage spells it so.
  // swift-format-ignore: AlwaysUseLowerCamelCase
  public static let RGBA8 = CIFormat()
}

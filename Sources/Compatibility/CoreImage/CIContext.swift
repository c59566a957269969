internal import Imaging

/// Carries out images' recipes and writes what they give.
///
///     let context = CIContext()
///     if let space = image.colorSpace {
///       try context.writeJPEGRepresentation(of: image, to: output.renderedContentURL, colorSpace: space)
///     }
///
/// It keeps nothing, so that making one costs nothing; any thread may use it.
public final class CIContext: NSObject, Sendable {
  public override init() {}

  /// Options say how a graphics processor is used, and there is none here: they change nothing.
  public init(options: [CIContextOption: Any]?) {}

  /// `nil` for an empty image and for one whose file can't be decoded. Transparent parts become white.
  public func jpegRepresentation(
    of image: CIImage, colorSpace: CGColorSpace, options: [CIImageRepresentationOption: Any] = [:]
  ) -> Data? { encoded(image, "public.jpeg", options) }

  public func heifRepresentation(
    of image: CIImage, format: CIFormat, colorSpace: CGColorSpace,
    options: [CIImageRepresentationOption: Any] = [:]
  ) -> Data? { encoded(image, "public.heic", options) }

  public func pngRepresentation(
    of image: CIImage, format: CIFormat, colorSpace: CGColorSpace,
    options: [CIImageRepresentationOption: Any] = [:]
  ) -> Data? { encoded(image, "public.png", options) }

  public func writeJPEGRepresentation(
    of image: CIImage, to url: URL, colorSpace: CGColorSpace, options: [CIImageRepresentationOption: Any] = [:]
  ) throws { try write(jpegRepresentation(of: image, colorSpace: colorSpace, options: options), to: url) }

  public func writeHEIFRepresentation(
    of image: CIImage, to url: URL, format: CIFormat, colorSpace: CGColorSpace,
    options: [CIImageRepresentationOption: Any] = [:]
  ) throws {
    try write(heifRepresentation(of: image, format: format, colorSpace: colorSpace, options: options), to: url)
  }

  public func writePNGRepresentation(
    of image: CIImage, to url: URL, format: CIFormat, colorSpace: CGColorSpace,
    options: [CIImageRepresentationOption: Any] = [:]
  ) throws {
    try write(pngRepresentation(of: image, format: format, colorSpace: colorSpace, options: options), to: url)
  }

  /// Of an image that doesn't say how well it is to look.
  private static let standardQuality = 0.9

  private func encoded(_ image: CIImage, _ type: String, _ options: [CIImageRepresentationOption: Any]) -> Data? {
    guard let pixels = image.pixels() else { return nil }
    let asked = options[kCGImageDestinationLossyCompressionQuality]
    let quality = asked as? Double ?? (asked as? CGFloat).map(Double.init) ?? Self.standardQuality
    return try? encode(
      type == "public.jpeg" ? pixels.flattened() : pixels, as: type, quality: Int((quality * 100).rounded()))
  }

  private func write(_ data: Data?, to url: URL) throws {
    guard let data else {
      throw CocoaError(
        .fileWriteUnknown,
        userInfo: [
          NSFilePathErrorKey: url.path,
          NSLocalizedDescriptionKey: "\(url.path): the image is empty or can't be decoded",
        ])
    }
    try data.write(to: url, options: .atomic)
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

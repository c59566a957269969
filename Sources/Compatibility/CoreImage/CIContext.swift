package import Imaging

/// Renders images and writes the results.
///
///     let context = CIContext()
///     if let space = image.colorSpace {
///       try context.writeJPEGRepresentation(of: image, to: output.renderedContentURL, colorSpace: space)
///     }
///
/// - The written file keeps the metadata of the file that the image was read from: EXIF, place, XMP
///   and IPTC. The orientation is reset and the sizes are corrected (`CarriedMetadata`).
/// - An image is filtered in the colors of its file, with 8 bits per channel, and converted to the
///   color space of the output. Pass the image's own (`CIImage.colorSpace`), and a photo in Display
///   P3 stays in Display P3.
/// - A context caches nothing, so it is cheap to make. Any thread may use it.
public final class CIContext: NSObject, Sendable {
  /// Makes a context. It can render any image.
  public override init() {}

  /// Makes a context. The options have no effect: they configure a graphics processor.
  public init(options: [CIContextOption: Any]?) {}

  /// Returns a JPEG file, or `nil` if the image is empty or its file can't be decoded. Transparent
  /// parts become white.
  public func jpegRepresentation(
    of image: CIImage, colorSpace: CGColorSpace, options: [CIImageRepresentationOption: Any] = [:]
  ) -> Data? { try? encoded(image, as: "public.jpeg", in: colorSpace, options: options) }

  /// Like `jpegRepresentation`, but keeps transparency.
  public func heifRepresentation(
    of image: CIImage, format: CIFormat, colorSpace: CGColorSpace,
    options: [CIImageRepresentationOption: Any] = [:]
  ) -> Data? { try? encoded(image, as: "public.heic", in: colorSpace, options: options) }

  /// Like `jpegRepresentation`, but lossless, and keeps transparency.
  public func pngRepresentation(
    of image: CIImage, format: CIFormat, colorSpace: CGColorSpace,
    options: [CIImageRepresentationOption: Any] = [:]
  ) -> Data? { try? encoded(image, as: "public.png", in: colorSpace, options: options) }

  /// Writes a JPEG file. An existing file is replaced atomically. If the image can't be encoded,
  /// throws `CocoaError.fileWriteUnknown` with the cause.
  public func writeJPEGRepresentation(
    of image: CIImage, to url: URL, colorSpace: CGColorSpace, options: [CIImageRepresentationOption: Any] = [:]
  ) throws { try write(image, as: "public.jpeg", in: colorSpace, options: options, to: url) }

  /// Like `writeJPEGRepresentation`.
  public func writeHEIFRepresentation(
    of image: CIImage, to url: URL, format: CIFormat, colorSpace: CGColorSpace,
    options: [CIImageRepresentationOption: Any] = [:]
  ) throws {
    try write(image, as: "public.heic", in: colorSpace, options: options, to: url)
  }

  /// Like `writeJPEGRepresentation`.
  public func writePNGRepresentation(
    of image: CIImage, to url: URL, format: CIFormat, colorSpace: CGColorSpace,
    options: [CIImageRepresentationOption: Any] = [:]
  ) throws {
    try write(image, as: "public.png", in: colorSpace, options: options, to: url)
  }

  /// Returns the pixels of a rectangle in sRGB, transparent outside the image. Returns `nil` for a
  /// rectangle without an area, and if the image's file can't be decoded.
  public func createCGImage(_ image: CIImage, from fromRect: CGRect) -> CGImage? {
    (try? image.part(fromRect).converted(to: nil)).map(CGImage.init)
  }

  /// Like `createCGImage(_:from:)`. Format and color space have no effect: a `CGImage` is in sRGB.
  public func createCGImage(_ image: CIImage, from fromRect: CGRect, format: CIFormat, colorSpace: CGColorSpace?)
    -> CGImage?
  { createCGImage(image, from: fromRect) }

  /// Writes the pixels of a rectangle: rows of red, green, blue and premultiplied alpha, top row
  /// first.
  ///
  /// Without a color space, the pixels stay in the colors of the image's file. Writes nothing if
  /// the image can't be rendered, or if `rowBytes` is too small for a row.
  public func render(
    _ image: CIImage, toBitmap data: UnsafeMutableRawPointer, rowBytes: Int, bounds: CGRect, format: CIFormat,
    colorSpace: CGColorSpace?
  ) {
    guard let part = try? image.part(bounds),
      let pixels = try? colorSpace.map({ try part.converted(to: $0.iccProfile) }) ?? part.pixels,
      rowBytes >= pixels.width * 4
    else { return }
    for row in 0..<pixels.height {
      let target = (data + row * rowBytes).assumingMemoryBound(to: UInt8.self)
      for column in 0..<pixels.width {
        let from = (row * pixels.width + column) * pixels.channels
        let alpha = pixels.channels == 4 ? UInt32(pixels.bytes[from + 3]) : 255
        for channel in 0..<3 {
          target[column * 4 + channel] = UInt8(
            truncatingIfNeeded: (UInt32(pixels.bytes[from + channel]) * alpha + 127) / 255)
        }
        target[column * 4 + 3] = UInt8(truncatingIfNeeded: alpha)
      }
    }
  }

  /// Does nothing, since a context has no caches.
  public func clearCaches() {}

  /// The quality if the options contain none. The project guarantees it for the render of an edit,
  /// too.
  package static let standardQuality = 0.92

  private func encoded(
    _ image: CIImage, as type: String, in space: CGColorSpace, options: [CIImageRepresentationOption: Any]
  ) throws(ImagingError) -> Data {
    let asked = options[kCGImageDestinationLossyCompressionQuality]
    let quality =
      asked as? Double ?? (asked as? CGFloat).map(Double.init) ?? (asked as? NSNumber)?.doubleValue
      ?? Self.standardQuality
    return try image.encoded(as: type, quality: quality, in: space)
  }

  private func write(
    _ image: CIImage, as type: String, in space: CGColorSpace, options: [CIImageRepresentationOption: Any],
    to url: URL
  ) throws {
    do { try encoded(image, as: type, in: space, options: options).write(to: url, options: .atomic) } catch let error
      as ImagingError
    {
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
  /// Renders and encodes the image, with the metadata of its file.
  ///
  /// `quality` goes from 0 (smallest) to 1 (best). The types are those of
  /// `encode(_:as:quality:carrying:)`. Without a color space, the result is in the colors of the
  /// image's file if the format can hold a color profile, else in sRGB.
  package func encoded(
    as uniformTypeIdentifier: String, quality: Double, in space: CGColorSpace? = nil
  ) throws(ImagingError) -> Data {
    let picture = try render()
    let holdsProfiles = Self.typesWithProfiles.contains(uniformTypeIdentifier)
    let profile = holdsProfiles ? space.map(\.iccProfile) ?? picture.profile : nil
    var pixels = try picture.converted(to: profile)
    if uniformTypeIdentifier == "public.jpeg" { pixels = pixels.flattened() }
    let percent = quality.isFinite ? Int((min(max(quality, 0), 1) * 100).rounded()) : 100
    var carried = CarriedMetadata()
    if let file {
      carried = try CarriedMetadata(
        from: MediaFile(data: file.picture.data, name: "image data"), metadata: file.picture.metadata,
        width: pixels.width, height: pixels.height, keepsGeometry: file.keepsGeometry)
    } else if profile == nil {
      return try encode(pixels, as: uniformTypeIdentifier, quality: percent)
    }
    if let profile { carried.profile = profile }
    return try encode(pixels, as: uniformTypeIdentifier, quality: percent, carrying: carried)
  }

  private static let typesWithProfiles: Set = [
    "public.jpeg", "public.png", "public.heic", "public.avif", "org.webmproject.webp",
  ]
}

extension CGColorSpace {
  /// Makes the named color space if the profile is Display P3, else a color space of the profile.
  convenience init?(profile: [UInt8]) {
    if profile == ColoredPicture.displayP3 {
      self.init(name: CGColorSpace.displayP3)
    } else {
      self.init(iccData: Data(profile))
    }
  }

  /// The ICC profile; `nil` means sRGB.
  fileprivate var iccProfile: [UInt8]? {
    switch name {
    case CGColorSpace.displayP3: ColoredPicture.displayP3
    case nil: copyICCData().map { [UInt8]($0) }
    default: nil
    }
  }
}

/// An option of a context.
public struct CIContextOption: RawRepresentable, Hashable, Sendable {
  public let rawValue: String
  public init(rawValue: String) { self.rawValue = rawValue }

  public static let useSoftwareRenderer = CIContextOption(rawValue: "software_renderer")
  public static let workingColorSpace = CIContextOption(rawValue: "working_color_space")
  public static let outputColorSpace = CIContextOption(rawValue: "output_color_space")
  public static let workingFormat = CIContextOption(rawValue: "working_format")
  public static let highQualityDownsample = CIContextOption(rawValue: "high_quality_downsample")
  public static let priorityRequestLow = CIContextOption(rawValue: "low_priority")
  public static let cacheIntermediates = CIContextOption(rawValue: "cache_intermediates")
}

/// An option for writing an image.
public struct CIImageRepresentationOption: RawRepresentable, Hashable, Sendable {
  public let rawValue: String
  public init(rawValue: String) { self.rawValue = rawValue }
}

/// The option for ImageIO's quality, from 0 to 1, under ImageIO's name.
public let kCGImageDestinationLossyCompressionQuality = CIImageRepresentationOption(
  rawValue: "kCGImageDestinationLossyCompressionQuality")

/// The layout of a pixel: 8 bits each for red, green, blue and alpha.
public struct CIFormat: Hashable, Sendable {
  // CoreImage uses this spelling.
  // swift-format-ignore: AlwaysUseLowerCamelCase
  public static let RGBA8 = CIFormat()
}

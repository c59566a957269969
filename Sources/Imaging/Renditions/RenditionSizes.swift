/// Width and height in pixels.
public struct PixelSize: Hashable, Sendable {
  public var width: Int
  public var height: Int

  public init(width: Int, height: Int) {
    self.width = width
    self.height = height
  }

  public var longSide: Int { max(width, height) }
  var shortSide: Int { min(width, height) }
  public var pixels: Int { width * height }

  /// The same shape; fractions of a pixel count as one.
  func scaled(by factor: Double) -> PixelSize {
    func scaled(_ side: Int) -> Int { min(side, max(1, Int((Double(side) * factor - 1e-6).rounded(.up)))) }
    return factor >= 1 ? self : PixelSize(width: scaled(width), height: scaled(height))
  }

  /// The same shape with the longer side of another size.
  func fitting(_ other: PixelSize) -> PixelSize { scaled(other.longSide, over: longSide) }

  /// The same shape, `numerator / denominator` as large; each side at least one pixel.
  func scaled(_ numerator: Int, over denominator: Int) -> PixelSize {
    PixelSize(
      width: max(1, (width * numerator + denominator / 2) / denominator),
      height: max(1, (height * numerator + denominator / 2) / denominator))
  }
}

extension RenditionKind {
  static let gridShortSide = 360
  static let gridLongSide = 1440
  static let screenLongSide = 2048
  /// A picture that a whole-number shrink brings between this and `screenLongSide` is not resized any further.
  static let screenLongSideWithoutResizing = 1600

  /// How large this kind of rendition is for a picture of this size; never larger than the picture.
  public func size(of picture: PixelSize) -> PixelSize {
    switch self {
    case .full: return picture
    case .grid:
      // The side whose limit is the tighter one decides.
      let shortSideDecides = Self.gridShortSide * picture.longSide <= Self.gridLongSide * picture.shortSide
      let (limit, side) =
        shortSideDecides ? (Self.gridShortSide, picture.shortSide) : (Self.gridLongSide, picture.longSide)
      return limit < side ? picture.scaled(limit, over: side) : picture
    case .screen:
      let long = picture.longSide
      guard long > Self.screenLongSide else { return picture }
      let divisor = (long + Self.screenLongSide - 1) / Self.screenLongSide
      if long / divisor >= Self.screenLongSideWithoutResizing {
        return PixelSize(width: max(1, picture.width / divisor), height: max(1, picture.height / divisor))
      }
      return picture.scaled(Self.screenLongSide, over: long)
    }
  }
}

/// What a decoder is asked for: pixels for the largest of these renditions, or for a fraction of the picture, and it may give more.
struct DecodingRequest {
  var largest: RenditionKind
  /// Pixels stay in the colours of their file, which the decoder tells; only the decoders that convert at once ask for it.
  var keepsColors = false
  private var scale: Double?
  var limits: DecodingLimits
  var deadline: ContinuousClock.Instant

  init(kinds: Set<RenditionKind>, limits: DecodingLimits) {
    self.largest = kinds.contains(.full) ? .full : kinds.contains(.screen) ? .screen : .grid
    self.limits = limits
    self.deadline = .now + .seconds(limits.seconds)
  }

  /// `picture`: how large it is, as far as it tells.
  init(scale: Double, of picture: PixelSize, limits: DecodingLimits) {
    let isSmall = scale < 1 && picture.scaled(by: scale).longSide <= RenditionKind.screenLongSide
    self.init(kinds: [isSmall ? .grid : .full], limits: limits)
    self.scale = scale
  }

  /// What a decoder has to give for a picture of this size.
  func size(of picture: PixelSize) -> PixelSize { scale.map(picture.scaled(by:)) ?? largest.size(of: picture) }

  /// Whether it is for the pictures that the library keeps of each asset, and not for one that somebody asked for.
  var isForRenditions: Bool { scale == nil && largest != .full }

  /// The same of a picture inside a file that shows the file's own in another size.
  func of(_ preview: PixelSize, insteadOf whole: PixelSize) -> DecodingRequest {
    guard scale != nil else { return self }
    var request = self
    request.scale = min(1, Double(size(of: whole).longSide) / Double(max(1, preview.longSide)))
    return request
  }

  /// Refuses a picture that would need more memory than one file may take.
  func check(_ size: PixelSize, costing factor: Int = 1, _ file: MediaFile) throws(ImagingError) {
    guard size.width > 0, size.height > 0 else {
      throw ImagingError(.damaged, file.name, reason: "the picture is \(size.width) × \(size.height) pixels")
    }
    let (pixels, overflow) = size.width.multipliedReportingOverflow(by: size.height)
    guard !overflow, pixels <= limits.pixels / factor else {
      throw ImagingError(
        .tooLarge, file.name,
        reason: "\(size.width) × \(size.height) pixels are more than the \(limits.pixels / factor) allowed")
    }
  }

  func checkDeadline(_ file: MediaFile) throws(ImagingError) {
    guard ContinuousClock.now < deadline else {
      throw ImagingError(.tookTooLong, file.name, reason: "decoding took more than \(limits.seconds) s")
    }
  }
}

/// What a decoder gives: pixels as stored, and what is left to do with them.
struct DecodedPicture {
  var pixels: PixelBuffer
  var colors: ColorDescription = .sRGB
  /// EXIF's 1–8, still to be applied.
  var orientation = 1
  var notes: [String] = []
  /// The note that a part of the picture is missing or wrong; nil if there is none.
  var damage: String?
  /// Whether these are all of the file's own pixels, and in sRGB, as far as the decoder can tell.
  var isWholeInSRGB = false
}

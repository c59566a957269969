import MediaMetadata

/// The pixels that a decoder must deliver: enough for the largest of some renditions, or for a
/// fraction of the picture. The decoder may deliver more.
package struct DecodingRequest {
  package var largest: RenditionKind
  /// Whether pixels keep the color space of the file, which the decoder reports. Only libvips reads
  /// this, because it would otherwise convert colors while it decodes.
  package var keepsColors = false
  private var scale: Double?
  package var limits: DecodingLimits
  package var deadline: ContinuousClock.Instant

  package init(kinds: Set<RenditionKind>, limits: DecodingLimits) {
    self.largest = kinds.contains(.full) ? .full : kinds.contains(.screen) ? .screen : .grid
    self.limits = limits
    self.deadline = .now + .seconds(limits.seconds)
  }

  /// Creates a request for a fraction of a picture. `picture` is the size that the file declares.
  package init(scale: Double, of picture: PixelSize, limits: DecodingLimits) {
    let isSmall = scale < 1 && picture.scaled(by: scale).longSide <= RenditionKind.screenLongSide
    self.init(kinds: [isSmall ? .grid : .full], limits: limits)
    self.scale = scale
  }

  /// Returns the size that a decoder must deliver for a picture of this size.
  package func size(of picture: PixelSize) -> PixelSize { scale.map(picture.scaled(by:)) ?? largest.size(of: picture) }

  /// Whether the request is for the renditions that the library keeps of each asset, and not for
  /// one picture that a person requests.
  package var isForRenditions: Bool { scale == nil && largest != .full }

  /// Returns the same request for a preview inside a file. The fraction is adapted, because the
  /// preview differs in size from the file's own picture.
  package func of(_ preview: PixelSize, insteadOf whole: PixelSize) -> DecodingRequest {
    guard scale != nil else { return self }
    var request = self
    request.scale = min(1, Double(size(of: whole).longSide) / Double(max(1, preview.longSide)))
    return request
  }

  /// Throws if the picture would need more memory than one file may take. A pixel of it takes
  /// `factor` times the memory of a decoded one.
  package func check(_ size: PixelSize, costing factor: Int = 1, _ file: MediaFile) throws(ImagingError) {
    guard size.width > 0, size.height > 0 else {
      throw ImagingError(.damaged, file.name, reason: "the picture is \(size.width) × \(size.height) pixels")
    }
    let (pixels, overflow) = size.width.multipliedReportingOverflow(by: size.height)
    guard !overflow, pixels <= limits.pixels / factor else {
      throw ImagingError(
        .tooLarge, file.name,
        reason: "\(size.width) × \(size.height) pixels are more than the \(limits.pixels / factor) allowed"
          + (factor > 1 ? " in this format, which takes more memory" : ""))
    }
  }

  /// Throws like `check` for a decoder that holds a few rows only. If the picture is shown smaller,
  /// it may have eight times as many pixels.
  package func checkRowByRow(_ size: PixelSize, _ file: MediaFile) throws(ImagingError) {
    let factor = 8
    guard largest != .full, size.width > 0, size.height > 0 else { return try check(size, file) }
    var request = self
    request.limits.pixels *= factor
    try request.check(size, file)
  }

  package func checkDeadline(_ file: MediaFile) throws(ImagingError) {
    guard ContinuousClock.now < deadline else {
      throw ImagingError(.tookTooLong, file.name, reason: "decoding took more than \(limits.seconds) s")
    }
  }
}

/// The result of a decoder: pixels as they are stored, and the steps that are still to be done.
package struct DecodedPicture {
  package var pixels: PixelBuffer
  package var colors: ColorDescription
  /// The EXIF orientation (1–8) that is still to be applied.
  package var orientation: Int
  package var notes: [String]
  /// The note that a part of the picture is missing or wrong, or nil.
  package var damage: String?
  /// Whether these are all the pixels of the file, in sRGB, as far as the decoder can tell.
  package var hasAllPixelsInSRGB: Bool

  package init(
    pixels: PixelBuffer, colors: ColorDescription = .sRGB, orientation: Int = 1, notes: [String] = [],
    damage: String? = nil, hasAllPixelsInSRGB: Bool = false
  ) {
    self.pixels = pixels
    self.colors = colors
    self.orientation = orientation
    self.notes = notes
    self.damage = damage
    self.hasAllPixelsInSRGB = hasAllPixelsInSRGB
  }
}

import MediaMetadata

/// What a decoder is asked for: pixels for the largest of these renditions, or for a fraction of the picture, and it may give more.
package struct DecodingRequest {
  package var largest: RenditionKind
  /// Pixels stay in the colours of their file, which the decoder tells; only the decoders that convert at once ask for it.
  package var keepsColors = false
  private var scale: Double?
  package var limits: DecodingLimits
  package var deadline: ContinuousClock.Instant

  package init(kinds: Set<RenditionKind>, limits: DecodingLimits) {
    self.largest = kinds.contains(.full) ? .full : kinds.contains(.screen) ? .screen : .grid
    self.limits = limits
    self.deadline = .now + .seconds(limits.seconds)
  }

  /// `picture`: how large it is, as far as it tells.
  package init(scale: Double, of picture: PixelSize, limits: DecodingLimits) {
    let isSmall = scale < 1 && picture.scaled(by: scale).longSide <= RenditionKind.screenLongSide
    self.init(kinds: [isSmall ? .grid : .full], limits: limits)
    self.scale = scale
  }

  /// What a decoder has to give for a picture of this size.
  package func size(of picture: PixelSize) -> PixelSize { scale.map(picture.scaled(by:)) ?? largest.size(of: picture) }

  /// Whether it is for the pictures that the library keeps of each asset, and not for one that somebody asked for.
  package var isForRenditions: Bool { scale == nil && largest != .full }

  /// The same of a picture inside a file that shows the file's own in another size.
  package func of(_ preview: PixelSize, insteadOf whole: PixelSize) -> DecodingRequest {
    guard scale != nil else { return self }
    var request = self
    request.scale = min(1, Double(size(of: whole).longSide) / Double(max(1, preview.longSide)))
    return request
  }

  /// Refuses a picture that would need more memory than one file may take.
  package func check(_ size: PixelSize, costing factor: Int = 1, _ file: MediaFile) throws(ImagingError) {
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

  package func checkDeadline(_ file: MediaFile) throws(ImagingError) {
    guard ContinuousClock.now < deadline else {
      throw ImagingError(.tookTooLong, file.name, reason: "decoding took more than \(limits.seconds) s")
    }
  }
}

/// A decoder's result: pixels as stored, and the steps that are left.
package struct DecodedPicture {
  package var pixels: PixelBuffer
  package var colors: ColorDescription
  /// EXIF's 1–8, still to be applied.
  package var orientation: Int
  package var notes: [String]
  /// The note that a part of the picture is missing or wrong; nil if there is none.
  package var damage: String?
  /// Whether these are all of the file's own pixels, and in sRGB, as far as the decoder can tell.
  package var isWholeInSRGB: Bool

  package init(
    pixels: PixelBuffer, colors: ColorDescription = .sRGB, orientation: Int = 1, notes: [String] = [],
    damage: String? = nil, isWholeInSRGB: Bool = false
  ) {
    self.pixels = pixels
    self.colors = colors
    self.orientation = orientation
    self.notes = notes
    self.damage = damage
    self.isWholeInSRGB = isWholeInSRGB
  }
}

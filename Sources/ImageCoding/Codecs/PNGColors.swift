import MediaMetadata

/// The colors that the chunks of a PNG declare, apart from a profile, which libvips reports.
struct PNGColors {
  /// Nil if a profile or the `sRGB` chunk applies, or if the PNG declares no usable colors.
  private(set) var description: ColorDescription?
  /// Whether black is 16 and white 235.
  private(set) var hasLimitedRange = false

  /// The largest number of chunks to search. No real file has as many.
  private static let chunkLimit = 20_000
  private static let types: Set<FourCC> = ["cICP", "iCCP", "sRGB", "gAMA", "cHRM"]
  private static let unspecified = 2

  init(_ file: MediaFile) {
    var declared: [FourCC: ByteReader] = [:]
    for chunk in PNGChunks(MediaBytes(file).all).prefix(Self.chunkLimit) {
      // All colors are declared before the pixels.
      guard chunk.type != "IDAT" else { break }
      if Self.types.contains(chunk.type), declared[chunk.type] == nil { declared[chunk.type] = chunk.content }
    }
    // PNG's third edition gives the chunks this precedence.
    if let content = declared["cICP"], let primaries = content.u8(0), let transfer = content.u8(1),
      transfer != Self.unspecified
    {
      description = .coded(primaries: primaries, transfer: transfer)
      hasLimitedRange = content.u8(3) == 0
    } else if declared["iCCP"] == nil, declared["sRGB"] == nil, let gamma = declared["gAMA"]?.u32(0), gamma > 0 {
      description = Self.calibrated(gamma: gamma, declared["cHRM"])
    }
  }

  /// Returns the colors of a gamma and of the chromaticities of white, red, green and blue. All
  /// numbers are in units of 1/100,000. Without plausible chromaticities, those of sRGB apply.
  private static func calibrated(gamma: Int, _ chromaticities: ByteReader?) -> ColorDescription? {
    let unit = 100_000.0
    let plain = CalibratedColors(exponents: [Double](repeating: unit / Double(gamma), count: 3))
    let numbers = (0..<8).compactMap { chromaticities?.u32(4 * $0) }
    guard numbers.count == 8 else { return plain.description }
    let points = (0..<4).map { index in
      CalibratedColors.Chromaticity(Double(numbers[2 * index]), Double(numbers[2 * index + 1])) / unit
    }
    var colors = plain
    colors.white = points[0]
    colors.primaries = Array(points[1...])
    return colors.description ?? plain.description
  }
}

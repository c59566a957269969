import MediaMetadata

/// The memory and time that one file may take.
public struct DecodingLimits: Hashable, Sendable {
  /// The largest number of pixels in a picture that its decoder holds whole. If a decoder holds
  /// a few rows only (JPEG, PNG, TIFF), a picture may have eight times as many.
  public var pixels: Int
  /// The time limit in seconds for decoders that can be interrupted. The other decoders are bounded
  /// by `pixels`.
  public var seconds: Double

  public init(pixels: Int, seconds: Double) {
    self.pixels = pixels
    self.seconds = seconds
  }

  /// The limits for any file: less than 10 seconds and 1 GiB.
  public static let standard = DecodingLimits(pixels: 125_000_000, seconds: 10)

  /// Returns the limits for a picture that a person requests: developing a raw file takes longer.
  public static func whole(_ type: MediaType) -> DecodingLimits {
    DecodingLimits(pixels: standard.pixels, seconds: type.isRaw ? 30 : standard.seconds)
  }
}

import MediaMetadata

/// How much memory and time one file may take.
public struct DecodingLimits: Hashable, Sendable {
  /// The most pixels of a picture that its decoder holds whole (a JPEG that is decoded at a fraction may have eight times as many).
  public var pixels: Int
  /// Decoders that can be interrupted are, after this long; the others are bound by `pixels`.
  public var seconds: Double

  public init(pixels: Int, seconds: Double) {
    self.pixels = pixels
    self.seconds = seconds
  }

  /// Less than 10 seconds and 1 GiB for any file.
  public static let standard = DecodingLimits(pixels: 125_000_000, seconds: 10)

  /// For a picture that somebody asks for: developing a raw file takes its time.
  public static func whole(_ type: MediaType) -> DecodingLimits {
    DecodingLimits(pixels: standard.pixels, seconds: type.isRaw ? 30 : standard.seconds)
  }
}

import CLcms
import MediaMetadata

/// A picture in colours of its own: what an edit is made of, so that it loses none of them.
///
///     let picture = try decodeInOwnColors(file, metadata: metadata)
///     picture.profile              // Display P3's of a phone's photo; nil for sRGB
///
/// Upright, every pixel. The profile is one of three tone curves and a matrix (Display P3, Adobe RGB); a picture in any other colours
/// comes in sRGB.
public struct ColoredPicture: Hashable, Sendable {
  public var pixels: PixelBuffer
  /// An ICC profile; `nil` means sRGB.
  public var profile: [UInt8]?

  public init(pixels: PixelBuffer, profile: [UInt8]? = nil) {
    self.pixels = pixels
    self.profile = profile
  }

  /// Converts the colors to another profile, in this process; `nil` is sRGB. Colors that it can't show
  /// are clipped.
  package func convertedInProcess(to target: [UInt8]?) throws(ImagingError) -> PixelBuffer {
    var result = pixels
    try result.convert(from: profile, to: target)
    return result
  }

  /// Display P3's profile, always the same bytes.
  public static let displayP3: [UInt8]? = ColorProfile(.displayP3)?.undatedBytes

  /// More than the profiles of all cameras; it fits one segment of a JPEG.
  package static let longestProfile = 48 << 10
}

extension PixelBuffer {
  /// Converts the colors in this process, in place; `nil` is sRGB.
  package mutating func convert(from source: [UInt8]?, to target: [UInt8]?) throws(ImagingError) {
    let colors = ColorDescription(profile: source)
    guard let target else {
      _ = convertToSRGB(from: colors)
      return
    }
    guard let from = ColorProfile(colors), let to = ColorProfile(ColorDescription(profile: target)),
      convert(from: from, to: to)
    else { throw ImagingError(.cannotEncode, "an image", reason: "its colours can't be converted to the profile") }
  }
}

extension ColorDescription {
  /// `nil` is sRGB. Display P3's own profile is recognized by its bytes and need not be parsed.
  package init(profile: [UInt8]?) {
    switch profile {
    case nil: self = .sRGB
    case ColoredPicture.displayP3: self = .displayP3
    case let profile?: self = .profile(profile)
    }
  }

  fileprivate static let displayP3 = ColorDescription.coded(primaries: 12, transfer: 13)

  /// The profile that pixels can be edited and written in; nil where they are better in sRGB.
  package var ownProfile: [UInt8]? {
    switch self {
    case .sRGB: return nil
    case .profile(let bytes):
      guard bytes.count <= ColoredPicture.longestProfile, let profile = ColorProfile(bytes), profile.suitsEdits else {
        return nil
      }
      return bytes
    case .coded(let primaries, let transfer):
      // HDR becomes what every screen shows, which is this side's decision and in no profile.
      guard ![16, 18].contains(transfer), let profile = ColorProfile(primaries: primaries, transfer: transfer),
        profile.suitsEdits
      else { return nil }
      return profile.undatedBytes
    }
  }
}

extension ColorProfile {
  /// Three curves and a matrix, of another space than sRGB, whose codes count light much as sRGB's do: filters are defined by those.
  fileprivate var suitsEdits: Bool {
    guard !isSRGB, let shape = matrixShape() else { return false }
    // sRGB: 0.214, a gamma of 2.2: 0.218, of 1.8: 0.289.
    return shape.tones.allSatisfy { (0.15...0.3).contains($0[127]) && $0[0] < 0.01 && $0[255] > 0.99 }
  }

  /// Without the time at which it was made: just now.
  package var undatedBytes: [UInt8]? {
    var bytes = bytes
    guard bytes.count >= 128 else { return nil }
    bytes.replaceSubrange(24..<36, with: repeatElement(0, count: 12))
    return bytes
  }
}

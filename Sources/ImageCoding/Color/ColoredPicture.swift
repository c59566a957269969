import CLcms
import MediaMetadata

/// A picture in its own color space, from which edits are made without losing colors.
///
///     let picture = try decodeInOwnColors(file, metadata: metadata)
///     picture.profile              // Display P3's for a phone's photo; nil for sRGB
///
/// The picture is upright and has every pixel. The profile consists of three tone curves and a
/// matrix (Display P3, Adobe RGB). A picture in any other color space is converted to sRGB.
public struct ColoredPicture: Hashable, Sendable {
  public var pixels: PixelBuffer
  /// An ICC profile; `nil` means sRGB.
  public var profile: [UInt8]?

  public init(pixels: PixelBuffer, profile: [UInt8]? = nil) {
    self.pixels = pixels
    self.profile = profile
  }

  /// Converts the colors to another profile, in this process; `nil` is sRGB. Colors that the target
  /// can't represent are clipped.
  package func convertedInProcess(to target: [UInt8]?) throws(ImagingError) -> PixelBuffer {
    var result = pixels
    try result.convert(from: profile, to: target)
    return result
  }

  /// The profile of Display P3, always the same bytes.
  public static let displayP3: [UInt8]? = ColorProfile(.displayP3)?.undatedBytes

  /// The length limit of a profile in bytes. It is larger than the profiles of all cameras and fits
  /// one segment of a JPEG.
  package static let profileByteLimit = 48 << 10
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
    else { throw ImagingError(.cannotEncode, "an image", reason: "its colors can't be converted to the profile") }
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

  /// The profile in which pixels can be edited and written; nil if sRGB suits them better.
  package var ownProfile: [UInt8]? {
    switch self {
    case .sRGB: return nil
    case .profile(let bytes):
      guard bytes.count <= ColoredPicture.profileByteLimit, let profile = ColorProfile(bytes), profile.isUsableForEdits
      else {
        return nil
      }
      return bytes
    case .coded(let primaries, let transfer):
      // HDR is converted to the range of ordinary screens. No profile describes that conversion.
      guard !TransferCurve.highDynamicRange.contains(transfer),
        let profile = ColorProfile(primaries: primaries, transfer: transfer),
        profile.isUsableForEdits
      else { return nil }
      return profile.undatedBytes
    }
  }
}

extension ColorProfile {
  /// Whether edits can keep this profile: three curves and a matrix, not sRGB's, with tone curves
  /// much like sRGB's. Filters are defined for such curves.
  fileprivate var isUsableForEdits: Bool {
    guard !isToneMapped, !isSRGB, let shape = matrixShape() else { return false }
    // At the middle code sRGB has 0.214, a gamma of 2.2 has 0.218, and one of 1.8 has 0.289.
    return shape.tones.allSatisfy { (0.15...0.3).contains($0[127]) && $0[0] < 0.01 && $0[255] > 0.99 }
  }

  /// The profile's bytes without their creation time. Little CMS writes the current time there, so
  /// the bytes would differ each time.
  package var undatedBytes: [UInt8]? {
    var bytes = bytes
    guard bytes.count >= 128 else { return nil }
    bytes.replaceSubrange(24..<36, with: repeatElement(0, count: 12))
    return bytes
  }
}

@_exported import Foundation

// The color spaces of CoreGraphics that an image can be written in. The geometry types (`CGSize`,
// `CGPoint`, `CGRect`, `CGFloat`) are Foundation's, which this module exports. This module adds
// affine transforms and `CGImage`, which holds pixels. Left out: contexts, colors, and the
// functions of color spaces.

/// The colors that an image's pixels stand for: sRGB, Display P3, or those of an ICC profile.
///
///     CGColorSpace(name: CGColorSpace.displayP3)
///
/// Immutable.
public final class CGColorSpace: NSObject, Sendable {
  public static let sRGB = "kCGColorSpaceSRGB"
  public static let displayP3 = "kCGColorSpaceDisplayP3"

  /// The name, or `nil` for a color space of a profile.
  public let name: String?
  private let profile: Data?

  /// Returns `nil` for names other than `sRGB` and `displayP3`.
  public init?(name: String) {
    guard [Self.sRGB, Self.displayP3].contains(name) else { return nil }
    self.name = name
    profile = nil
  }

  /// Makes the color space of an ICC profile. Returns `nil` for empty data. The profile is checked
  /// only when an image is written.
  public init?(iccData: Data) {
    guard !iccData.isEmpty else { return nil }
    name = nil
    profile = iccData
  }

  /// Returns the ICC profile that the color space was made of, or `nil` for a named color space.
  public func copyICCData() -> Data? { profile }

  private init(known name: String) {
    self.name = name
    profile = nil
  }

  static let standard = CGColorSpace(known: sRGB)

  public override func isEqual(_ object: Any?) -> Bool {
    guard let other = object as? CGColorSpace else { return false }
    return other.name == name && other.profile == profile
  }

  public override var hash: Int { name?.hashValue ?? profile.hashValue }
}

/// Returns sRGB.
// CoreGraphics uses this spelling.
// swift-format-ignore: AlwaysUseLowerCamelCase
public func CGColorSpaceCreateDeviceRGB() -> CGColorSpace { .standard }

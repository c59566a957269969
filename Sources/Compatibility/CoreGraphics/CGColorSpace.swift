@_exported import Foundation

// The color spaces of CoreGraphics that an image can be written in. The geometry (`CGSize`,
// `CGPoint`, `CGRect`, `CGFloat`) is Foundation's, which comes with this module, and affine
// transforms. `CGImage` is pixels; contexts, colors and the functions of color spaces are left out.

/// In which colours an image is: sRGB, Display P3, or those of a profile.
///
///     CGColorSpace(name: CGColorSpace.displayP3)
///
/// Immutable.
public final class CGColorSpace: NSObject, Sendable {
  public static let sRGB = "kCGColorSpaceSRGB"
  public static let displayP3 = "kCGColorSpaceDisplayP3"

  /// `nil` for a profile's.
  public let name: String?
  private let profile: Data?

  /// `nil` for any other name than `sRGB` and `displayP3`.
  public init?(name: String) {
    guard [Self.sRGB, Self.displayP3].contains(name) else { return nil }
    self.name = name
    profile = nil
  }

  /// Of an ICC profile; `nil` for no bytes. Whether they are a profile shows when an image is written.
  public init?(iccData: Data) {
    guard !iccData.isEmpty else { return nil }
    name = nil
    profile = iccData
  }

  /// The ICC profile that it was made of; `nil` for one that has a name.
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

/// sRGB.
// CoreGraphics spells it so.
// swift-format-ignore: AlwaysUseLowerCamelCase
public func CGColorSpaceCreateDeviceRGB() -> CGColorSpace { .standard }

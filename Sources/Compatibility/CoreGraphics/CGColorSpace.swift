@_exported import Foundation

// Of CoreGraphics, what an image is written in. The geometry (`CGSize`, `CGPoint`, `CGRect`, `CGFloat`) is Foundation's, which
// comes with this module, and affine transforms. `CGImage` and drawing are left out.

/// In which colours an image is: always sRGB, since Calotype manages the colours of what it decodes.
///
///     CGColorSpace(name: CGColorSpace.sRGB)
public final class CGColorSpace: NSObject, Sendable {
  public static let sRGB = "kCGColorSpaceSRGB"

  public let name: String?

  /// `nil` for any other name than `sRGB`.
  public init?(name: String) {
    guard name == Self.sRGB else { return nil }
    self.name = name
  }

  private init(known name: String) { self.name = name }

  static let standard = CGColorSpace(known: sRGB)

  public override func isEqual(_ object: Any?) -> Bool { (object as? CGColorSpace)?.name == name }
  public override var hash: Int { name.hashValue }
}

/// sRGB.
// CoreGraphics spells it so.
// swift-format-ignore: AlwaysUseLowerCamelCase
public func CGColorSpaceCreateDeviceRGB() -> CGColorSpace { .standard }

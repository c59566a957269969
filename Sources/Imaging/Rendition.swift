import Foundation
import ImageCoding
import MediaMetadata

/// A picture made from an original: encoded, upright, in sRGB.
public struct Rendition: Hashable, Sendable {
  public var kind: RenditionKind
  /// The size in pixels.
  public var pixelWidth: Int
  public var pixelHeight: Int
  /// `public.jpeg`, or `org.webmproject.webp` if the picture has transparent parts.
  public var uniformTypeIdentifier: String
  public var data: Data

  public init(kind: RenditionKind, pixelWidth: Int, pixelHeight: Int, uniformTypeIdentifier: String, data: Data) {
    self.kind = kind
    self.pixelWidth = pixelWidth
    self.pixelHeight = pixelHeight
    self.uniformTypeIdentifier = uniformTypeIdentifier
    self.data = data
  }

  static let types: Set = ["public.jpeg", "org.webmproject.webp"]

  /// Whether a rendition can have this kind, size and type.
  package var isPossible: Bool {
    let size = PixelSize(width: pixelWidth, height: pixelHeight)
    return size.shortSide > 0 && kind.size(of: size) == size && Self.types.contains(uniformTypeIdentifier)
  }
}

/// The result of decoding a file once.
public struct RenditionSet: Hashable, Sendable {
  public var renditions: [Rendition]
  /// A few pixels to draw until the picture is loaded: a byte of width, a byte of height (each
  /// 1–6), then width × height × RGB.
  public var placeholder: [UInt8]
  /// The warnings of the decoder ("premature end of JPEG file").
  public var notes: [String]
  /// The note that a part of the picture is missing or wrong; nil if there is none.
  public var damage: String?
  /// Whether the file itself is as good as its `screen` rendition and not larger: an upright JPEG
  /// in sRGB.
  public var canServeOriginal: Bool

  public init(
    renditions: [Rendition], placeholder: [UInt8], notes: [String] = [], damage: String? = nil,
    canServeOriginal: Bool = false
  ) {
    self.renditions = renditions
    self.placeholder = placeholder
    self.notes = notes
    self.damage = damage
    self.canServeOriginal = canServeOriginal
  }
}

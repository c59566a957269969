import Foundation
import ImageCoding
import MediaMetadata

/// One picture made from an original: encoded, upright, sRGB.
public struct Rendition: Hashable, Sendable {
  public var kind: RenditionKind
  /// Pixels.
  public var pixelWidth: Int
  public var pixelHeight: Int
  /// `public.jpeg`, or `org.webmproject.webp` where the picture has transparent parts.
  public var uniformTypeIdentifier: String
  public var data: Data

  public init(kind: RenditionKind, pixelWidth: Int, pixelHeight: Int, uniformTypeIdentifier: String, data: Data) {
    self.kind = kind
    self.pixelWidth = pixelWidth
    self.pixelHeight = pixelHeight
    self.uniformTypeIdentifier = uniformTypeIdentifier
    self.data = data
  }
}

/// What one decode of a file gave.
public struct RenditionSet: Hashable, Sendable {
  public var renditions: [Rendition]
  /// A few pixels to draw before the picture is there: a byte of width, a byte of height (each 1–6), then width × height × RGB.
  public var placeholder: [UInt8]
  /// What the decoder complained of while it went on ("premature end of JPEG file").
  public var notes: [String]
  /// The note that a part of the picture is missing or wrong; nil if there is none.
  public var damage: String?
  /// Whether the file itself is as good as its `screen` rendition, and not larger: an upright JPEG in sRGB.
  public var originalServes: Bool

  public init(
    renditions: [Rendition], placeholder: [UInt8], notes: [String] = [], damage: String? = nil,
    originalServes: Bool = false
  ) {
    self.renditions = renditions
    self.placeholder = placeholder
    self.notes = notes
    self.damage = damage
    self.originalServes = originalServes
  }
}

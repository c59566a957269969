import Foundation

/// An encoded picture, upright and in sRGB.
///
/// Data that may be as large as an original is not held in memory. It is read from `file`, in
/// pieces.
public struct AssetRendition: Sendable {
  /// The sizes in which a library stores renditions of pictures.
  public enum Kind: String, Sendable, CaseIterable {
    /// The shorter side has at most 360 pixels, the longer at most 1440.
    case grid
    /// The longer side has at most 2048 pixels.
    case screen
    /// The full size, in a format that browsers show.
    case full
  }

  /// Empty if there is a `file`.
  public var data: Data
  /// `public.jpeg`, `org.webmproject.webp`, …; `public.svg-image` if the picture only says that the
  /// asset can't be read.
  public var uniformTypeIdentifier: String
  /// In pixels; 0 if the size is unknown without decoding.
  public var pixelWidth: Int
  public var pixelHeight: Int
  /// The picture as a file: an original that browsers show, or a rendition of another original.
  public var file: FileReader?
}

extension AssetRendition {
  /// Returns a picture with the message that the asset can't be read, and the reason.
  static func unreadable(reason: String?) -> AssetRendition {
    let printable = String(String.UnicodeScalarView((reason ?? "").unicodeScalars.filter { $0 >= " " }))
    let escaped = printable.prefix(48).replacingOccurrences(of: "&", with: "&amp;")
      .replacingOccurrences(of: "<", with: "&lt;")
    let svg = """
      <svg xmlns="http://www.w3.org/2000/svg" width="360" height="360" viewBox="0 0 360 360" font-family="sans-serif">
      <rect width="360" height="360" fill="#8e8e93"/>
      <path d="M150 120h60l20 20v70h-100v-70z M140 215l90-90" fill="none" stroke="#fff" stroke-width="6"/>
      <text x="180" y="262" fill="#fff" font-size="22" text-anchor="middle">Can’t be read</text>
      <text x="180" y="290" fill="#fff" font-size="13" text-anchor="middle">\(escaped)</text>
      </svg>
      """
    return AssetRendition(
      data: Data(svg.utf8), uniformTypeIdentifier: "public.svg-image", pixelWidth: 360, pixelHeight: 360)
  }
}

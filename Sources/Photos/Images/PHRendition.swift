import Foundation

/// Extension: the sizes in which a library keeps pictures at hand.
public enum PHRenditionKind: String, Sendable, CaseIterable {
  /// The shorter side at most 360 pixels, the longer at most 1440.
  case grid
  /// The longer side at most 2048 pixels.
  case screen
  /// Every pixel, as a browser shows it.
  case full
}

/// Extension: an encoded picture, upright and in sRGB.
///
/// What can be as large as an original is not held: it is read from its `file`, piece by piece.
public struct PHRendition: Sendable {
  /// Empty where there is a `file`.
  public var data: Data
  /// `public.jpeg`, `org.webmproject.webp`, …; `public.svg-image` where it only says that the asset can't be read.
  public var uniformTypeIdentifier: String
  /// Pixels; 0 where that isn't known without decoding.
  public var pixelWidth: Int
  public var pixelHeight: Int
  /// Where the library has it as a file: an original that browsers show, or what was made of another one.
  public var file: PHFileReader?
}

/// Extension: a file of the library that is read piece by piece, wherever it lies.
public struct PHFileReader: Sendable {
  /// Bytes.
  public var byteCount: Int
  public var uniformTypeIdentifier: String
  let url: URL

  /// The bytes of a range, which ends at the file's end at the latest.
  public func data(in range: Range<Int>) throws -> Data {
    do {
      let handle = try FileHandle(forReadingFrom: url)
      defer { try? handle.close() }
      try handle.seek(toOffset: UInt64(range.lowerBound))
      return try handle.read(upToCount: range.count) ?? Data()
    } catch {
      throw PHPhotosError(.missingResource, "\(url.lastPathComponent): \(error.localizedDescription)", cause: error)
    }
  }
}

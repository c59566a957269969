import Foundation
internal import Imaging

/// Extension: the sizes in which a library stores renditions of pictures.
public enum PHRenditionKind: String, Sendable, CaseIterable {
  /// The shorter side has at most 360 pixels, the longer at most 1440.
  case grid
  /// The longer side has at most 2048 pixels.
  case screen
  /// The full size, in a format that browsers show.
  case full
}

/// Extension: an encoded picture, upright and in sRGB.
///
/// Data that may be as large as an original is not held in memory. It is read from `file`, in
/// pieces.
public struct PHRendition: Sendable {
  /// Empty if there is a `file`.
  public var data: Data
  /// `public.jpeg`, `org.webmproject.webp`, …; `public.svg-image` if the picture only says that the
  /// asset can't be read.
  public var uniformTypeIdentifier: String
  /// In pixels; 0 if the size is unknown without decoding.
  public var pixelWidth: Int
  public var pixelHeight: Int
  /// The picture as a file: an original that browsers show, or a rendition of another original.
  public var file: PHFileReader?
}

/// Extension: a file of the library that is read in pieces, wherever it is stored.
public struct PHFileReader: Sendable {
  /// The size of the file in bytes.
  public var byteCount: Int
  public var uniformTypeIdentifier: String
  let url: URL
  /// The name in errors. The path of an original may reveal another asset.
  private let name: String
  private var openFile: MediaFile?

  init(byteCount: Int, uniformTypeIdentifier: String, url: URL, name: String? = nil) {
    self.byteCount = byteCount
    self.uniformTypeIdentifier = uniformTypeIdentifier
    self.url = url
    self.name = name ?? url.lastPathComponent
  }

  /// Returns a reader that keeps the file open until the reader is released. Edits of the asset in
  /// the meantime don't affect it.
  public func opened() throws -> PHFileReader {
    var reader = self
    reader.openFile = try open()
    return reader
  }

  /// Returns the bytes of a range. A range that ends past the file's end is cut there.
  public func data(in range: Range<Int>) throws -> Data {
    do { return Data(try (openFile ?? open()).read(range.count, at: range.lowerBound)) } catch { throw missing(error) }
  }

  private func open() throws -> MediaFile {
    do { return try MediaFile(path: url.path, name: name) } catch { throw missing(error) }
  }

  private func missing(_ error: any Error) -> PHPhotosError {
    if let error = error as? PHPhotosError { return error }
    let reason = (error as? ImagingError)?.reason ?? error.localizedDescription
    return PHPhotosError(.missingResource, "\(name): \(reason)", cause: error)
  }
}

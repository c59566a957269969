import Foundation
internal import Imaging

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
  /// The name in errors. The path of an original may reveal another asset.
  private let name: String
  private var openFile: MediaFile?

  init(byteCount: Int, uniformTypeIdentifier: String, url: URL, name: String? = nil) {
    self.byteCount = byteCount
    self.uniformTypeIdentifier = uniformTypeIdentifier
    self.url = url
    self.name = name ?? url.lastPathComponent
  }

  /// The same with its file open from now on, as long as the reader lives: whoever edits the asset meanwhile takes nothing away from it.
  public func opened() throws -> PHFileReader {
    var reader = self
    reader.openFile = try open()
    return reader
  }

  /// The bytes of a range, which ends at the file's end at the latest.
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

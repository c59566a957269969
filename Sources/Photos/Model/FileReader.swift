import Foundation
internal import Imaging
internal import LibraryStore

/// A file of the library that is read in pieces, wherever it is stored.
public struct FileReader: Sendable {
  /// The size of the file in bytes.
  public var byteCount: Int
  public var uniformTypeIdentifier: String
  /// The name in errors. The path of an original may reveal another asset.
  private let name: String
  private let opening: @Sendable () throws -> MediaFile
  private var openFile: MediaFile?

  /// Makes a reader of a file that was made from an original.
  init(byteCount: Int, uniformTypeIdentifier: String, url: URL, name: String? = nil) {
    let name = name ?? url.lastPathComponent
    self.byteCount = byteCount
    self.uniformTypeIdentifier = uniformTypeIdentifier
    self.name = name
    opening = { try MediaFile(path: url.path, name: name) }
  }

  /// Makes a reader of an original.
  init(_ resource: ResourceRecord, in originals: any Originals, byteCount: Int? = nil) {
    self.byteCount = byteCount ?? resource.byteCount
    uniformTypeIdentifier = resource.uniformTypeIdentifier
    name = resource.originalFilename
    opening = { try originals.mediaFile(of: resource) }
  }

  /// Returns a reader that keeps the file open until the reader is released. Edits of the asset in
  /// the meantime don't affect it.
  public func opened() throws -> FileReader {
    var reader = self
    do { reader.openFile = try opening() } catch { throw missing(error) }
    return reader
  }

  /// Returns the bytes of a range. A range that ends past the file's end is cut there.
  public func data(in range: Range<Int>) throws -> Data {
    do { return Data(try (openFile ?? opening()).read(range.count, at: range.lowerBound)) } catch {
      throw missing(error)
    }
  }

  private func missing(_ error: any Error) -> PHPhotosError {
    guard let error = error as? ImagingError else { return PHPhotosError(error) }
    return PHPhotosError(.missingResource, "\(name): \(error.reason)", cause: error)
  }
}

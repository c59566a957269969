import Foundation
internal import Imaging
internal import LibraryStore

extension Originals {
  /// Opens a local original. Errors contain the name that the client knows, and not the path, which
  /// may be that of another asset.
  func mediaFile(of resource: ResourceRecord) throws -> MediaFile {
    let name = resource.originalFilename
    do { return try MediaFile(descriptor: open(resource), name: name) } catch let error as StoreError {
      guard error.code != .elsewhere else { throw error }
      throw ImagingError(.cannotOpen, name, reason: error.reason)
    }
  }

  /// Reads a local original, up to the size with which it was imported; fewer bytes if the file is
  /// cut off.
  func contents(of resource: ResourceRecord) throws -> Data {
    Data(try mediaFile(of: resource).read(resource.byteCount, at: 0))
  }
}

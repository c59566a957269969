import Foundation
internal import LibraryStore

extension PHAssetResourceManager {
  /// Writes a copy like `writeData`, and returns when it is done. Blocks the thread, so don't call
  /// it on a main thread that has to stay responsive.
  public func writeDataAndWait(for resource: PHAssetResource, toFile fileURL: URL) throws {
    try withPhotosErrors {
      if let source = resource.fileURL { return try FileManager.default.copyItem(at: source, to: fileURL) }
      let store = try resource.photoLibrary.store(reading: [resource.asset.rowID])
      try OriginalFetch().wait(for: resource, cancellation: Cancellation())
      if let movie = try resource.movieInsidePhoto() { return try FileManager.default.copyItem(at: movie, to: fileURL) }
      try store.copyOriginal(
        of: resource.record, to: fileURL.path, keepsDate: resource.photoLibrary.access().seesEverything)
    }
  }

  /// Returns a reader for the resource's bytes, which reads them in pieces.
  public func reader(for resource: PHAssetResource) throws -> FileReader {
    try withPhotosErrors {
      let reader = try unopenedReader(for: resource)
      _ = try reader.opened()
      return reader
    }
  }

  private func unopenedReader(for resource: PHAssetResource) throws -> FileReader {
    func reader(of file: URL) -> FileReader {
      FileReader(
        byteCount: resource.dataSize ?? 0, uniformTypeIdentifier: resource.uniformTypeIdentifier, url: file,
        name: resource.originalFilename)
    }
    if let file = resource.fileURL { return reader(of: file) }
    let originals = try resource.photoLibrary.store(reading: [resource.asset.rowID]).originals
    try OriginalFetch().wait(for: resource, cancellation: Cancellation())
    return try resource.movieInsidePhoto().map(reader) ?? FileReader(resource.record, in: originals)
  }
}

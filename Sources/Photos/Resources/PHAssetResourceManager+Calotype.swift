import Foundation
internal import LibraryStore

extension PHAssetResourceManager {
  /// Writes a copy like `writeData`, and returns when it is done. Blocks the thread, so don't call
  /// it on a main thread that has to stay responsive.
  public func writeDataAndWait(for resource: PHAssetResource, toFile fileURL: URL) throws {
    do {
      if let source = resource.fileURL { return try FileManager.default.copyItem(at: source, to: fileURL) }
      let store = try resource.photoLibrary.store(reading: [resource.asset.rowID])
      try OriginalArrival().wait(for: resource, cancellation: Cancellation())
      if resource.isInsidePhoto {
        return try FileManager.default.copyItem(at: resource.libraryURL(), to: fileURL)
      }
      try store.copyOriginal(of: resource.record, to: fileURL.path)
    } catch { throw PHPhotosError(error) }
  }

  /// Returns a reader for the resource's bytes, which reads them in pieces.
  public func reader(for resource: PHAssetResource) throws -> FileReader {
    do {
      let url = try resource.fileURL ?? resource.libraryURL()
      try OriginalArrival().wait(for: resource, cancellation: Cancellation())
      guard FileManager.default.isReadableFile(atPath: url.path) else {
        throw PHPhotosError(.missingResource, "\(resource.originalFilename): the original is missing from the library")
      }
      return FileReader(
        byteCount: resource.dataSize ?? 0, uniformTypeIdentifier: resource.uniformTypeIdentifier, url: url,
        name: resource.originalFilename)
    } catch { throw PHPhotosError(error) }
  }
}

import Foundation
internal import LibraryStore

/// Hands out the bytes of resources.
///
///     try await PHAssetResourceManager.default().writeData(for: resource, toFile: url, options: nil)
public final class PHAssetResourceManager: NSObject, Sendable {
  private static let shared = PHAssetResourceManager()
  public class func `default`() -> PHAssetResourceManager { shared }

  /// Writes a copy, byte for byte; fails where the name is taken or its folder is missing. A copy that fails is removed.
  public func writeData(
    for resource: PHAssetResource, toFile fileURL: URL, options: PHAssetResourceRequestOptions?
  ) async throws {
    try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Void, any Error>) in
      writeData(for: resource, toFile: fileURL, options: options) { error in
        if let error { continuation.resume(throwing: error) } else { continuation.resume() }
      }
    }
  }

  /// Calls `completionHandler` once, on a queue of its own.
  public func writeData(
    for resource: PHAssetResource, toFile fileURL: URL, options: PHAssetResourceRequestOptions?,
    completionHandler: @escaping @Sendable ((any Error)?) -> Void
  ) {
    DispatchQueue.global().async {
      do {
        try self.writeDataAndWait(for: resource, toFile: fileURL)
        completionHandler(nil)
      } catch { completionHandler(error) }
    }
  }

  /// Extension: as `writeData`, and returns when it is done; not for a main thread that has to stay responsive.
  public func writeDataAndWait(for resource: PHAssetResource, toFile fileURL: URL) throws {
    do {
      try resource.checkAccess()
      try resource.photoLibrary.store.copyOriginal(of: resource.record, to: fileURL.path)
    } catch { throw PHPhotosError(error) }
  }

  /// Extension: the resource's bytes, to be read piece by piece.
  public func reader(for resource: PHAssetResource) throws -> PHFileReader {
    do { try resource.checkAccess() } catch { throw PHPhotosError(error) }
    let url = resource.photoLibrary.store.url(of: resource.record)
    guard FileManager.default.isReadableFile(atPath: url.path) else {
      throw PHPhotosError(.missingResource, "\(resource.originalFilename): the original is missing from the library")
    }
    return PHFileReader(
      byteCount: resource.record.byteCount, uniformTypeIdentifier: resource.uniformTypeIdentifier, url: url)
  }
}

/// How a resource's bytes are requested: all are local here, so there is nothing to allow yet.
public final class PHAssetResourceRequestOptions: NSObject {
  public override init() {}
}

import Foundation
internal import LibraryStore

/// Fetches originals that are stored elsewhere, if the request allows it.
struct OriginalFetch: @unchecked Sendable {
  // The handler is called on one queue only.
  let isNetworkAccessAllowed: Bool
  /// Receives the progress from 0 to 1, and the error if the fetch fails. Returns whether to
  /// continue.
  let progress: (Double, (any Error)?) -> Bool

  init(isNetworkAccessAllowed: Bool = false, progress: @escaping (Double, (any Error)?) -> Bool = { _, _ in true }) {
    self.isNetworkAccessAllowed = isNetworkAccessAllowed
    self.progress = progress
  }

  static func check(_ cancellation: Cancellation, _ resource: ResourceRecord) throws {
    if cancellation.isCancelled { throw cancelled(resource) }
  }

  private static func cancelled(_ resource: ResourceRecord) -> PHPhotosError {
    PHPhotosError(.userCancelled, "\(resource.originalFilename): the request was canceled")
  }

  /// Waits until the original is local. Throws `networkAccessRequired` if the request may not fetch
  /// it.
  func wait(for resource: ResourceRecord, in library: PHPhotoLibrary, cancellation: Cancellation) throws {
    let originals = library.store.originals
    guard !originals.isLocal(resource) else { return }
    guard isNetworkAccessAllowed else {
      throw PHPhotosError(
        .networkAccessRequired,
        "\(resource.originalFilename): the original is not in the library; set isNetworkAccessAllowed to fetch it")
    }
    var latest = 0.0
    do {
      try originals.fetch(resource) { share in
        latest = share
        try Self.check(cancellation, resource)
        guard library.asShared({ progress(share, nil) }) else {
          cancellation.cancel()
          throw Self.cancelled(resource)
        }
        try Self.check(cancellation, resource)
      }
    } catch {
      let error = PHPhotosError(error)
      if error.code != .userCancelled { _ = library.asShared { progress(latest, error) } }
      throw error
    }
  }
}

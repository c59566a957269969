import Foundation
internal import LibraryStore
import Photos
import Synchronization

/// The originals of a test's library, some of which are remote, as in a cloud. The originals of an
/// asset arrive together.
struct RemoteOriginals: Originals {
  let base: any Originals
  let assets: RemoteAssets

  /// The number of progress reports of a fetch.
  private static let steps = 10

  var areAllLocal: Bool { assets.areAllLocal && base.areAllLocal }

  func isLocal(_ resource: ResourceRecord) -> Bool {
    !assets.isRemote(row: resource.assetID) && base.isLocal(resource)
  }

  func open(_ resource: ResourceRecord) throws(StoreError) -> Int32 {
    guard !assets.isRemote(row: resource.assetID) else { throw elsewhere(resource) }
    return try base.open(resource)
  }

  func url(of resource: ResourceRecord) throws(StoreError) -> URL? {
    guard !assets.isRemote(row: resource.assetID) else { throw elsewhere(resource) }
    // A downloaded file may be removed at any time, so its path is not given to programs.
    return assets.isDownloaded(row: resource.assetID) ? nil : try base.url(of: resource)
  }

  func fetch(_ resource: ResourceRecord, progress: (Double) throws -> Void) throws {
    guard let download = assets.download(row: resource.assetID) else {
      return try base.fetch(resource, progress: progress)
    }
    for step in 1...Self.steps {
      Thread.sleep(forTimeInterval: download.delay / Double(Self.steps))
      if let code = download.error, step == Self.steps / 2 {
        throw PHPhotosError(
          code, userInfo: [NSLocalizedDescriptionKey: "\(resource.originalFilename): the original did not arrive"])
      }
      try progress(Double(step) / Double(Self.steps))
    }
    assets.end(download, row: resource.assetID)
  }

  private func elsewhere(_ resource: ResourceRecord) -> StoreError {
    StoreError(.elsewhere, resource.originalFilename, reason: "the original is elsewhere; fetch it first")
  }
}

/// The assets of a test's library whose originals are remote, by their rows.
final class RemoteAssets: Sendable {
  private let state = Mutex(State())

  private struct State {
    var remote: [Int64: Download] = [:]
    var downloaded: Set<Int64> = []
    var latest = 0
  }

  struct Download: Sendable {
    /// The time of the download, in seconds.
    var delay: TimeInterval
    /// The error that the download ends with; `nil` if it succeeds.
    var error: PHPhotosError.Code?
    /// Distinguishes the download from earlier and later ones of the same asset.
    fileprivate(set) var number = 0

    init(delay: TimeInterval, error: PHPhotosError.Code?) {
      self.delay = delay
      self.error = error
    }
  }

  var areAllLocal: Bool { state.withLock { $0.remote.isEmpty } }

  func isRemote(row: Int64) -> Bool { state.withLock { $0.remote[row] != nil } }
  func isDownloaded(row: Int64) -> Bool { state.withLock { $0.downloaded.contains(row) } }
  func download(row: Int64) -> Download? { state.withLock { $0.remote[row] } }

  /// Makes an asset's originals remote; `nil` makes them local again.
  func set(_ download: Download?, row: Int64) {
    state.withLock { state in
      state.latest += 1
      state.remote[row] = download
      state.remote[row]?.number = state.latest
      state.downloaded.remove(row)
    }
  }

  /// Makes the originals of a finished download local. Does nothing if the test has made them
  /// remote or local again meanwhile.
  func end(_ download: Download, row: Int64) {
    state.withLock { state in
      guard state.remote[row]?.number == download.number else { return }
      state.remote[row] = nil
      state.downloaded.insert(row)
    }
  }
}

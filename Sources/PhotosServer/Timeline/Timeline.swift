import Foundation
import Photos

/// The library in the order in which it is browsed. It is read once per revision.
actor Timeline {
  private let library: PHPhotoLibrary
  private var latest: Snapshot?

  private struct Snapshot {
    var revision: String
    var days: Task<TimelineDays, any Error>
    var assets: Task<TimelineAssets, any Error>
  }

  init(library: PHPhotoLibrary) { self.library = library }

  func days() async throws -> TimelineDays { try await value(currentSnapshot().days) }

  func assets() async throws -> TimelineAssets { try await value(currentSnapshot().assets) }

  /// Returns the value, or forgets a failed reading, so that the next request tries again.
  private func value<Value>(_ reading: Task<Value, any Error>) async throws -> Value {
    do { return try await reading.value } catch {
      latest = nil
      throw error
    }
  }

  /// Returns the readings of the current revision. Simultaneous requests share them. The days are
  /// read first, since a client that asks for the days wants the assets next.
  private func currentSnapshot() -> Snapshot {
    let revision = library.currentChangeToken.stringValue
    if let latest, latest.revision == revision { return latest }
    let days = Task { [library] in try await Blocking.run { try TimelineDays(of: library) } }
    let assets = Task { [library] in
      _ = try await days.value
      return try await Blocking.run { try TimelineAssets(of: library) }
    }
    let snapshot = Snapshot(revision: revision, days: days, assets: assets)
    latest = snapshot
    return snapshot
  }
}

/// The number of assets per day.
struct TimelineDays: Sendable {
  let revision: String
  let total: Int
  /// The body of `/api/days`.
  let body: Data

  init(of library: PHPhotoLibrary) throws {
    let (revision, days) = try library.readConsistently { try PHAsset.fetchDays(with: .timeline(of: library)) }
    self.revision = revision
    total = days.reduce(0) { $0 + $1.count }
    body = DaysBody.encode(revision: revision, total: total, days: days)
  }
}

/// The assets that the web app shows, newest first.
struct TimelineAssets: @unchecked Sendable {
  // Any thread may use a fetch result.

  let revision: String
  private let result: PHFetchResult<PHAsset>

  init(of library: PHPhotoLibrary) throws {
    (revision, result) = library.readConsistently { PHAsset.fetchAssets(with: .timeline(of: library)) }
    if let error = result.error { throw error }
  }

  /// Returns the assets of a part of the timeline. The part may extend beyond the end.
  func assets(offset: Int, limit: Int) throws -> [PHAsset] {
    guard offset < result.count else { return [] }
    let assets = (offset..<min(offset + limit, result.count)).map(result.object(at:))
    if let error = result.error { throw error }
    return assets
  }
}

extension PHFetchOptions {
  /// Newest first by local time, without hidden assets, with all photos of each burst.
  fileprivate static func timeline(of library: PHPhotoLibrary) -> PHFetchOptions {
    let options = PHFetchOptions()
    options.photoLibrary = library
    options.includeAllBurstAssets = true
    options.sortDescriptors = [NSSortDescriptor(key: "localCreationDate", ascending: false)]
    return options
  }
}

extension PHPhotoLibrary {
  /// Returns the result of `read` with the library's revision. Reads again if something was
  /// committed in between.
  fileprivate func readConsistently<Value>(_ read: () throws -> Value) rethrows -> (revision: String, value: Value) {
    // An import commits a few times a second. If no attempt fits between two commits, the client
    // soon asks again anyway.
    let attempts = 4
    var revision = currentChangeToken.stringValue
    var value = try read()
    for _ in 1..<attempts {
      let revisionAfter = currentChangeToken.stringValue
      if revisionAfter == revision { break }
      revision = revisionAfter
      value = try read()
    }
    return (revision, value)
  }
}

import Foundation
import Photos

/// The library in the order in which it is browsed, read once for each of its revisions.
actor Timeline {
  private let library: PHPhotoLibrary
  private var latest: Readings?

  private struct Readings {
    var revision: String
    var days: Task<TimelineDays, any Error>
    var assets: Task<TimelineAssets, any Error>
  }

  init(library: PHPhotoLibrary) { self.library = library }

  func days() async throws -> TimelineDays { try await value(readings().days) }

  func assets() async throws -> TimelineAssets { try await value(readings().assets) }

  /// What failed is read again for the next who asks.
  private func value<Value>(_ reading: Task<Value, any Error>) async throws -> Value {
    do { return try await reading.value } catch {
      latest = nil
      throw error
    }
  }

  /// Of the revision of now; those who ask at the same time share them. Who asks for the days wants the assets next, but the
  /// days first.
  private func readings() -> Readings {
    let revision = library.currentChangeToken.stringValue
    if let latest, latest.revision == revision { return latest }
    let days = Task { [library] in try await Blocking.run { try TimelineDays(of: library) } }
    let assets = Task { [library] in
      _ = try await days.value
      return try await Blocking.run { try TimelineAssets(of: library) }
    }
    let readings = Readings(revision: revision, days: days, assets: assets)
    latest = readings
    return readings
  }
}

/// How many assets each day has.
struct TimelineDays: Sendable {
  let revision: String
  let total: Int
  /// The body of `/api/days`.
  let body: Data

  init(of library: PHPhotoLibrary) throws {
    let (revision, days) = try library.atOneRevision { try PHAsset.fetchDays(with: .timeline(of: library)) }
    self.revision = revision
    total = days.reduce(0) { $0 + $1.count }
    body = DaysBody.encode(revision: revision, total: total, days: days)
  }
}

/// The assets that the web app shows, newest first.
struct TimelineAssets: @unchecked Sendable {
  // A fetch result may be used by any thread.

  let revision: String
  private let result: PHFetchResult<PHAsset>

  init(of library: PHPhotoLibrary) throws {
    (revision, result) = library.atOneRevision { PHAsset.fetchAssets(with: .timeline(of: library)) }
    if let error = result.error { throw error }
  }

  /// Those in a part of the timeline, which may reach beyond its end.
  func assets(offset: Int, limit: Int) throws -> [PHAsset] {
    guard offset < result.count else { return [] }
    let assets = (offset..<min(offset + limit, result.count)).map(result.object(at:))
    if let error = result.error { throw error }
    return assets
  }
}

extension PHFetchOptions {
  /// Newest first on the clocks of the places, without hidden assets, with all of each burst.
  fileprivate static func timeline(of library: PHPhotoLibrary) -> PHFetchOptions {
    let options = PHFetchOptions()
    options.photoLibrary = library
    options.includeAllBurstAssets = true
    options.sortDescriptors = [NSSortDescriptor(key: "localCreationDate", ascending: false)]
    return options
  }
}

extension PHPhotoLibrary {
  /// What `read` finds, with the revision that it is of: reads again if something was committed meanwhile.
  fileprivate func atOneRevision<Value>(_ read: () throws -> Value) rethrows -> (revision: String, value: Value) {
    // An import commits a few times a second; who still hasn't met a pause asks again soon anyway.
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

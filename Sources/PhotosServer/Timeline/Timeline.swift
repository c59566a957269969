import Foundation
import Photos

/// The library in the order in which it is browsed, read once for each of its revisions.
actor Timeline {
  private let library: PHPhotoLibrary
  private var latest: (revision: String, snapshot: Task<TimelineSnapshot, Never>)?

  init(library: PHPhotoLibrary) { self.library = library }

  /// Of the revision of now; those who ask at the same time share the reading.
  func snapshot() async -> TimelineSnapshot {
    let revision = library.currentChangeToken.stringValue
    if let latest, latest.revision == revision { return await latest.snapshot.value }
    let reading = Task { [library] in await Blocking.run { TimelineSnapshot(of: library) } }
    latest = (revision, reading)
    return await reading.value
  }
}

/// The assets that the web app shows, newest first, and how many each day has.
struct TimelineSnapshot: @unchecked Sendable {
  // A fetch result may be used by any thread.

  let revision: String
  let result: PHFetchResult<PHAsset>
  /// The body of `/api/days`.
  let days: Data

  init(of library: PHPhotoLibrary) {
    let options = PHFetchOptions()
    options.photoLibrary = library
    options.includeAllBurstAssets = true
    options.sortDescriptors = [NSSortDescriptor(key: "localCreationDate", ascending: false)]
    var reading = Self.read(options, library)
    // Two fetches are of one state of the library if nothing was committed in between.
    for _ in 1..<Self.attempts where library.currentChangeToken.stringValue != reading.revision {
      reading = Self.read(options, library)
    }
    revision = reading.revision
    result = reading.result
    days = DaysBody.encode(revision: revision, total: result.count, days: reading.days)
  }

  private static func read(
    _ options: PHFetchOptions, _ library: PHPhotoLibrary
  ) -> (revision: String, result: PHFetchResult<PHAsset>, days: [PHAssetDay]) {
    let revision = library.currentChangeToken.stringValue
    return (revision, PHAsset.fetchAssets(with: options), PHAsset.fetchDays(with: options))
  }

  /// An import commits several times a second at most: a second reading is rarely needed, a third hardly ever.
  private static var attempts: Int { 4 }

  /// The assets in a part of the timeline, which may reach beyond its end.
  func assets(offset: Int, limit: Int) -> [PHAsset] {
    guard offset < result.count else { return [] }
    return (offset..<min(offset + limit, result.count)).map(result.object(at:))
  }
}

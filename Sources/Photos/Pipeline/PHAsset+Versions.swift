import Foundation
internal import LibraryStore

extension PHAsset {
  /// Returns the file with the picture of a version; for a video, its movie.
  ///
  /// - `current`: the render of the latest edit, or else the original.
  /// - `original`: the first file.
  /// - `unadjusted`: the original without edits; the picture, if there are a RAW file and a picture
  ///   of one shot.
  func resourceRecord(for version: PHImageRequestOptionsVersion) throws -> ResourceRecord {
    try resourceRecord(for: version, of: files())
  }

  func resourceRecord(for version: PHImageRequestOptionsVersion, of files: AssetFiles) throws -> ResourceRecord {
    let record =
      switch version {
      case .current: files.current
      case .unadjusted: files.unadjusted
      case .original: files.original
      }
    guard let record else { throw missing("photo") }
    return record
  }

  /// Returns the file that contains the movie: a video, a Live Photo's movie, or a photo with a
  /// movie inside at `motionVideo`.
  func movieRecord(isOriginal: Bool) throws -> ResourceRecord {
    let files = try files()
    guard let record = isOriginal ? files.originalMovie : files.currentMovie else { throw missing("video") }
    return record
  }

  func files() throws -> AssetFiles {
    AssetFiles(try photoLibrary.store.resources(assetIDs: [record.id])[record.id] ?? [])
  }

  /// Returns whether an original of the asset has to be fetched before it can be read.
  func isElsewhere(_ resource: () throws -> ResourceRecord) -> Bool {
    let originals = photoLibrary.store.originals
    // An original that is not found is reported by the call that opens it.
    guard !originals.areAllLocal, let resource = try? resource() else { return false }
    return !originals.isLocal(resource)
  }

  func missing(_ what: String) -> PHPhotosError {
    PHPhotosError(.missingResource, "\(localIdentifier) has no \(what)")
  }
}

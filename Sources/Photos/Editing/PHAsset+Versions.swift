import Foundation
internal import LibraryStore

extension PHAsset {
  /// The file that a version of the picture is made of; of a video its movie, which has a poster.
  ///
  /// - `current`: the render of the latest edit, or else the original.
  /// - `original`: the first file.
  /// - `unadjusted`: the original without edits; of a RAW file and a picture of one shot, the picture.
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

  /// The file that the movie is in: a video, a Live Photo's, or a photo with a movie inside (`motionVideo` says where).
  func movieRecord(isOriginal: Bool) throws -> ResourceRecord {
    let files = try files()
    guard let record = isOriginal ? files.originalMovie : files.currentMovie else { throw missing("video") }
    return record
  }

  func files() throws -> AssetFiles {
    AssetFiles(try photoLibrary.store.resources(assetIDs: [record.id])[record.id] ?? [])
  }

  func missing(_ what: String) -> PHPhotosError {
    PHPhotosError(.missingResource, "\(localIdentifier) has no \(what)")
  }
}

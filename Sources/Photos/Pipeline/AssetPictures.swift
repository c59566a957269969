import Foundation
internal import Imaging
internal import LibraryStore

/// The pictures of an asset: finds them in the library, makes them from the asset's files, and
/// stores them.
///
///     let image = try asset.pictures.makeImage(specification)
///
/// It reads and decodes on the caller's thread. `ImagePipeline` shares the work among requests. No
/// method checks the client's access, except `checkAccess()`.
struct AssetPictures: Sendable {
  let record: AssetRecord
  let library: PHPhotoLibrary

  var store: LibraryStore { library.store }

  /// The asset with its current picture: an edit changes the key.
  struct Key: Hashable, Sendable {
    var library: ObjectIdentifier
    var uuid: String
    var version: String
  }

  var key: Key { Key(library: ObjectIdentifier(library), uuid: record.uuid, version: record.renditionVersion) }

  var pixelSize: PixelSize { PixelSize(width: record.pixelWidth, height: record.pixelHeight) }

  /// Throws if the client may no longer see the asset.
  func checkAccess() throws(PHPhotosError) { try withPhotosErrors { _ = try library.store(reading: [record.id]) } }

  /// Throws if it is known that the asset can't be read.
  func checkIsReadable() throws(PHPhotosError) {
    guard record.isUnreadable, !isDueForAnotherAttempt else { return }
    let detail = try withPhotosErrors { try library.store(reading: [record.id]).detail(assetID: record.id) }
    let identifier = PHAsset.localIdentifier(uuid: record.uuid)
    throw PHPhotosError(
      .invalidResource, "\(identifier): \(detail?.unreadableReason ?? "it can't be read")", identifiers: [identifier])
  }

  // MARK: Files

  func files() throws -> AssetFiles { AssetFiles(try store.resources(assetIDs: [record.id])[record.id] ?? []) }

  /// Returns the file with the picture of a version; for a video, its movie.
  ///
  /// - `current`: the render of the latest edit, or else the original.
  /// - `original`: the first file.
  /// - `unadjusted`: the original without edits; the picture, if there are a RAW file and a picture
  ///   of one shot.
  func resource(for version: PHImageRequestOptionsVersion) throws -> ResourceRecord {
    try resource(for: version, in: files())
  }

  func resource(for version: PHImageRequestOptionsVersion, in files: AssetFiles) throws -> ResourceRecord {
    let resource =
      switch version {
      case .current: files.current
      case .unadjusted: files.unadjusted
      case .original: files.original
      }
    guard let resource else { throw missing("photo") }
    return resource
  }

  /// Returns the file that contains the movie: of a video, of a Live Photo, or a photo that
  /// contains a movie at `motionVideo`.
  func movieResource(isOriginal: Bool) throws -> ResourceRecord {
    let files = try files()
    guard let resource = isOriginal ? files.originalMovie : files.currentMovie else { throw missing("movie") }
    return resource
  }

  func open(_ resource: ResourceRecord) throws -> MediaFile { try store.originals.mediaFile(of: resource) }

  /// Returns whether a file of the asset has to be fetched before it can be read.
  func isElsewhere(_ resource: () throws -> ResourceRecord) -> Bool {
    let originals = store.originals
    // A file that is not found is reported by the call that opens it.
    guard !originals.areAllLocal, let resource = try? resource() else { return false }
    return !originals.isLocal(resource)
  }

  func missing(_ what: String) -> PHPhotosError {
    PHPhotosError(.missingResource, "\(PHAsset.localIdentifier(uuid: record.uuid)) has no \(what)")
  }
}

extension PHAsset {
  var pictures: AssetPictures { AssetPictures(record: record, library: photoLibrary) }

  /// Throws if the client may no longer see the asset.
  func checkAccess() throws(PHPhotosError) { try pictures.checkAccess() }
}

internal import Essentials
import Foundation
internal import LibraryStore

extension PHAssetResource {
  /// The SHA-256 of the original's bytes, in hexadecimal. For the movie inside a motion photo, it
  /// is that of the whole photo.
  public var sha256: String { record.sha256.hexadecimal }

  /// Returns whether a file contains exactly this resource's bytes.
  public func hasBytes(ofFileAt fileURL: URL) throws -> Bool {
    do {
      try checkAccess()
      let source = ByteSource.file(FilePath(fileURL))
      if let movie = try movieInsidePhoto() { return try ByteSource.file(FilePath(movie)).sha256() == source.sha256() }
      return try source.holdsSameBytes(as: record)
    } catch {
      throw PHPhotosError(error)
    }
  }

  /// Returns what `PHPhotoLibrary.verify` would find about the file, as far as it is known without
  /// reading the file: that it is missing, that it has another size, or that the last verification
  /// found it changed. Returns `nil` if nothing is known.
  package func knownFault() throws -> PHPhotoLibrary.Finding? {
    try withPhotosErrors {
      try photoLibrary.store(reading: [asset.rowID]).fault(of: record).map(PHPhotoLibrary.Finding.init)
    }
  }

  /// Returns the files of many assets with one query, keyed by the assets' identifiers, the primary
  /// file first. The movie inside a motion photo is not included. All assets have to be of one
  /// library. Throws if the files of one of them can't be read.
  public class func assetResources(for assets: [PHAsset]) throws -> [String: [PHAssetResource]] {
    guard let library = assets.first?.photoLibrary else { return [:] }
    return try withPhotosErrors {
      let own = assets.filter { $0.isOf(library) }
      let records = try library.engine.available().resources(assetIDs: library.visible(own.map(\.record.id)))
      return Dictionary(
        own.map { asset in
          let resources = AssetFiles(records[asset.record.id] ?? []).resources.map { PHAssetResource($0, of: asset) }
          return (asset.localIdentifier, resources)
        }, uniquingKeysWith: { first, _ in first })
    }
  }
}

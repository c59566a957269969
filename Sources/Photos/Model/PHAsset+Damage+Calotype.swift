import Foundation
internal import Imaging
internal import LibraryStore

extension PHAsset {
  /// Whether a part of the picture is missing or wrong, for example after an interrupted copy. The
  /// rest can be shown.
  public var isDamaged: Bool { record.traits.contains(.damaged) }

  /// Whether a file of the asset is missing, or known to be damaged since its import.
  ///
  /// A picture that is made meanwhile changes when the file is replaced, so it must not be cached.
  package func hasDamagedFiles() throws -> Bool {
    try withPhotosErrors { try pictures.files().resources.contains(where: photoLibrary.store.isDamaged) }
  }

  /// Returns an undamaged photo of the same shot in the library; `nil` if there is none, or if this
  /// photo is not damaged.
  ///
  /// The other photo's file begins with the same bytes and is not shorter. The search covers photos
  /// with the same date or the same name.
  public func wholeCopy() throws -> PHAsset? {
    guard isDamaged else { return nil }
    return try withPhotosErrors {
      let own = try pictures.resource(for: .original)
      let file = try pictures.open(own)
      let beginning = try file.read(Self.comparedByteCount, at: 0)
      let options = PHFetchOptions()
      options.photoLibrary = photoLibrary
      options.predicate = NSPredicate(
        format: "creationDate == %@ OR originalFilename == %@", record.creationDate as NSDate, own.originalFilename)
      let candidates = PHAsset.fetchAssets(with: .image, options: options)
      for index in 0..<candidates.count {
        let other = candidates[index]
        guard other.uuid != uuid, !other.isDamaged, !other.isUnreadable,
          let whole = try? other.pictures.open(other.pictures.resource(for: .original)),
          whole.byteCount >= file.byteCount, try whole.read(beginning.count, at: 0) == beginning
        else { continue }
        return other
      }
      return nil
    }
  }

  /// The metadata and the beginning of the thumbnail fit into these bytes, and they differ from one
  /// shot to the next.
  private static let comparedByteCount = 16 << 10
}

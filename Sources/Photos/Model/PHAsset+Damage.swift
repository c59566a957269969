import Foundation
internal import Imaging
internal import LibraryStore

extension PHAsset {
  /// Extension: whether a part of the picture is missing or wrong, as of a copy that was broken off. What is there can be shown.
  public var isDamaged: Bool { record.traits.contains(.damaged) }

  /// Extension: of a damaged photo, one in the library that is whole and of the same shot; `nil` where there is none.
  ///
  /// Its file begins with the same bytes and is no shorter. It is looked for among the photos of the same instant and of the same
  /// name.
  public func wholeCopy() throws -> PHAsset? {
    guard isDamaged else { return nil }
    do {
      let own = try resourceRecord(for: .original)
      let file = try mediaFile(of: own)
      let beginning = try file.read(Self.comparedByteCount, at: 0)
      let options = PHFetchOptions()
      options.photoLibrary = photoLibrary
      options.predicate = NSPredicate(
        format: "creationDate == %@ OR originalFilename == %@", record.creationDate as NSDate, own.originalFilename)
      let candidates = PHAsset.fetchAssets(with: .image, options: options)
      for index in 0..<candidates.count {
        let other = candidates[index]
        guard other.uuid != uuid, !other.isDamaged, !other.isUnreadable,
          let whole = try? other.mediaFile(of: other.resourceRecord(for: .original)),
          whole.byteCount >= file.byteCount, try whole.read(beginning.count, at: 0) == beginning
        else { continue }
        return other
      }
      return nil
    } catch { throw PHPhotosError(error) }
  }

  /// A camera's notes and the beginning of its thumbnail: the next shot has others.
  private static let comparedByteCount = 16 << 10
}

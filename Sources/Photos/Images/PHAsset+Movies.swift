import Foundation
internal import Imaging
internal import LibraryStore

extension PHAsset {
  /// A file that holds the movie and nothing else: the resource itself, or what a motion photo has inside, copied out once.
  func movieFile(isOriginal: Bool) throws -> URL {
    do {
      let record = try movieRecord(isOriginal: isOriginal)
      let url = photoLibrary.store.url(of: record)
      guard let range = record.motionVideo else { return url }
      let hash = record.sha256.prefix(4).map { String(format: "%02x", $0) }.joined()
      let copy = URL(fileURLWithPath: renditionFile("motion-\(hash).mp4", of: self.record))
      if !FileManager.default.fileExists(atPath: copy.path) {
        try mediaFile(of: record).read(range.count, at: range.lowerBound).withUnsafeBytes {
          try Data($0).write(to: copy, options: .atomic)
        }
      }
      return copy
    } catch { throw PHPhotosError(error) }
  }
}

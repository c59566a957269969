import Foundation
internal import LibraryStore

extension PHAdjustmentData {
  /// Reads the property list of an edit, `Adjustments.plist` or an iPhone's `IMG_0001.AAE`; `nil`
  /// for any other file.
  public convenience init?(contentsOf fileURL: URL) {
    guard let bytes = try? FilePath(fileURL).contents(limit: Self.fileByteLimit) else { return nil }
    self.init(propertyList: bytes)
  }
}

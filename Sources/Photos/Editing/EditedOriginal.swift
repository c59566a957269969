import Foundation
internal import LibraryStore

/// The bytes of the original that an edit was made of.
///
/// The property list of an edit contains their hash. It shows whose edit it is after a library has
/// lost its database. The size is there so that only a few files have to be hashed.
package struct EditedOriginal: Hashable, Sendable {
  package var byteCount: Int
  package var sha256: Data

  package init(byteCount: Int, sha256: Data) {
    self.byteCount = byteCount
    self.sha256 = sha256
  }

  /// Reads the property list of an edit. Returns `nil` if it names no original, as lists of phones
  /// and of earlier versions don't.
  package init?(contentsOfAdjustments file: URL) {
    // The caller has read the file before, and has reported its faults.
    guard let bytes = try? FilePath(file).contents(limit: PHAdjustmentData.fileByteLimit) else { return nil }
    self.init(propertyList: bytes)
  }

  init?(_ original: ResourceRecord?) {
    guard let original else { return nil }
    self.init(byteCount: original.byteCount, sha256: original.sha256)
  }
}

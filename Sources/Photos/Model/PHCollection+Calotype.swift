import Foundation
internal import LibraryStore

extension PHCollection {
  /// The library that the collection was fetched from.
  public var photoLibrary: PHPhotoLibrary { library ?? .shared() }

  /// Returns the value of `canPerform`. Throws if the client's access can't be read.
  package func isAllowed(_ operation: PHCollectionEditOperation) throws -> Bool {
    guard allows(operation) else { return false }
    return try withPhotosErrors { try photoLibrary.access().seesEverything }
  }

  /// Returns whether those who may change collections can do this to the collection.
  func allows(_ operation: PHCollectionEditOperation) -> Bool {
    guard record.id != 0, transientIDs == nil else { return false }
    return switch record.kind {
    case .album: operation != .createContent
    case .smartAlbum: operation == .deleteContent && record.smartAlbum != .generic
    case .folder: !record.isRoot || ![.delete, .rename].contains(operation)
    }
  }
}

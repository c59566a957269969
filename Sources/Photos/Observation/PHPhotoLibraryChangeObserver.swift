import Foundation

/// Is told what happens to a library, by this process and by every other one.
///
///     library.register(self)
public protocol PHPhotoLibraryChangeObserver: NSObjectProtocol {
  /// Called after the commit, on a background queue, for one change after the other; transactions that follow each other quickly may come as
  /// one change.
  func photoLibraryDidChange(_ changeInstance: PHChange)
}

/// Is told when a library's disk goes away.
public protocol PHPhotoLibraryAvailabilityObserver: NSObjectProtocol {
  /// Called on a background queue. Fetches find nothing from now on, and `unavailabilityReason` says why.
  func photoLibraryDidBecomeUnavailable(_ photoLibrary: PHPhotoLibrary)
  /// Extension: the library is back; what was fetched before is good again.
  func photoLibraryDidBecomeAvailable(_ photoLibrary: PHPhotoLibrary)
}

extension PHPhotoLibraryAvailabilityObserver {
  public func photoLibraryDidBecomeAvailable(_ photoLibrary: PHPhotoLibrary) {}
}

/// Is told that the persistent history has grown.
public protocol PHPhotoLibraryPersistentChangesObserver: NSObjectProtocol {
  func photoLibraryPersistentChangesDidUpdate(_ photoLibrary: PHPhotoLibrary)
}

import Foundation

/// An object that is notified of changes to a library, by this process and by all others.
///
///     library.register(self)
public protocol PHPhotoLibraryChangeObserver: NSObjectProtocol {
  /// Called after a commit, on a background queue, one change at a time. Transactions in quick
  /// succession may be reported as one change.
  func photoLibraryDidChange(_ changeInstance: PHChange)
}

/// An object that is notified when a library's disk is removed.
public protocol PHPhotoLibraryAvailabilityObserver: NSObjectProtocol {
  /// Called on a background queue. Until the library is back, fetches find nothing, and
  /// `unavailabilityReason` returns the reason.
  func photoLibraryDidBecomeUnavailable(_ photoLibrary: PHPhotoLibrary)
  /// Called when the library is back. Objects that were fetched before can be used again.
  func photoLibraryDidBecomeAvailable(_ photoLibrary: PHPhotoLibrary)
}

extension PHPhotoLibraryAvailabilityObserver {
  public func photoLibraryDidBecomeAvailable(_ photoLibrary: PHPhotoLibrary) {}
}

/// An object that is notified of additions to the persistent history.
public protocol PHPhotoLibraryPersistentChangesObserver: NSObjectProtocol {
  func photoLibraryPersistentChangesDidUpdate(_ photoLibrary: PHPhotoLibrary)
}

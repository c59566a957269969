import Foundation

extension PHPhotoLibrary {
  /// Returns when the library's observers have been notified of everything that has been committed
  /// so far. For tests; an observer must not call it.
  package func waitForObservers() { observation.flush() }
}

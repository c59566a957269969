import Foundation

extension PHCollection {
  /// The library that the collection was fetched from.
  public var photoLibrary: PHPhotoLibrary { library ?? .shared() }
}

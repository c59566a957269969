import Foundation

extension PHFetchResult {
  /// Makes a result of the same objects with another type, as a cast of Objective-C's generics
  /// does.
  ///
  ///     PHFetchResult<PHCollection>(casting: albums)
  ///
  /// Reading an object of another type traps.
  public convenience init<Other>(casting other: PHFetchResult<Other>) { self.init(other.fetched) }

  /// The reason that the library could not be read, in the fetch or later for an object. PhotoKit's
  /// fetches can't throw.
  public var error: PHPhotosError? { fetched.error }

  /// Returns the statement that the fetch ran, its arguments, and SQLite's plan for it, a line
  /// each, for people to read.
  ///
  ///     print(try PHAsset.fetchAssets(with: options).explanation())
  public func explanation() throws -> String { try fetched.explanation() }
}

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

  /// Returns all objects. Throws the fetch's error, since PhotoKit's fetch methods can't throw.
  package func all() throws -> [ObjectType] {
    if let error { throw error }
    let objects = objects(at: IndexSet(0..<count))
    if let error { throw error }
    return objects
  }

  /// Returns the first object; `nil` if there is none. Throws the fetch's error.
  package func first() throws -> ObjectType? {
    if let error { throw error }
    let first = firstObject
    if let error { throw error }
    return first
  }

  /// The rows of the objects.
  package var rowIDs: [Int64] { fetched.ids }

  /// Returns the statement that the fetch ran, its arguments, and SQLite's plan for it, a line
  /// each, for people to read.
  ///
  ///     print(try PHAsset.fetchAssets(with: options).explanation())
  public func explanation() throws -> String { try fetched.explanation() }
}

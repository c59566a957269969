import Foundation
internal import LibraryStore

extension PHPhotoLibrary {
  /// Runs a fetch with the client's access. If the library can't be read, the result is empty and
  /// has an `error`.
  func fetch<Object: PHObject>(
    _ query: FetchQuery, wantsIncrementalChangeDetails: Bool = true
  ) -> PHFetchResult<Object> {
    var query = query
    query.now = engine.clock().timeIntervalSince1970
    query.expiresTrash = engine.trustsClock
    let unrestrictedQuery = query
    var found = FetchedIDs(ids: [], transaction: 0)
    var failure: PHPhotosError?
    do {
      query = try restricted(query, to: accessForFetching())
      found = try engine.available().fetch(query)
    } catch {
      // The most likely cause is a removed disk, whose error names the cause.
      engine.checkAvailability()
      failure = engine.unavailability ?? PHPhotosError(error)
    }
    return PHFetchResult(
      FetchedObjects(
        library: self, query: query, unrestrictedQuery: unrestrictedQuery, found: found,
        wantsIncrementalChangeDetails: wantsIncrementalChangeDetails,
        failure: failure))
  }
}

extension PHFetchOptions {
  /// Runs a fetch about an object, in the object's own library. Another library returns nothing
  /// about it.
  static func fetch<Object: PHObject>(
    _ options: PHFetchOptions?, about object: PHObject, _ source: FetchQuery.Source, for entity: PredicateEntity
  ) -> PHFetchResult<Object> {
    let own = (object as? PHAsset)?.library ?? (object as? PHCollection)?.library
    let library = options?.photoLibrary ?? own ?? .shared()
    return fetch(options, in: library, object.isOf(library) ? source : .nothing, for: entity)
  }

  /// Runs a fetch with these options. `refine` changes the query last.
  static func fetch<Object: PHObject>(
    _ options: PHFetchOptions?, in library: PHPhotoLibrary? = nil, _ source: FetchQuery.Source,
    for entity: PredicateEntity, _ refine: (inout FetchQuery) -> Void = { _ in }
  ) -> PHFetchResult<Object> {
    let options = options ?? PHFetchOptions()
    var query = options.validQuery(source, for: entity)
    refine(&query)
    return (options.photoLibrary ?? library ?? .shared())
      .fetch(query, wantsIncrementalChangeDetails: options.wantsIncrementalChangeDetails)
  }
}

import Foundation
internal import LibraryStore

extension PHPhotoLibrary {
  /// Runs a fetch with the client's access. A library that can't be read gives an empty result, whose `error` says why.
  func fetch<Object: PHObject>(
    _ query: FetchQuery, wantsIncrementalChangeDetails: Bool = true
  ) -> PHFetchResult<Object> {
    var query = query
    query.now = engine.clock().timeIntervalSince1970
    let asked = query
    var found = FetchedIDs(ids: [], transaction: 0)
    var failure: PHPhotosError?
    do {
      query = query.restricted(to: try accessForFetching())
      found = try engine.available().fetch(query)
    } catch {
      // Most likely the disk has gone: then that is the reason to tell.
      engine.checkAvailability()
      failure = engine.unavailability ?? PHPhotosError(error)
    }
    return PHFetchResult(
      FetchedObjects(
        library: self, query: query, asked: asked, found: found,
        wantsIncrementalChangeDetails: wantsIncrementalChangeDetails,
        failure: failure))
  }
}

extension PHFetchOptions {
  /// Runs a fetch about an object, in its own library; in another one there is nothing about it.
  static func fetch<Object: PHObject>(
    _ options: PHFetchOptions?, about object: PHObject, _ source: FetchQuery.Source, for entity: PredicateEntity
  ) -> PHFetchResult<Object> {
    let own = (object as? PHAsset)?.library ?? (object as? PHCollection)?.library
    let library = options?.photoLibrary ?? own ?? .shared()
    return fetch(options, in: library, object.isOf(library) ? source : .nothing, for: entity)
  }

  /// Runs a fetch with these options; `refine` has the last word.
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

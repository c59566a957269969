import Foundation
internal import LibraryStore

extension PHCollection {
  /// Returns the albums and folders in a folder, in the order that the user gave them.
  ///
  /// A transient folder's transient collections are returned only by a fetch without a predicate,
  /// sort descriptors and search words.
  public class func fetchCollections(
    in collectionList: PHCollectionList, options: PHFetchOptions?
  ) -> PHFetchResult<PHCollection> {
    let source: FetchQuery.Source =
      collectionList.transientIDs.map { .collectionsListed($0) } ?? .children(of: collectionList.rowID)
    let found: PHFetchResult<PHCollection> = PHFetchOptions.fetch(
      options, about: collectionList, source, for: .collection)
    guard let ids = collectionList.transientIDs, !collectionList.transientChildren.isEmpty,
      options?.returnsAll ?? true,
      collectionList.library == nil || collectionList.isOf(found.fetched.library)
    else { return found }
    return PHFetchResult(
      found.fetched.adding(TransientChildren(ids: ids, collections: collectionList.transientChildren)))
  }

  /// Returns the albums and folders that are in no folder, in the order that the user gave them.
  public class func fetchTopLevelUserCollections(with options: PHFetchOptions?) -> PHFetchResult<PHCollection> {
    PHFetchOptions.fetch(options, .topLevel, for: .collection)
  }
}

extension PHAssetCollection {
  public class func fetchAssetCollections(
    withLocalIdentifiers identifiers: [String], options: PHFetchOptions?
  ) -> PHFetchResult<PHAssetCollection> {
    PHFetchOptions.fetch(options, .collectionsOfKinds([.album, .smartAlbum]), for: .assetCollection) {
      $0.uuids = identifiers.map(uuid(localIdentifier:))
    }
  }

  /// Returns the albums that contain an asset. Smart albums are not included.
  public class func fetchAssetCollectionsContaining(
    _ asset: PHAsset, with type: PHAssetCollectionType, options: PHFetchOptions?
  ) -> PHFetchResult<PHAssetCollection> {
    PHFetchOptions.fetch(
      options, about: asset, type == .album ? .albumsContaining(asset: asset.rowID) : .nothing, for: .assetCollection)
  }

  /// Deprecated by PhotoKit. Returns an empty result.
  public class func fetchAssetCollections(
    withALAssetGroupURLs assetGroupURLs: [URL], options: PHFetchOptions?
  ) -> PHFetchResult<PHAssetCollection> { PHFetchResult() }

  /// Deprecated by PhotoKit. Returns an empty result.
  public class func fetchMoments(
    inMomentList momentList: PHCollectionList, options: PHFetchOptions?
  ) -> PHFetchResult<PHAssetCollection> { PHFetchResult() }

  /// Deprecated by PhotoKit. Returns an empty result.
  public class func fetchMoments(with options: PHFetchOptions?) -> PHFetchResult<PHAssetCollection> { PHFetchResult() }

  /// Makes a collection that is not stored, for views that show collections.
  public class func transientAssetCollection(with assets: [PHAsset], title: String?) -> PHAssetCollection {
    PHAssetCollection(
      record: .transient(.album, title: title), photoLibrary: assets.first?.library, transientIDs: rows(of: assets))
  }

  public class func transientAssetCollection(
    withAssetFetchResult fetchResult: PHFetchResult<PHAsset>, title: String?
  ) -> PHAssetCollection {
    PHAssetCollection(
      record: .transient(.album, title: title), photoLibrary: fetchResult.fetched.library,
      transientIDs: fetchResult.fetched.ids)
  }
}

extension PHCollectionList {
  /// Returns the folder that contains a collection. The result is empty for a top-level collection.
  public class func fetchCollectionListsContaining(
    _ collection: PHCollection, options: PHFetchOptions?
  ) -> PHFetchResult<PHCollectionList> {
    PHFetchOptions.fetch(options, about: collection, .parent(of: collection.rowID), for: .collectionList)
  }

  public class func fetchCollectionLists(
    withLocalIdentifiers identifiers: [String], options: PHFetchOptions?
  ) -> PHFetchResult<PHCollectionList> {
    PHFetchOptions.fetch(options, .collectionsOfKinds([.folder]), for: .collectionList) {
      $0.uuids = identifiers.map(uuid(localIdentifier:))
    }
  }

  /// Returns the folders of all levels.
  public class func fetchCollectionLists(
    with collectionListType: PHCollectionListType, subtype: PHCollectionListSubtype, options: PHFetchOptions?
  ) -> PHFetchResult<PHCollectionList> {
    let source: FetchQuery.Source =
      switch (collectionListType, subtype) {
      case (.folder, .any): .collections(.folder, subtype: nil)
      case (.folder, _): .collections(.folder, subtype: subtype.rawValue)
      case (.momentList, _), (.smartFolder, _): .nothing
      }
    return PHFetchOptions.fetch(options, source, for: .collectionList)
  }

  /// Deprecated by PhotoKit. Returns an empty result.
  public class func fetchMomentLists(
    with momentListSubtype: PHCollectionListSubtype, containingMoment moment: PHAssetCollection,
    options: PHFetchOptions?
  ) -> PHFetchResult<PHCollectionList> { PHFetchResult() }

  /// Deprecated by PhotoKit. Returns an empty result.
  public class func fetchMomentLists(
    with momentListSubtype: PHCollectionListSubtype, options: PHFetchOptions?
  ) -> PHFetchResult<PHCollectionList> { PHFetchResult() }

  /// Makes a folder that is not stored, for views that show folders. Collections of another library
  /// than the first one's are left out.
  public class func transientCollectionList(with collections: [PHCollection], title: String?) -> PHCollectionList {
    // A transient album without assets is of no library.
    let library = collections.lazy.compactMap(\.library).first
    var ids: [Int64] = []
    var children: [Int64: PHCollection] = [:]
    for collection in collections where collection.library == nil || collection.isOf(library) {
      guard collection.transientIDs != nil else {
        ids.append(collection.rowID)
        continue
      }
      let number = -Int64(children.count + 1)
      children[number] = collection
      ids.append(number)
    }
    return PHCollectionList(
      record: .transient(.folder, title: title), photoLibrary: library, transientIDs: ids, transientChildren: children)
  }

  public class func transientCollectionList(
    withCollectionsFetchResult fetchResult: PHFetchResult<PHCollection>, title: String?
  ) -> PHCollectionList {
    PHCollectionList(
      record: .transient(.folder, title: title), photoLibrary: fetchResult.fetched.library,
      transientIDs: fetchResult.fetched.ids,
      transientChildren: fetchResult.fetched.transientChildren?.collections ?? [:])
  }
}

extension PHAssetCollection {
  /// Returns the rows of those assets that are of the first one's library. A transient album can't
  /// contain assets of two libraries.
  fileprivate class func rows(of assets: [PHAsset]) -> [Int64] {
    let library = assets.first?.library
    return assets.filter { $0.isOf(library) }.map(\.rowID)
  }
}

extension PHFetchOptions {
  /// Whether a fetch returns all objects in their own order, at most `fetchLimit` of them.
  fileprivate var returnsAll: Bool {
    predicate == nil && sortDescriptors?.isEmpty ?? true && searchText == nil && searchTerms.isEmpty
      && (includeAssetSourceTypes.isEmpty || includeAssetSourceTypes.contains(.typeUserLibrary))
  }
}

extension CollectionRecord {
  fileprivate static func transient(_ kind: CollectionKind, title: String?) -> CollectionRecord {
    var record = CollectionRecord.deleted(uuid: UUID().uuidString, kind: kind)
    record.title = title ?? ""
    return record
  }
}

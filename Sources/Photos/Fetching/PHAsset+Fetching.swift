import Foundation
internal import LibraryStore

extension PHAsset {
  public class func fetchAssets(with mediaType: PHAssetMediaType, options: PHFetchOptions?) -> PHFetchResult<PHAsset> {
    PHFetchOptions.fetch(options, .assets, for: .asset) { $0.mediaType = mediaType.rawValue }
  }

  /// Returns the assets with these identifiers, including hidden ones. Unknown identifiers are
  /// skipped. The order is not that of the list.
  public class func fetchAssets(
    withLocalIdentifiers identifiers: [String], options: PHFetchOptions?
  ) -> PHFetchResult<PHAsset> {
    PHFetchOptions.fetch(options, .assets, for: .asset) {
      $0.uuids = identifiers.map(uuid(localIdentifier:))
      $0.includesHidden = true
      $0.includesAllBurstAssets = true
    }
  }

  /// Returns the frames of one burst.
  public class func fetchAssets(
    withBurstIdentifier identifier: String, options: PHFetchOptions?
  ) -> PHFetchResult<PHAsset> {
    PHFetchOptions.fetch(options, .assets, for: .asset) { $0.burstIdentifier = identifier }
  }

  /// Returns up to three assets that represent a collection: the chosen one, else the latest ones.
  public class func fetchKeyAssets(
    in assetCollection: PHAssetCollection, options: PHFetchOptions?
  ) -> PHFetchResult<PHAsset>? {
    let options = options ?? PHFetchOptions()
    let library = options.photoLibrary ?? assetCollection.library ?? .shared()
    if let key = assetCollection.record.keyAssetID {
      let chosen: PHFetchResult<PHAsset> = PHFetchOptions.fetch(options, in: library, .assetsListed([key]), for: .asset)
      if chosen.count > 0 { return chosen }
    }
    let source = FetchQuery.assets(in: assetCollection, of: library)
    let found: PHFetchResult<PHAsset> = PHFetchOptions.fetch(options, in: library, source.source, for: .asset) {
      $0.isOfTrash = source.isOfTrash
      $0.includesHidden = $0.includesHidden || assetCollection.assetCollectionSubtype == .smartAlbumAllHidden
      if $0.sort.isEmpty { $0.sort = [.init(.creationDate, ascending: false)] }
      $0.limit = $0.limit > 0 ? min($0.limit, Self.keyAssetLimit) : Self.keyAssetLimit
    }
    return found.count == 0 ? nil : found
  }

  private static let keyAssetLimit = 3

  /// Deprecated by PhotoKit. Fetches the assets of the `referenceURL`s of
  /// `UIImagePickerController`.
  public class func fetchAssets(withALAssetURLs assetURLs: [URL], options: PHFetchOptions?) -> PHFetchResult<PHAsset> {
    let identifiers = assetURLs.compactMap { url in
      url.scheme != "assets-library"
        ? nil
        : URLComponents(url: url, resolvingAgainstBaseURL: false)?.queryItems?.first { $0.name == "id" }?.value
    }
    return fetchAssets(withLocalIdentifiers: identifiers, options: options)
  }
}

extension FetchQuery {
  /// Returns the query for the assets of a collection of any kind.
  static func assets(in collection: PHAssetCollection, of library: PHPhotoLibrary) -> FetchQuery {
    if let ids = collection.transientIDs {
      return FetchQuery(collection.isOf(library) ? .assetsListed(ids) : .nothing)
    }
    guard let smart = collection.record.smartAlbum else {
      let album = collection.isOf(library) ? collection.rowID : 0
      return FetchQuery(album == 0 ? .nothing : .assetsInAlbum(album))
    }
    var query = FetchQuery(.assetsInSmartAlbum(smart))
    query.isOfTrash = smart == .recentlyDeleted
    return query
  }
}

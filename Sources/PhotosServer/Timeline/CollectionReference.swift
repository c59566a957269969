import Foundation
import Photos
import PhotosJSON

/// The name of a smart album, like `favorites`, or the UUID of a collection.
enum CollectionReference {
  case smartAlbum(PHAssetCollectionSubtype)
  case uuid(String)

  init(_ text: String) {
    self = PHAssetCollectionSubtype(name: text).map { .smartAlbum($0) } ?? .uuid(text)
  }

  /// Returns the collection. If the client does not see it, returns `nil` for a smart album, and
  /// throws 404 for any other collection.
  func find(in library: PHPhotoLibrary) throws -> PHCollection? {
    let options = PHFetchOptions()
    options.photoLibrary = library
    switch self {
    case .smartAlbum(let subtype):
      return try PHAssetCollection.fetchAssetCollections(with: .smartAlbum, subtype: subtype, options: options).first()
    case .uuid(let uuid):
      let albums = PHAssetCollection.fetchAssetCollections(withLocalIdentifiers: [uuid], options: options)
      if let album = try albums.first() { return album }
      let folders = PHCollectionList.fetchCollectionLists(withLocalIdentifiers: [uuid], options: options)
      if let folder = try folders.first(), folder.collectionListSubtype != .rootFolder { return folder }
      throw Failure(.notFound, "there is no collection \(uuid)")
    }
  }

  /// Returns the order in which the collection is shown.
  func defaultOrder(in library: PHPhotoLibrary) throws -> AssetOrder {
    let subtype: PHAssetCollectionSubtype? =
      switch self {
      case .smartAlbum(let subtype): subtype
      case .uuid: (try find(in: library) as? PHAssetCollection)?.assetCollectionSubtype
      }
    return switch subtype {
    case .albumRegular: .custom
    case .smartAlbumRecentlyAdded: .added
    case .smartAlbumRecentlyDeleted: .deleted
    default: .newest
    }
  }
}

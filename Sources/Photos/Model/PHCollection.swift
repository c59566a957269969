import CoreLocation
import Foundation
internal import LibraryStore

/// An album, a smart album or a folder. Albums and folders form one tree.
///
///     let tree = PHCollection.fetchTopLevelUserCollections(with: nil)
///     tree.enumerateObjects { collection, _, _ in print(collection.localizedTitle ?? "") }
///
/// It is immutable: changes of the library appear in new fetches. Any thread may use it.
open class PHCollection: PHObject, @unchecked Sendable {
  // The record is a value, and the library is Sendable.

  let record: CollectionRecord
  /// The library; `nil` for a collection that a test made.
  let library: PHPhotoLibrary?
  /// The rows in a transient collection, which is not stored; `nil` for a stored collection. The
  /// transient collections in a transient folder have negative numbers in place of rows.
  let transientIDs: [Int64]?
  /// The transient collections in a transient folder, by their numbers.
  let transientChildren: [Int64: PHCollection]

  /// Makes a collection without a library and without contents, for subclasses in tests.
  public override init() {
    record = .deleted()
    library = nil
    transientIDs = nil
    transientChildren = [:]
    super.init()
  }

  init(
    record: CollectionRecord, photoLibrary: PHPhotoLibrary?, transientIDs: [Int64]? = nil,
    transientChildren: [Int64: PHCollection] = [:]
  ) {
    self.record = record
    library = photoLibrary
    self.transientIDs = transientIDs
    self.transientChildren = transientChildren
    super.init(localIdentifier: Self.localIdentifier(uuid: record.uuid, kind: record.kind))
  }

  package override var rowID: Int64 { record.id }

  open var canContainAssets: Bool { record.kind != .folder }
  open var canContainCollections: Bool { record.kind == .folder }
  open var localizedTitle: String? { transientIDs != nil && record.title.isEmpty ? nil : record.title }
  open var modificationDate: Date? { transientIDs == nil ? record.modificationDate : nil }

  open override func value(forKey key: String) -> Any? { keyedValue(key) ?? super.value(forKey: key) }

  /// Whether a change request would be accepted. Check it before you make the request.
  open func canPerform(_ anOperation: PHCollectionEditOperation) -> Bool {
    // PhotoKit's method can't throw. If the library can't be read, it can't be changed.
    photoLibrary.engine.damage.optional("the access of a client could not be read") { try isAllowed(anOperation) }
      ?? false
  }

  /// Returns `UUID/L0/040` for albums and `UUID/L0/020` for folders, the forms of PhotoKit's
  /// identifiers.
  static func localIdentifier(uuid: String, kind: CollectionKind) -> String {
    uuid + (kind == .folder ? "/L0/020" : "/L0/040")
  }
}

/// An album or a smart album.
open class PHAssetCollection: PHCollection, @unchecked Sendable {
  // See `PHCollection`.

  open var assetCollectionType: PHAssetCollectionType { record.kind == .smartAlbum ? .smartAlbum : .album }
  open var assetCollectionSubtype: PHAssetCollectionSubtype {
    PHAssetCollectionSubtype(rawValue: record.subtype) ?? .albumRegular
  }

  /// The number of assets that are not hidden; `NSNotFound` if only a fetch can count them.
  open var estimatedAssetCount: Int { transientIDs?.count ?? record.assetCount ?? NSNotFound }

  /// The first creation date of the assets. Each use reads it from the library.
  open var startDate: Date? { dates?.start }
  /// The last creation date of the assets. Each use reads it from the library.
  open var endDate: Date? { dates?.end }

  /// The place of a moment. Always `nil`, since a library has no moments.
  open var approximateLocation: CLLocation? { nil }
  open var localizedLocationNames: [String] { [] }

  open override func value(forKey key: String) -> Any? { keyedValueOfAlbum(key) ?? super.value(forKey: key) }

  /// Returns all albums or smart albums of a kind, including empty ones. `.any` means every kind.
  /// For smart albums, so does `.albumRegular`.
  open class func fetchAssetCollections(
    with type: PHAssetCollectionType, subtype: PHAssetCollectionSubtype, options: PHFetchOptions?
  ) -> PHFetchResult<PHAssetCollection> {
    let source: FetchQuery.Source =
      switch (type, subtype) {
      case (.album, .any): .collections(.album, subtype: nil)
      case (.album, _): .collections(.album, subtype: subtype.rawValue)
      case (.smartAlbum, .any), (.smartAlbum, .albumRegular): .collections(.smartAlbum, subtype: nil)
      case (.smartAlbum, _): .collections(.smartAlbum, subtype: subtype.rawValue)
      case (.moment, _): .nothing
      }
    return PHFetchOptions.fetch(options, source, for: .assetCollection)
  }

  private var dates: (start: Date, end: Date)? {
    guard rowID != 0 || transientIDs != nil else { return nil }
    let query = FetchQuery.assets(in: self, of: photoLibrary)
    return photoLibrary.engine.damage.optional("the dates of an album could not be read") {
      try photoLibrary.engine.available().dates(photoLibrary.restricted(query, to: photoLibrary.access()))
    }
  }
}

/// A folder of albums and folders.
open class PHCollectionList: PHCollection, @unchecked Sendable {
  // See `PHCollection`.

  open var collectionListType: PHCollectionListType { .folder }
  open var collectionListSubtype: PHCollectionListSubtype { record.isRoot ? .rootFolder : .regularFolder }
  /// The first creation date of the assets in the folder's own albums.
  open var startDate: Date? { albums.compactMap(\.startDate).min() }
  /// The last creation date of the assets in the folder's own albums.
  open var endDate: Date? { albums.compactMap(\.endDate).max() }
  /// The place names of a moment. Always empty, since a library has no moments.
  open var localizedLocationNames: [String] { [] }

  open override func value(forKey key: String) -> Any? { keyedValueOfFolder(key) ?? super.value(forKey: key) }

  private var albums: [PHAssetCollection] {
    let options = PHFetchOptions()
    options.photoLibrary = photoLibrary
    let children = PHCollection.fetchCollections(in: self, options: options)
    return children.objects(at: IndexSet(0..<children.count)).compactMap { $0 as? PHAssetCollection }
  }
}

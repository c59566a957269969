import CoreLocation
import Foundation
internal import LibraryStore

/// An album, a smart album or a folder; albums and folders form one tree.
///
///     let tree = PHCollection.fetchTopLevelUserCollections(with: nil)
///     tree.enumerateObjects { collection, _, _ in print(collection.localizedTitle ?? "") }
///
/// Immutable: a change of the library shows in a new fetch. Any thread may use it.
open class PHCollection: PHObject, @unchecked Sendable {
  // The record is a value, and the library is Sendable.

  let record: CollectionRecord
  /// `nil` for an object that stands for one in a test.
  let library: PHPhotoLibrary?
  /// What a transient collection holds, which is in no library.
  let transientIDs: [Int64]?

  /// For subclasses that stand for collections in tests: of no library, with nothing in it.
  public override init() {
    record = .deleted()
    library = nil
    transientIDs = nil
    super.init()
  }

  init(record: CollectionRecord, photoLibrary: PHPhotoLibrary?, transientIDs: [Int64]? = nil) {
    self.record = record
    library = photoLibrary
    self.transientIDs = transientIDs
    super.init(localIdentifier: Self.localIdentifier(uuid: record.uuid, kind: record.kind))
  }

  /// Extension: the library that it was fetched from.
  public var photoLibrary: PHPhotoLibrary { library ?? .shared() }

  override var rowID: Int64 { record.id }

  open var canContainAssets: Bool { record.kind != .folder }
  open var canContainCollections: Bool { record.kind == .folder }
  open var localizedTitle: String? { transientIDs != nil && record.title.isEmpty ? nil : record.title }
  open var modificationDate: Date? { transientIDs == nil ? record.modificationDate : nil }

  open override func value(forKey key: String) -> Any? { keyedValue(key) ?? super.value(forKey: key) }

  /// Whether a change request would be taken; ask before making it.
  open func canPerform(_ anOperation: PHCollectionEditOperation) -> Bool {
    guard record.id != 0, transientIDs == nil else { return false }
    switch (try? photoLibrary.access()) ?? .none(.denied) {
    case .owner, .full: break
    case .limited, .addOnly, .none: return false
    }
    return switch record.kind {
    case .album: anOperation != .createContent
    case .smartAlbum: anOperation == .deleteContent && record.smartAlbum != .generic
    case .folder: !record.isRoot || ![.delete, .rename].contains(anOperation)
    }
  }

  /// `UUID/L0/040` for albums, `UUID/L0/020` for folders: the shapes that PhotoKit's identifiers have.
  static func localIdentifier(uuid: String, kind: CollectionKind) -> String {
    uuid + (kind == .folder ? "/L0/020" : "/L0/040")
  }
}

/// An album or a smart album.
open class PHAssetCollection: PHCollection, @unchecked Sendable {
  // As PHCollection.

  open var assetCollectionType: PHAssetCollectionType { record.kind == .smartAlbum ? .smartAlbum : .album }
  open var assetCollectionSubtype: PHAssetCollectionSubtype {
    PHAssetCollectionSubtype(rawValue: record.subtype) ?? .albumRegular
  }

  /// How many assets it has that are not hidden; `NSNotFound` where only a fetch can tell.
  open var estimatedAssetCount: Int { transientIDs?.count ?? record.assetCount ?? NSNotFound }

  /// The first and the last creation date of its assets; looked up when it is asked for.
  open var startDate: Date? { dates?.start }
  open var endDate: Date? { dates?.end }

  /// Of moments, which a library has none of.
  open var approximateLocation: CLLocation? { nil }
  open var localizedLocationNames: [String] { [] }

  open override func value(forKey key: String) -> Any? { keyedValueOfAlbum(key) ?? super.value(forKey: key) }

  /// Returns all albums or smart albums of a kind, empty ones too; `.any` is every kind, and so is
  /// `.albumRegular` for smart albums.
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
    return try? photoLibrary.engine.available().dates(query.restricted(to: photoLibrary.access()))
  }
}

/// A folder of albums and folders.
open class PHCollectionList: PHCollection, @unchecked Sendable {
  // As PHCollection.

  open var collectionListType: PHCollectionListType { .folder }
  open var collectionListSubtype: PHCollectionListSubtype { record.isRoot ? .rootFolder : .regularFolder }
  /// The first and the last creation date of what its own albums hold.
  open var startDate: Date? { albums.compactMap(\.startDate).min() }
  open var endDate: Date? { albums.compactMap(\.endDate).max() }
  /// Of moments, which a library has none of.
  open var localizedLocationNames: [String] { [] }

  open override func value(forKey key: String) -> Any? { keyedValueOfFolder(key) ?? super.value(forKey: key) }

  private var albums: [PHAssetCollection] {
    let options = PHFetchOptions()
    options.photoLibrary = photoLibrary
    let children = PHCollection.fetchCollections(in: self, options: options)
    return children.objects(at: IndexSet(0..<children.count)).compactMap { $0 as? PHAssetCollection }
  }
}

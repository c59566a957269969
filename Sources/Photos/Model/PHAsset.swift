import CoreLocation
import Foundation
internal import LibraryStore
import UniformTypeIdentifiers

/// A photo or a video of a library, as it was when it was fetched. A Live Photo is one asset.
///
///     let latest = PHAsset.fetchAssets(with: options).firstObject
///     latest?.creationDate
///
/// It is immutable: changes of the library appear in new fetches. Any thread may use it. Sizes are
/// in pixels of the upright picture, durations in seconds.
open class PHAsset: PHObject, @unchecked Sendable {
  // The record is a value, and the library is Sendable.

  let record: AssetRecord
  /// The library; `nil` for an asset that a test made.
  let library: PHPhotoLibrary?

  /// Makes an asset without a library and without values, for subclasses in tests.
  public override init() {
    record = .deleted()
    library = nil
    super.init()
  }

  init(record: AssetRecord, photoLibrary: PHPhotoLibrary?) {
    self.record = record
    library = photoLibrary
    super.init(localIdentifier: Self.localIdentifier(uuid: record.uuid))
  }

  package override var rowID: Int64 { record.id }

  open var mediaType: PHAssetMediaType { PHAssetMediaType(rawValue: record.mediaType) ?? .unknown }
  open var mediaSubtypes: PHAssetMediaSubtype { PHAssetMediaSubtype(rawValue: record.mediaSubtypes) }
  open var pixelWidth: Int { record.pixelWidth }
  open var pixelHeight: Int { record.pixelHeight }
  /// The date at which the photo or video was taken.
  open var creationDate: Date? { record.creationDate }
  open var modificationDate: Date? { record.modificationDate }
  /// The date at which the asset was added to the library.
  open var addedDate: Date? { record.addedDate }
  open var duration: TimeInterval { record.duration }
  open var isFavorite: Bool { record.isFavorite }
  open var isHidden: Bool { record.isHidden }
  /// Deprecated by PhotoKit. Always false, since nothing is synced.
  open var isSyncFailureHidden: Bool { false }
  open var sourceType: PHAssetSourceType { .typeUserLibrary }
  open var rating: Rating { Rating(rawValue: record.rating) ?? .unset }

  /// The identifier that the frames of a burst share.
  open var burstIdentifier: String? { record.burstIdentifier }
  open var burstSelectionTypes: PHAssetBurstSelectionType {
    PHAssetBurstSelectionType(rawValue: record.burstSelectionTypes)
  }
  /// Whether the asset is the frame of a burst that fetches find.
  open var representsBurst: Bool { record.representsBurst }

  open var playbackStyle: PlaybackStyle {
    if mediaType == .video { return .video }
    guard mediaType == .image else { return .unsupported }
    if mediaSubtypes.contains(.photoLive), record.traits.isDisjoint(with: [.stillOnly, .editedToStill]) {
      return .livePhoto
    }
    return mediaSubtypes.contains(.photoAnimation) && !record.traits.contains(.editedToStill) ? .imageAnimated : .image
  }
  /// The effect of a Live Photo. Always `none`, since a library has no loops and bounces.
  open var playbackVariation: PlaybackVariation { .none }

  open var hasAdjustments: Bool { record.hasAdjustments }
  /// The format of the edit's adjustment data.
  open var adjustmentFormatIdentifier: String? {
    adjustmentBytes.flatMap { PHAdjustmentData(propertyList: $0)?.formatIdentifier }
  }
  /// The date of the edit according to its adjustment data; `nil` if there is none.
  open var adjustmentTimestamp: Date? { adjustmentBytes.flatMap { PHAdjustmentData.timestamp(inPropertyList: $0) } }
  /// Whether the asset was edited. A phone's automatic edits are not distinguished from a person's.
  open var adjustmentsState: AdjustmentsState { record.hasAdjustments ? .userAdjusted : .none }
  open var originalResourceChoice: OriginalResourceChoice {
    contentType.identifier.hasSuffix("raw-image") ? .raw : .compressed
  }

  /// The type of the primary resource.
  open var contentType: UTType { PHAssetResource.assetResources(for: self).first?.contentType ?? .data }

  open var location: CLLocation? {
    guard let latitude = record.latitude, let longitude = record.longitude else { return nil }
    return CLLocation(
      coordinate: CLLocationCoordinate2D(latitude: latitude, longitude: longitude),
      altitude: record.altitude ?? 0, horizontalAccuracy: 0, verticalAccuracy: record.altitude == nil ? -1 : 0,
      timestamp: record.creationDate)
  }

  /// Caption, keywords, file name and other texts. Each use reads them from the library. They are
  /// empty if the library can't be read.
  open var extendedMetadata: PHAssetExtendedMetadata {
    // PhotoKit's property can't throw.
    photoLibrary.engine.damage.optional("the texts of an asset could not be read") { try readExtendedMetadata() }
      ?? PHAssetExtendedMetadata(nil)
  }

  open override func value(forKey key: String) -> Any? { keyedValue(key) ?? super.value(forKey: key) }

  /// Whether the asset can be edited. Check it before you request an edit.
  open func canPerform(_ editOperation: PHAssetEditOperation) -> Bool {
    // PhotoKit's method can't throw. If the library can't be read, the asset can't be edited.
    allows(editOperation)
      && photoLibrary.engine.damage.optional("the access to an asset could not be read") {
        try photoLibrary.visible([record.id])
      }?.isEmpty == false
  }

  /// Returns whether the asset can be edited by those who see it.
  func allows(_ editOperation: PHAssetEditOperation) -> Bool {
    record.id != 0 && record.trashedDate == nil && (editOperation != .content || !record.isUnreadable)
  }

  /// The property list of the edit's adjustment data. It is `nil` if it can't be read, since
  /// PhotoKit's properties can't throw.
  private var adjustmentBytes: Data? {
    photoLibrary.engine.damage.optional("the edit of an asset could not be read") { try readAdjustmentBytes() }
  }

  // MARK: Members that subclasses override, which is impossible in an extension

  /// Returns all assets that are not hidden. A burst is represented by one asset, unless the
  /// options include all.
  open class func fetchAssets(with options: PHFetchOptions?) -> PHFetchResult<PHAsset> {
    PHFetchOptions.fetch(options, .assets, for: .asset)
  }

  /// Returns the assets of a collection: an album's in its own order, a smart album's in the order
  /// in which they were added, and a transient collection's in its list's order.
  open class func fetchAssets(
    in assetCollection: PHAssetCollection, options: PHFetchOptions?
  ) -> PHFetchResult<PHAsset> {
    let library = options?.photoLibrary ?? assetCollection.library ?? .shared()
    let source = FetchQuery.assets(in: assetCollection, of: library)
    return PHFetchOptions.fetch(options, in: library, source.source, for: .asset) {
      $0.isOfTrash = source.isOfTrash
      // A transient collection contains exactly its list.
      if assetCollection.transientIDs != nil { ($0.includesHidden, $0.includesAllBurstAssets) = (true, true) }
    }
  }

  /// Requests the input for an edit of the asset.
  ///
  ///     let id = asset.requestContentEditingInput(with: options) { input, info in … }
  ///
  /// The handler is called once, on the main queue. If there is no input, the info contains the
  /// reason: `PHContentEditingInputErrorKey`, `PHContentEditingInputCancelledKey`, or
  /// `PHContentEditingInputResultIsInCloudKey`.
  @discardableResult
  open func requestContentEditingInput(
    with options: PHContentEditingInputRequestOptions?,
    completionHandler: @escaping (PHContentEditingInput?, [AnyHashable: Any]) -> Void
  ) -> PHContentEditingInputRequestID {
    beginContentEditingInputRequest(options, completionHandler: completionHandler)
  }

  /// Returns `UUID/L0/001`, the form of PhotoKit's identifiers of assets.
  package static func localIdentifier(uuid: String) -> String { uuid + "/L0/001" }
}

/// The texts of an asset.
public final class PHAssetExtendedMetadata: NSObject, Sendable {
  public let caption: String?
  public let originalFilename: String?
  public let keywords: [String]
  let detail: AssetDetailRecord?

  init(_ detail: AssetDetailRecord?) {
    self.detail = detail
    caption = detail?.caption
    originalFilename = detail?.originalFilename
    keywords = detail?.keywords ?? []
  }
}

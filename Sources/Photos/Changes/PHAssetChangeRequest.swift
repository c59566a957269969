import CoreLocation
import Foundation
internal import Imaging
internal import LibraryStore
import UIKit

/// A request that creates an asset from a file, deletes assets, or changes the properties of one.
///
///     try library.performChangesAndWait {
///       PHAssetChangeRequest(for: asset).isFavorite = true
///     }
///
/// Only properties that are assigned are changed.
open class PHAssetChangeRequest: PHChangeRequest {
  let uuid: String
  let isCreation: Bool
  var changes = PropertyChanges()
  /// The asset before the change; `nil` for one that is being created.
  let asset: PHAsset?

  struct PropertyChanges {
    var creationDate: Date?
    /// The precision of `creationDate`.
    var datePrecision = CaptureDate.Precision.time
    var dateMoveInSeconds: TimeInterval?
    var timeZoneOffset: Int?
    var location: CLLocation??
    var isFavorite: Bool?
    var isHidden: Bool?
    var isBurstPick: Bool?
    var rating: PHAsset.Rating?
    var title: String??
    var caption: String??
    /// The keywords that replace all others. Added and removed ones come after that.
    var keywords: [String]?
    var addedKeywords: [String] = []
    var removedKeywords: [String] = []
    var isLivePhotoPlaybackEnabled: Bool?
    var isReverted = false
    var originalResourceChoice: PHAsset.OriginalResourceChoice?
  }

  /// The edit that the asset must still have, or the commit fails; `nil` for any.
  var expectedEdit: EditIdentity?

  public convenience init(for asset: PHAsset) {
    self.init(uuid: PHObject.uuid(localIdentifier: asset.localIdentifier), isCreation: false, asset: asset)
  }

  init(uuid: String, isCreation: Bool, asset: PHAsset? = nil) {
    self.uuid = uuid
    self.isCreation = isCreation
    self.asset = asset
    super.init()
  }

  /// Requests a photo from a file, which is kept byte for byte; `nil` if the file can't be read.
  @discardableResult
  public class func creationRequestForAssetFromImage(atFileURL fileURL: URL) -> Self? {
    creationRequest(.photo, fileURL) as? Self
  }

  /// Requests a video from a file, which is kept byte for byte; `nil` if the file can't be read.
  @discardableResult
  public class func creationRequestForAssetFromVideo(atFileURL fileURL: URL) -> Self? {
    creationRequest(.video, fileURL) as? Self
  }

  /// Requests a photo from an image in memory: a new JPEG, or a PNG if parts are transparent.
  ///
  /// The photo has no metadata of the file that the image came from. An image without pixels fails
  /// the block with `invalidResource`.
  @discardableResult
  public class func creationRequestForAsset(from image: UIImage) -> Self {
    let isTransparent = image.pixels()?.isTransparent ?? false
    let options = PHAssetResourceCreationOptions()
    options.originalFilename = isTransparent ? "Image.png" : "Image.jpg"
    let request = PHAssetCreationRequest.forAsset()
    request.addResource(
      with: .photo,
      data: (isTransparent ? image.pngData() : image.jpegData(compressionQuality: Self.imageQuality)) ?? Data(),
      options: options)
    guard let created = request as? Self else { preconditionFailure("\(Self.self) creates no assets") }
    return created
  }

  /// The JPEG quality, which is high since the JPEG is the only copy of its picture.
  private static let imageQuality = 0.95

  private class func creationRequest(_ type: PHAssetResourceType, _ fileURL: URL) -> PHAssetCreationRequest? {
    let path = FilePath(fileURL)
    var status = stat()
    guard stat(path.bytes, &status) == 0, status.st_mode & S_IFMT != S_IFDIR, access(path.bytes, R_OK) == 0 else {
      return nil
    }
    let request = PHAssetCreationRequest.forAsset()
    request.addResource(with: type, fileURL: fileURL, options: nil)
    return request
  }

  /// Moves assets to Recently Deleted. `restoreAssets` brings them back within thirty days. After
  /// that their files are deleted.
  ///
  /// The owner has to confirm a client's deletion. A refusal fails the whole block with
  /// `userCancelled`.
  public class func deleteAssets(_ assets: any NSFastEnumeration) { _ = TrashRequest(.delete, assets) }

  /// A placeholder with the created asset's identifier; `nil` if nothing is created.
  public var placeholderForCreatedAsset: PHObjectPlaceholder? {
    isCreation ? PHObjectPlaceholder(localIdentifier: PHAsset.localIdentifier(uuid: uuid)) : nil
  }

  open var creationDate: Date? {
    get { changes.creationDate ?? asset?.creationDate }
    set { changes.creationDate = newValue }
  }

  /// The place. Assigning `nil` removes it.
  open var location: CLLocation? {
    get { changes.location ?? asset?.location }
    set { changes.location = .some(newValue) }
  }

  open var isFavorite: Bool {
    get { changes.isFavorite ?? asset?.isFavorite ?? false }
    set { changes.isFavorite = newValue }
  }

  open var isHidden: Bool {
    get { changes.isHidden ?? asset?.isHidden ?? false }
    set { changes.isHidden = newValue }
  }

  open var rating: PHAsset.Rating {
    get { changes.rating ?? asset?.rating ?? .unset }
    set { changes.rating = newValue }
  }

  /// The caption. Assigning `nil` removes it.
  open var caption: String? {
    get { changes.caption ?? asset?.extendedMetadata.caption }
    set { changes.caption = .some(newValue) }
  }

  open func addKeyword(_ keyword: String) {
    guard keyword.contains(where: { !$0.isWhitespace }) else { return }
    changes.removedKeywords.removeAll { $0 == keyword }
    changes.addedKeywords.append(keyword)
  }

  open func removeKeyword(_ keyword: String) {
    changes.addedKeywords.removeAll { $0 == keyword }
    changes.removedKeywords.append(keyword)
  }

  /// Sets whether a Live Photo is displayed as one. It keeps its movie in any case.
  open func setLivePhotoVideoPlaybackEnabled(_ enabled: Bool) { changes.isLivePhotoPlaybackEnabled = enabled }

  /// An edit that replaces the asset's current one. The original is kept, and
  /// `revertAssetContentToOriginal` brings it back.
  ///
  /// The block fails with `invalidResource` if the output has no adjustment data, or if its render
  /// is missing or is no picture (for a video, no movie). Date, place and all other properties of
  /// the asset stay the same.
  open var contentEditingOutput: PHContentEditingOutput?

  /// Removes the asset's edit, so that the original is displayed again.
  open func revertAssetContentToOriginal() { changes.isReverted = true }

  /// Removes the edit. If a RAW file and a picture of one shot are in the asset, the chosen one
  /// becomes its original.
  open func revertAssetContent(to choice: PHAsset.OriginalResourceChoice) {
    changes.isReverted = true
    changes.originalResourceChoice = choice
  }

  override var demand: ChangeDemand { isCreation ? .addAssets : .changeAssets }

  /// Makes the changes to what is known of the asset. The caller writes its rows.
  func apply(to known: inout AssetChanges.Known, _ commit: ChangeCommit) throws {
    var asset = known.asset
    guard asset.trashedDate == nil else {
      throw PHPhotosError(
        .identifierNotFound, "the asset \(PHAsset.localIdentifier(uuid: uuid)) has been deleted; restore it first",
        identifiers: [PHAsset.localIdentifier(uuid: uuid)])
    }
    if let expectedEdit { try commit.check(asset, hasEdit: expectedEdit) }
    let edit = commit.edit(of: self)
    var changes = changes
    try changes.resolveMove(of: asset)
    // Setting the same exact date changes nothing. Setting the same partial date makes it exact.
    if changes.creationDate == asset.creationDate, changes.datePrecision == asset.datePrecision {
      changes.creationDate = nil
    }
    if changes.timeZoneOffset == asset.timeZoneOffset { changes.timeZoneOffset = nil }
    // An asset without an edit has nothing to revert.
    if changes.isRevertOnly, edit == nil, !asset.hasAdjustments { return }
    let former = asset
    try changes.apply(to: &asset)
    var detail = changes.needsDetail ? known.detail : nil
    // If nothing changes, there is no history of it.
    if asset == former, detail == detail.map(changes.applied(to:)), changes.changesPropertiesAlone, edit == nil {
      return
    }
    asset.modificationDate = commit.date
    if changes.isReverted {
      try commit.transaction.revert(&asset)
      if edit == nil, detail?.unreadableReason != nil { asset.isUnreadable = true }
    }
    if let choice = changes.originalResourceChoice, let first = try commit.chooseOriginal(&asset, choice) {
      detail?.copyProperties(of: first)
      // The file that could not be read was the former original.
      detail?.unreadableReason = nil
      asset.isUnreadable = false
    }
    if let edit {
      try commit.edit(&asset, edit)
      commit.noteEdit(of: asset, edit)
    }
    known.asset = asset
    if changes.changesDetail || changes.originalResourceChoice != nil {
      known.change(detail.map(changes.applied(to:)))
    }
  }
}

extension PHAssetChangeRequest.PropertyChanges {
  /// Computes the new date from the move, if there is one.
  mutating func resolveMove(of asset: AssetRecord) throws {
    guard let dateMoveInSeconds else { return }
    guard Self.dates.contains(asset.creationDate + dateMoveInSeconds) else { throw Self.impossibleDate }
    creationDate = asset.creationDate(movedBy: dateMoveInSeconds, to: timeZoneOffset)
    datePrecision = asset.datePrecision
  }

  func apply(to asset: inout AssetRecord) throws {
    if let creationDate {
      guard Self.dates.contains(creationDate) else { throw Self.impossibleDate }
      asset.creationDate = creationDate
      asset.datePrecision = datePrecision
    }
    if let timeZoneOffset {
      guard abs(timeZoneOffset) <= Self.largestOffset else {
        throw PHPhotosError(.changeNotSupported, "a time zone has to be within 18 hours of UTC")
      }
      // A partial date stays at noon in the new zone. Otherwise its day could change.
      if asset.datePrecision < .time { asset.creationDate += Double(asset.timeZoneOffset - timeZoneOffset) }
      asset.timeZoneOffset = timeZoneOffset
    }
    if let location {
      if let coordinate = location?.coordinate, !CLLocationCoordinate2DIsValid(coordinate) {
        throw PHPhotosError(
          .changeNotSupported,
          "latitude \(coordinate.latitude), longitude \(coordinate.longitude): this is not a valid coordinate")
      }
      if let location, location.verticalAccuracy >= 0, !Location.altitudes.contains(location.altitude) {
        throw PHPhotosError(
          .changeNotSupported, "altitude \(location.altitude): the altitude has to be within 100 km of sea level")
      }
      asset.latitude = location?.coordinate.latitude
      asset.longitude = location?.coordinate.longitude
      asset.altitude = location.flatMap { $0.verticalAccuracy < 0 ? nil : $0.altitude }
    }
    if let isFavorite { asset.isFavorite = isFavorite }
    if let isHidden { asset.isHidden = isHidden }
    if let isBurstPick, asset.burstIdentifier != nil {
      let userPick = PHAssetBurstSelectionType.userPick.rawValue
      if isBurstPick { asset.burstSelectionTypes |= userPick } else { asset.burstSelectionTypes &= ~userPick }
    }
    if let rating { asset.rating = rating.rawValue }
    if let isLivePhotoPlaybackEnabled {
      if isLivePhotoPlaybackEnabled { asset.traits.remove(.stillOnly) } else { asset.traits.insert(.stillOnly) }
    }
  }

  private static let dates = Date(timeIntervalSince1970: -62_135_596_800)..<Date(timeIntervalSince1970: 253_402_300_800)

  private static let impossibleDate = PHPhotosError(
    .changeNotSupported, "the date of an asset has to be in the years 1 to 9999")

  private static let largestOffset = 18 * 3600

  var isRevertOnly: Bool {
    isReverted && !changesDetail && location == nil && isFavorite == nil && isHidden == nil
      && isBurstPick == nil && rating == nil && isLivePhotoPlaybackEnabled == nil && originalResourceChoice == nil
  }

  /// Whether no file of the asset may change.
  var changesPropertiesAlone: Bool { !isReverted && originalResourceChoice == nil }

  var changesDetail: Bool {
    creationDate != nil || dateMoveInSeconds != nil || timeZoneOffset != nil || title != nil || caption != nil
      || keywords != nil || !addedKeywords.isEmpty || !removedKeywords.isEmpty
  }

  /// Whether the asset's detail is changed, or determines how the asset changes.
  var needsDetail: Bool { changesDetail || !changesPropertiesAlone }

  func applied(to detail: AssetDetailRecord) -> AssetDetailRecord {
    var detail = detail
    if creationDate != nil { detail.dateSource = CaptureDate.Source.person.rawValue }
    if timeZoneOffset != nil { detail.timeZoneSource = CaptureDate.ZoneSource.person.rawValue }
    if let title { detail.title = title }
    if let caption { detail.caption = caption }
    if let keywords { detail.keywords = keywords }
    detail.keywords.removeAll { removedKeywords.contains($0) }
    for keyword in addedKeywords where !detail.keywords.contains(keyword) { detail.keywords.append(keyword) }
    return detail
  }
}

/// A request that deletes assets, restores them, or deletes them permanently.
final class TrashRequest: PHChangeRequest {
  enum Action { case delete, restore, expunge }

  private let action: Action
  private let objects: [PHObject]

  init(_ action: Action, _ assets: any NSFastEnumeration) {
    self.action = action
    objects = assets.fastEnumerationObjects().map { object in
      guard let asset = object as? PHObject, object is PHAsset || object is PHObjectPlaceholder else {
        preconditionFailure("only assets can be deleted and restored, not a \(type(of: object))")
      }
      return asset
    }
    super.init()
  }

  override var demand: ChangeDemand {
    let kind: AuthorizationRequest.Deletion.Kind
    switch action {
    case .restore: return .changeAssets
    case .delete: kind = .assets
    case .expunge: kind = .recentlyDeletedAssets
    }
    return .delete(.init(kind, localIdentifiers: objects.map(\.localIdentifier)))
  }

  override func apply(_ commit: ChangeCommit) throws {
    for part in objects.parts() {
      let assets = try commit.assets(
        uuids: part.map { PHObject.uuid(localIdentifier: $0.localIdentifier) }, rows: part.map(\.rowID))
      switch action {
      case .delete: try commit.transaction.trash(assets)
      case .restore: try commit.transaction.restore(assets)
      case .expunge: for (asset, object) in zip(assets, part) { try expunge(asset, object: object, in: commit) }
      }
    }
  }

  private func expunge(_ asset: AssetRecord, object: PHObject, in commit: ChangeCommit) throws {
    guard asset.trashedDate != nil else {
      throw PHPhotosError(
        .changeNotSupported, "\(object.localIdentifier) is not in Recently Deleted: delete it first",
        identifiers: [object.localIdentifier])
    }
    try commit.transaction.expunge(asset)
  }
}

import CoreLocation
import Foundation
internal import LibraryStore

/// Creates an asset from a file, or changes the properties of one.
///
///     try library.performChangesAndWait {
///       PHAssetChangeRequest(for: asset).isFavorite = true
///     }
///
/// Only what is assigned is changed.
open class PHAssetChangeRequest: PHChangeRequest {
  let uuid: String
  let isCreation: Bool
  var changes = PropertyChanges()

  struct PropertyChanges {
    var creationDate: Date?
    var location: CLLocation??
    var isFavorite: Bool?
    var isHidden: Bool?
  }

  public convenience init(for asset: PHAsset) { self.init(uuid: asset.uuid, isCreation: false) }

  init(uuid: String, isCreation: Bool) {
    self.uuid = uuid
    self.isCreation = isCreation
    super.init()
  }

  /// A request for a photo from a file, kept byte for byte; `nil` where the file can't be read.
  public class func creationRequestForAssetFromImage(atFileURL fileURL: URL) -> PHAssetChangeRequest? {
    creationRequest(.photo, fileURL)
  }

  /// A request for a video from a file, kept byte for byte; `nil` where the file can't be read.
  public class func creationRequestForAssetFromVideo(atFileURL fileURL: URL) -> PHAssetChangeRequest? {
    creationRequest(.video, fileURL)
  }

  private class func creationRequest(_ type: PHAssetResourceType, _ fileURL: URL) -> PHAssetChangeRequest? {
    guard FileManager.default.isReadableFile(atPath: fileURL.path) else { return nil }
    let request = PHAssetCreationRequest.forAsset()
    request.addResource(with: type, fileURL: fileURL, options: nil)
    return request
  }

  /// Its identifier is the created asset's; `nil` where nothing is created.
  public var placeholderForCreatedAsset: PHObjectPlaceholder? {
    isCreation ? PHObjectPlaceholder(localIdentifier: PHAsset.localIdentifier(uuid: uuid)) : nil
  }

  open var creationDate: Date? {
    get { changes.creationDate }
    set { changes.creationDate = newValue }
  }

  open var location: CLLocation? {
    get { changes.location ?? nil }
    set { changes.location = .some(newValue) }
  }

  open var isFavorite: Bool {
    get { changes.isFavorite ?? false }
    set { changes.isFavorite = newValue }
  }

  open var isHidden: Bool {
    get { changes.isHidden ?? false }
    set { changes.isHidden = newValue }
  }
}

extension PHAssetChangeRequest.PropertyChanges {
  func apply(to asset: inout AssetRecord, at date: Date) {
    if let creationDate { asset.creationDate = creationDate }
    if let location {
      asset.latitude = location?.coordinate.latitude
      asset.longitude = location?.coordinate.longitude
      asset.altitude = location.flatMap { $0.verticalAccuracy < 0 ? nil : $0.altitude }
    }
    if let isFavorite { asset.isFavorite = isFavorite }
    if let isHidden { asset.isHidden = isHidden }
    asset.modificationDate = date
  }
}

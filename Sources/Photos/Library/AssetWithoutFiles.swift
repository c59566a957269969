import CoreLocation
import Foundation
internal import LibraryStore

/// A test's asset without files: a row of the library, with the values that fetches and lists show.
@_spi(Testing) public struct AssetWithoutFiles: Sendable {
  public var mediaType: PHAssetMediaType
  public var mediaSubtypes: PHAssetMediaSubtype = []
  public var originalFilename: String
  public var creationDate: Date
  public var pixelWidth: Int
  public var pixelHeight: Int
  public var duration: TimeInterval = 0
  public var location: CLLocation?
  public var isFavorite = false
  public var isHidden = false

  public init(
    _ mediaType: PHAssetMediaType, originalFilename: String, creationDate: Date, pixelWidth: Int, pixelHeight: Int
  ) {
    self.mediaType = mediaType
    self.originalFilename = originalFilename
    self.creationDate = creationDate
    self.pixelWidth = pixelWidth
    self.pixelHeight = pixelHeight
  }
}

extension PHPhotoLibrary {
  /// Creates assets without files in one transaction, and returns their identifiers.
  @_spi(Testing) public func create(_ assets: [AssetWithoutFiles]) throws -> [String] {
    try withPhotosErrors {
      return try Self.$current.withValue(self) {
        try engine.available().commit { transaction in
          try assets.map { asset in
            var detail = AssetDetailRecord(dateSource: "", timeZoneSource: "", camera: "{}", notes: [])
            detail.originalFilename = asset.originalFilename
            let record = try transaction.insert(AssetRecord(asset, addedDate: transaction.date), detail, resources: [])
            return PHAsset.localIdentifier(uuid: record.uuid)
          }
        }
      }
    }
  }
}

extension AssetRecord {
  fileprivate init(_ asset: AssetWithoutFiles, addedDate: Date) {
    self.init(
      uuid: PHPhotoLibrary.newUUID(), mediaType: asset.mediaType.rawValue, mediaSubtypes: asset.mediaSubtypes.rawValue,
      creationDate: asset.creationDate, timeZoneOffset: 0, addedDate: addedDate, pixelWidth: asset.pixelWidth,
      pixelHeight: asset.pixelHeight, duration: asset.duration, renditionVersion: "")
    isFavorite = asset.isFavorite
    isHidden = asset.isHidden
    latitude = asset.location?.coordinate.latitude
    longitude = asset.location?.coordinate.longitude
    altitude = asset.location?.altitude
  }
}

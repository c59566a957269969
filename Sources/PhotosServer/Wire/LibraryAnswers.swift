import Foundation
import Photos

/// The answer to `/api/library`.
struct LibraryAnswer: Codable, Hashable {
  var name: String
  var assetCount: Int
  var revision: String
}

/// The answer to `/api/assets`.
struct AssetsAnswer: Codable, Hashable {
  var revision: String
  var offset: Int
  var assets: [Cell]
}

/// What the grid needs of an asset.
struct Cell: Codable, Hashable {
  var id: String
  var version: String
  var mediaType: String
  var mediaSubtypes: [String]
  @NullIfUnknown var creationDate: String?
  var pixelWidth: Int
  var pixelHeight: Int
  var duration: Double
  var isFavorite: Bool
  /// Base64: a byte of width, a byte of height, then width × height × RGB.
  @NullIfUnknown var placeholder: String?
  var unreadable: Bool

  init(_ asset: PHAsset, placeholder: Data?) {
    id = asset.uuid
    version = asset.renditionVersion
    mediaType = asset.mediaType.name
    mediaSubtypes = asset.mediaSubtypes.names
    creationDate = asset.creationDate.map { ISODate.string($0, offset: asset.timeZoneOffset) }
    pixelWidth = asset.pixelWidth
    pixelHeight = asset.pixelHeight
    duration = asset.duration
    isFavorite = asset.isFavorite
    self.placeholder = placeholder?.base64EncodedString()
    unreadable = asset.isUnreadable
  }
}

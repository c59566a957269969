import Foundation
import Photos
import PhotosJSON

/// The properties of an asset that the grid shows.
struct GridCell: Codable, Hashable {
  var id: String
  var version: String
  var mediaType: String
  var mediaSubtypes: [String]
  @NullIfUnknown var creationDate: String?
  var pixelWidth: Int
  var pixelHeight: Int
  var duration: Double
  var isFavorite: Bool
  /// In Base64: a byte of width, a byte of height, then width × height × RGB.
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

  /// The approximate size of a cell in JSON.
  static let bytes = 400

  func write(to text: inout JSONText) {
    text.raw(#"{"creationDate":"#)
    text.string(creationDate)
    text.raw(#","duration":"#)
    text.number(duration)
    text.raw(#","id":"#)
    text.string(id)
    text.raw(#","isFavorite":"#)
    text.boolean(isFavorite)
    text.raw(#","mediaSubtypes":"#)
    text.array(mediaSubtypes) { $0.string($1) }
    text.raw(#","mediaType":"#)
    text.string(mediaType)
    text.raw(#","pixelHeight":"#)
    text.number(pixelHeight)
    text.raw(#","pixelWidth":"#)
    text.number(pixelWidth)
    text.raw(#","placeholder":"#)
    text.string(placeholder)
    text.raw(#","unreadable":"#)
    text.boolean(unreadable)
    text.raw(#","version":"#)
    text.string(version)
    text.raw("}")
  }
}

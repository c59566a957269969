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
  /// The last part of the date that is known. Assets whose time is known don't have the key.
  var datePrecision: String?
  var pixelWidth: Int
  var pixelHeight: Int
  var duration: Double
  var isFavorite: Bool
  /// The place, to a hundredth of a degree. Assets without a place don't have the keys.
  var latitude: Double?
  var longitude: Double?
  /// In Base64: a byte of width, a byte of height, then width × height × RGB.
  @NullIfUnknown var placeholder: String?
  var unreadable: Bool
  /// The days until a deleted asset can't be restored any more. Other assets don't have the key.
  var daysLeft: Int?
  /// The number of frames of the burst that the asset represents. Other assets don't have the key.
  var burstCount: Int?
  /// True for a frame of a burst that the person has kept. Other assets don't have the key.
  var isBurstPick: Bool?
  var hasRaw: Bool

  init(_ asset: PHAsset, placeholder: Data?) throws {
    id = asset.uuid
    version = asset.renditionVersion
    mediaType = asset.mediaType.name
    mediaSubtypes = asset.mediaSubtypes.names
    creationDate = asset.creationDate.map { ISODate.string($0, offset: asset.timeZoneOffset) }
    datePrecision = asset.datePrecision == .time ? nil : asset.datePrecision.rawValue
    pixelWidth = asset.pixelWidth
    pixelHeight = asset.pixelHeight
    duration = asset.duration
    isFavorite = asset.isFavorite
    let coordinate = asset.location?.coordinate
    latitude = coordinate.map { ($0.latitude * 100).rounded() / 100 }
    longitude = coordinate.map { ($0.longitude * 100).rounded() / 100 }
    self.placeholder = placeholder?.base64EncodedString()
    unreadable = asset.isUnreadable
    daysLeft = asset.daysLeftInTrash
    burstCount = try asset.countOfBurstFrames()
    isBurstPick = asset.burstSelectionTypes.contains(.userPick) ? true : nil
    hasRaw = asset.hasRaw
  }

  /// Returns the cells of assets.
  static func all(_ assets: [PHAsset]) throws -> [GridCell] {
    let placeholders = try PHImageManager.default().placeholders(for: assets)
    return try assets.map { try GridCell($0, placeholder: placeholders[$0.localIdentifier]) }
  }

  /// Whether the cell stays the same until the library changes. It does not if its placeholder is
  /// still to be made, or if its file is unreadable now and may become readable.
  var isLasting: Bool { placeholder != nil && !unreadable }

  /// The approximate size of a cell in JSON.
  static let bytes = 400

  func write(to text: inout JSONText) {
    text.raw("{")
    if let burstCount {
      text.raw(#""burstCount":"#)
      text.number(burstCount)
      text.raw(",")
    }
    text.raw(#""creationDate":"#)
    text.string(creationDate)
    if let datePrecision {
      text.raw(#","datePrecision":"#)
      text.string(datePrecision)
    }
    if let daysLeft {
      text.raw(#","daysLeft":"#)
      text.number(daysLeft)
    }
    text.raw(#","duration":"#)
    text.number(duration)
    text.raw(#","hasRaw":"#)
    text.boolean(hasRaw)
    text.raw(#","id":"#)
    text.string(id)
    if let isBurstPick {
      text.raw(#","isBurstPick":"#)
      text.boolean(isBurstPick)
    }
    text.raw(#","isFavorite":"#)
    text.boolean(isFavorite)
    if let latitude, let longitude {
      text.raw(#","latitude":"#)
      text.number(latitude)
      text.raw(#","longitude":"#)
      text.number(longitude)
    }
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

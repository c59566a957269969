import Foundation
import Photos
import PhotosJSON

/// The answer to `/api/v1/library`.
struct LibraryAnswer: Codable, Hashable {
  struct Status: Codable, Hashable {
    var readWrite: String
    var addOnly: String
  }

  var name: String
  var assetCount: Int
  var revision: String
  /// The access of the one who asks.
  var status: Status
  /// The names of what this server can do beyond showing the library.
  var features: [String]
  var isOwner: Bool
}

/// A part of a list of assets.
struct AssetsAnswer: Codable, Hashable {
  var revision: String
  var offset: Int
  var total: Int
  var assets: [GridCell]

  /// The same bytes as from a `JSONEncoder` with sorted keys.
  var text: JSONText {
    var text = JSONText(capacity: 200 + assets.count * GridCell.bytes)
    text.raw(#"{"assets":"#)
    text.array(assets) { text, cell in cell.write(to: &text) }
    text.raw(#","offset":"#)
    text.number(offset)
    text.raw(#","revision":"#)
    text.string(revision)
    text.raw(#","total":"#)
    text.number(total)
    text.raw("}")
    return text
  }
}

/// The answer to `/api/v1/assets/{id}`: the asset in full, the albums that contain it, and the
/// frames of its burst.
struct AssetAnswer: Encodable {
  struct Album: Encodable {
    var id: String
    var title: String
  }

  var asset: AssetDetailDescription
  var albums: [Album]
  /// The days until a deleted asset can't be restored any more. Other assets don't have the key.
  var daysLeft: Int?
  /// The frames of the asset's burst. Other assets don't have the key.
  var burstFrames: [GridCell]?

  init(_ asset: PHAsset) throws {
    self.asset = try AssetDetailDescription(asset)
    daysLeft = asset.daysLeftInTrash
    let options = PHFetchOptions()
    options.photoLibrary = asset.photoLibrary
    let found = PHAssetCollection.fetchAssetCollectionsContaining(asset, with: .album, options: options)
    if let error = found.error { throw error }
    albums = (0..<found.count).map(found.object(at:)).map {
      Album(id: String($0.localIdentifier.prefix { $0 != "/" }), title: $0.localizedTitle ?? "")
    }
    burstFrames = try Self.burstFrames(of: asset)
  }

  private static func burstFrames(of asset: PHAsset) throws -> [GridCell]? {
    guard let found = try asset.burstFrames(limit: ListPart.largestLimit), found.count > 1 else { return nil }
    return try GridCell.all((0..<found.count).map(found.object(at:)))
  }

  private enum CodingKeys: CodingKey { case albums, daysLeft, burstFrames }

  func encode(to encoder: any Encoder) throws {
    try asset.encode(to: encoder)
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(albums, forKey: .albums)
    try container.encodeIfPresent(daysLeft, forKey: .daysLeft)
    try container.encodeIfPresent(burstFrames, forKey: .burstFrames)
  }
}

extension PHAuthorizationStatus {
  /// The name of PhotoKit's case.
  var name: String { String(describing: self) }
}

import Foundation
import Photos

/// The JSON form of an asset: in `calotype list --json`, and in replies of the server.
///
///     let resources = try PHAssetResource.assetResources(for: assets)
///     let description = AssetDescription(asset, resources: resources[asset.localIdentifier] ?? [])
///
/// The creation date is in the time zone of the place. The other dates are in this machine's time
/// zone. Unknown values are null.
public struct AssetDescription: Codable, Hashable, Sendable {
  public var localIdentifier: String
  /// `image`, `video`, `audio` or `unknown`.
  public var mediaType: String
  /// The names of PhotoKit's options: `photoLive`, …
  public var mediaSubtypes: [String]
  @NullIfUnknown public var creationDate: String?
  /// The last part of the creation date that is known: `year`, `month`, `day` or `time`.
  public var datePrecision: String
  @NullIfUnknown public var modificationDate: String?
  @NullIfUnknown public var addedDate: String?
  public var pixelWidth: Int
  public var pixelHeight: Int
  /// In seconds.
  public var duration: Double
  public var isFavorite: Bool
  public var isHidden: Bool
  @NullIfUnknown public var latitude: Double?
  @NullIfUnknown public var longitude: Double?
  /// In meters.
  @NullIfUnknown public var altitude: Double?
  @NullIfUnknown public var burstIdentifier: String?
  /// The filename of the primary resource.
  @NullIfUnknown public var originalFilename: String?
  public var resources: [ResourceDescription]

  /// Describes an asset. `resources` are the asset's own, the primary one first. Dates other than
  /// the creation date are in `machineZone`.
  public init(_ asset: PHAsset, resources: [PHAssetResource], machineZone: TimeZone = .current) {
    localIdentifier = asset.localIdentifier
    mediaType = asset.mediaType.name
    mediaSubtypes = asset.mediaSubtypes.names
    let onMachine = { (date: Date) in ISODate.string(date, offset: machineZone.secondsFromGMT(for: date)) }
    creationDate = asset.creationDate.map { ISODate.string($0, offset: asset.timeZoneOffset) }
    datePrecision = asset.datePrecision.rawValue
    modificationDate = asset.modificationDate.map(onMachine)
    addedDate = asset.addedDate.map(onMachine)
    pixelWidth = asset.pixelWidth
    pixelHeight = asset.pixelHeight
    duration = asset.duration
    isFavorite = asset.isFavorite
    isHidden = asset.isHidden
    let location = asset.location
    latitude = location?.coordinate.latitude
    longitude = location?.coordinate.longitude
    altitude = location.flatMap { $0.verticalAccuracy < 0 ? nil : $0.altitude }
    burstIdentifier = asset.burstIdentifier
    originalFilename = resources.first?.originalFilename
    self.resources = resources.map(ResourceDescription.init)
  }
}

/// The JSON form of one file of an asset.
public struct ResourceDescription: Codable, Hashable, Sendable {
  /// PhotoKit's name of the type: `photo`, `pairedVideo`, …
  public var type: String
  public var uniformTypeIdentifier: String
  public var originalFilename: String
  @NullIfUnknown public var bytes: Int?
  /// The hash in hexadecimal.
  public var sha256: String

  public init(_ resource: PHAssetResource) {
    type = String(describing: resource.type)
    uniformTypeIdentifier = resource.uniformTypeIdentifier
    originalFilename = resource.originalFilename
    bytes = resource.dataSize
    sha256 = resource.sha256
  }
}

extension PHAssetMediaType {
  package var name: String { String(describing: self) }
}

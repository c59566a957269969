import CoreLocation
import Foundation
internal import LibraryStore
import UniformTypeIdentifiers

/// A photo or a video of a library, as it was when it was fetched; a Live Photo is one asset.
///
///     let latest = PHAsset.fetchAssets(with: options).firstObject
///     latest?.creationDate
///
/// Immutable: a change of the library shows in a new fetch. Any thread may use it. Sizes are pixels, upright; durations seconds.
open class PHAsset: PHObject, @unchecked Sendable {
  // The record is a value, and the library is Sendable.

  let record: AssetRecord
  let photoLibrary: PHPhotoLibrary

  init(record: AssetRecord, photoLibrary: PHPhotoLibrary) {
    self.record = record
    self.photoLibrary = photoLibrary
    super.init(localIdentifier: Self.localIdentifier(uuid: record.uuid))
  }

  open var mediaType: PHAssetMediaType { PHAssetMediaType(rawValue: record.mediaType) ?? .unknown }
  open var mediaSubtypes: PHAssetMediaSubtype { PHAssetMediaSubtype(rawValue: record.mediaSubtypes) }
  open var pixelWidth: Int { record.pixelWidth }
  open var pixelHeight: Int { record.pixelHeight }
  /// When it was taken.
  open var creationDate: Date? { record.creationDate }
  open var modificationDate: Date? { record.modificationDate }
  /// When it joined the library.
  open var addedDate: Date? { record.addedDate }
  open var duration: TimeInterval { record.duration }
  open var isFavorite: Bool { record.isFavorite }
  open var isHidden: Bool { record.isHidden }
  open var burstIdentifier: String? { record.burstIdentifier }
  open var representsBurst: Bool { record.representsBurst }

  open var location: CLLocation? {
    guard let latitude = record.latitude, let longitude = record.longitude else { return nil }
    return CLLocation(
      coordinate: CLLocationCoordinate2D(latitude: latitude, longitude: longitude),
      altitude: record.altitude ?? 0, horizontalAccuracy: 0, verticalAccuracy: record.altitude == nil ? -1 : 0,
      timestamp: record.creationDate)
  }

  /// `UUID/L0/001`, the shape that PhotoKit's identifiers of assets have.
  static func localIdentifier(uuid: String) -> String { uuid + "/L0/001" }

  /// The part before the first `/`.
  static func uuid(localIdentifier: String) -> String {
    localIdentifier.split(separator: "/").first.map { $0.uppercased() } ?? ""
  }
}

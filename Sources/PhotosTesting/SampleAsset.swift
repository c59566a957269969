import CoreLocation
import Foundation
@_spi(Testing) import Photos

/// A photo, a video or a Live Photo for a `TemporaryLibrary` to make.
///
///     let photo = try temporary.add(.photo(date: date, place: .init(latitude: 60.4, longitude: 5.3), favorite: true))
///
/// Without a date, each sample is taken a day after the one before, the first on September 13,
/// 2020. Without a name, a sample is named by its number: `IMG_0001.JPG`. A video and a Live Photo
/// need `ffmpeg` for their movie, which takes one or two tenths of a second.
public struct SampleAsset: Sendable {
  enum Kind: Sendable {
    case photo
    case livePhoto
    case video(duration: TimeInterval)
  }

  var kind: Kind
  var name: String?
  var size: PictureSize
  var date: Date?
  var place: SampleMetadata.Place?
  var isFavorite: Bool
  var isHidden: Bool
  var scene: SampleScene
  var hasFiles = true

  /// Describes a JPEG photo. `name` has no extension.
  public static func photo(
    named name: String? = nil, size: PictureSize = .small, date: Date? = nil, place: SampleMetadata.Place? = nil,
    favorite: Bool = false, hidden: Bool = false, scene: SampleScene = .plain
  ) -> SampleAsset {
    SampleAsset(
      kind: .photo, name: name, size: size, date: date, place: place, isFavorite: favorite, isHidden: hidden,
      scene: scene)
  }

  /// Describes a QuickTime movie. `duration` is in seconds.
  public static func video(
    named name: String? = nil, duration: TimeInterval = 1, size: PictureSize = .small, date: Date? = nil,
    place: SampleMetadata.Place? = nil, favorite: Bool = false, hidden: Bool = false, scene: SampleScene = .plain
  ) -> SampleAsset {
    SampleAsset(
      kind: .video(duration: duration), name: name, size: size, date: date, place: place, isFavorite: favorite,
      isHidden: hidden, scene: scene)
  }

  /// Describes a Live Photo: a HEIC photo and a movie of one and a half seconds.
  public static func livePhoto(
    named name: String? = nil, size: PictureSize = .small, date: Date? = nil, place: SampleMetadata.Place? = nil,
    favorite: Bool = false, hidden: Bool = false, scene: SampleScene = .plain
  ) -> SampleAsset {
    SampleAsset(
      kind: .livePhoto, name: name, size: size, date: date, place: place, isFavorite: favorite, isHidden: hidden,
      scene: scene)
  }

  /// This sample without files on the disk, for libraries of many thousands of assets. The asset
  /// has no resources, and requests for its image fail.
  public var withoutFiles: SampleAsset {
    var copy = self
    copy.hasFiles = false
    return copy
  }
}

extension [SampleAsset] {
  /// Returns photos that differ in their dates and colors.
  public static func photos(_ count: Int, favorite: Bool = false, hidden: Bool = false) -> [SampleAsset] {
    Array(repeating: .photo(favorite: favorite, hidden: hidden), count: count)
  }

  public static func videos(_ count: Int, favorite: Bool = false, hidden: Bool = false) -> [SampleAsset] {
    Array(repeating: .video(favorite: favorite, hidden: hidden), count: count)
  }
}

/// A sample asset with its number in its library, counted from 0.
struct NumberedSampleAsset {
  let asset: SampleAsset
  let number: Int

  private static let firstDate = Date(timeIntervalSince1970: 1_600_000_000)

  private var date: Date { asset.date ?? Self.firstDate.addingTimeInterval(Double(number) * 86_400) }
  private var name: String { asset.name ?? String(format: "IMG_%04d", number + 1) }

  private var metadata: SampleMetadata {
    var metadata = SampleMetadata(captureDate: date, offset: 0)
    metadata.place = asset.place
    return metadata
  }

  func newAsset() throws -> NewAsset {
    NewAsset(files: try files(), isFavorite: asset.isFavorite, isHidden: asset.isHidden)
  }

  private func files() throws -> [(type: PHAssetResourceType, file: SampleFile)] {
    let seed = UInt64(number)
    switch asset.kind {
    case .photo:
      let data = try SampleMedia.jpeg(size: asset.size, seed: seed, scene: asset.scene, metadata: metadata)
      return [(.photo, SampleFile("\(name).JPG", data))]
    case .video(let duration):
      let data = try SampleMedia.movie(
        duration: duration, size: asset.size, seed: seed, scene: asset.scene, metadata: metadata)
      return [(.video, SampleFile("\(name).MOV", data))]
    case .livePhoto:
      return try SampleMedia.livePhoto(size: asset.size, seed: seed, scene: asset.scene, metadata: metadata)
        .files(named: name)
    }
  }

  var withoutFiles: AssetWithoutFiles {
    let (type, subtypes, duration, ending): (PHAssetMediaType, PHAssetMediaSubtype, TimeInterval, String) =
      switch asset.kind {
      case .photo: (.image, [], 0, "JPG")
      case .video(let duration): (.video, [], duration, "MOV")
      case .livePhoto: (.image, .photoLive, 0, "HEIC")
      }
    var row = AssetWithoutFiles(
      type, originalFilename: "\(name).\(ending)", creationDate: date, pixelWidth: asset.size.width,
      pixelHeight: asset.size.height)
    row.mediaSubtypes = subtypes
    row.duration = duration
    row.isFavorite = asset.isFavorite
    row.isHidden = asset.isHidden
    row.location = asset.place.map {
      CLLocation(
        coordinate: CLLocationCoordinate2D(latitude: $0.latitude, longitude: $0.longitude), altitude: $0.altitude ?? 0,
        horizontalAccuracy: 0, verticalAccuracy: $0.altitude == nil ? -1 : 0, timestamp: date)
    }
    return row
  }
}

/// The files of an asset that is about to be created.
struct NewAsset {
  var files: [(type: PHAssetResourceType, file: SampleFile)]
  var isFavorite = false
  var isHidden = false
}

extension LivePhotoPair {
  func files(named name: String) -> [(type: PHAssetResourceType, file: SampleFile)] {
    [
      (.photo, SampleFile("\(name).\(stillType.rawValue)", still)),
      (.pairedVideo, SampleFile("\(name).MOV", video)),
    ]
  }
}

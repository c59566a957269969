import Foundation
import Photos

/// The JSON form of everything known about one asset: in `calotype info --json` and at
/// `/api/v1/assets/{id}`.
///
/// The object has all keys of an `AssetDescription`, and the keys below.
public struct AssetDetailDescription: Codable, Hashable, Sendable {
  public var asset: AssetDescription
  public var id: String
  public var version: String
  @NullIfUnknown public var title: String?
  @NullIfUnknown public var caption: String?
  public var keywords: [String]
  public var camera: CameraDescription
  @NullIfUnknown public var dateSource: String?
  @NullIfUnknown public var timeZoneSource: String?
  /// Remarks about oddities of the files, in sentences.
  public var notes: [String]
  @NullIfUnknown public var unreadableReason: String?
  /// The edit, if the asset has one.
  @NullIfUnknown public var edit: EditDescription?

  /// Describes an asset. The details are read from the library, since the asset doesn't contain
  /// them.
  public init(_ asset: PHAsset, machineZone: TimeZone = .current) throws {
    let details = try asset.details()
    let texts = try asset.readExtendedMetadata()
    self.asset = AssetDescription(
      asset, resources: try asset.storedResources, machineZone: machineZone)
    id = asset.uuid
    version = asset.renditionVersion
    title = texts.title
    caption = texts.caption
    keywords = texts.keywords
    camera = CameraDescription(details?.camera ?? PHAsset.Camera())
    dateSource = details?.dateSource
    timeZoneSource = details?.timeZoneSource
    notes = details?.notes ?? []
    unreadableReason = details?.unreadableReason
    edit = try asset.editDetails().map { EditDescription($0, machineZone: machineZone) }
  }

  private enum CodingKeys: String, CodingKey {
    case id, version, title, caption, keywords, camera, dateSource, timeZoneSource, notes
    case unreadableReason, edit
  }

  public init(from decoder: any Decoder) throws {
    asset = try AssetDescription(from: decoder)
    let container = try decoder.container(keyedBy: CodingKeys.self)
    id = try container.decode(String.self, forKey: .id)
    version = try container.decode(String.self, forKey: .version)
    _title = try container.decode(NullIfUnknown.self, forKey: .title)
    _caption = try container.decode(NullIfUnknown.self, forKey: .caption)
    keywords = try container.decode([String].self, forKey: .keywords)
    camera = try container.decode(CameraDescription.self, forKey: .camera)
    _dateSource = try container.decode(NullIfUnknown.self, forKey: .dateSource)
    _timeZoneSource = try container.decode(NullIfUnknown.self, forKey: .timeZoneSource)
    notes = try container.decode([String].self, forKey: .notes)
    _unreadableReason = try container.decode(NullIfUnknown.self, forKey: .unreadableReason)
    _edit = try container.decode(NullIfUnknown.self, forKey: .edit)
  }

  public func encode(to encoder: any Encoder) throws {
    try asset.encode(to: encoder)
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(id, forKey: .id)
    try container.encode(version, forKey: .version)
    try container.encode(_title, forKey: .title)
    try container.encode(_caption, forKey: .caption)
    try container.encode(keywords, forKey: .keywords)
    try container.encode(camera, forKey: .camera)
    try container.encode(_dateSource, forKey: .dateSource)
    try container.encode(_timeZoneSource, forKey: .timeZoneSource)
    try container.encode(notes, forKey: .notes)
    try container.encode(_unreadableReason, forKey: .unreadableReason)
    try container.encode(_edit, forKey: .edit)
  }
}

/// The JSON form of an asset's edit.
public struct EditDescription: Codable, Hashable, Sendable {
  /// The identifier of the program that made the edit: `com.apple.photo`.
  @NullIfUnknown public var formatIdentifier: String?
  @NullIfUnknown public var date: String?
  /// The steps of the edit, if Calotype made it.
  @NullIfUnknown public var steps: PhotoEdit?

  init(_ details: PHAsset.EditDetails, machineZone: TimeZone) {
    formatIdentifier = details.formatIdentifier
    date = details.date.map { ISODate.string($0, offset: machineZone.secondsFromGMT(for: $0)) }
    steps = details.photoEdit
  }
}

/// The JSON form of a camera and its settings.
public struct CameraDescription: Codable, Hashable, Sendable {
  @NullIfUnknown public var make: String?
  @NullIfUnknown public var model: String?
  @NullIfUnknown public var lens: String?
  @NullIfUnknown public var software: String?
  /// In seconds.
  @NullIfUnknown public var exposureTime: Double?
  @NullIfUnknown public var fNumber: Double?
  @NullIfUnknown public var iso: Int?
  /// In millimeters.
  @NullIfUnknown public var focalLength: Double?

  public init(_ camera: PHAsset.Camera) {
    make = camera.make
    model = camera.model
    lens = camera.lens
    software = camera.software
    exposureTime = camera.exposureTime
    fNumber = camera.fNumber
    iso = camera.iso
    focalLength = camera.focalLength
  }
}

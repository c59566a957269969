import Foundation
internal import LibraryStore

extension PHAsset {
  /// The library that the asset was fetched from.
  public var photoLibrary: PHPhotoLibrary { library ?? .shared() }

  /// The UUID at the start of the `localIdentifier`.
  public var uuid: String { record.uuid }

  /// The time zone of the place where the asset was taken, in seconds east of UTC.
  public var timeZoneOffset: Int { record.timeZoneOffset }

  /// A part of the addresses of the asset's renditions. It changes when they do, so a client may
  /// cache them forever.
  public var renditionVersion: String { record.renditionVersion }

  /// Whether the picture or the movie can't be shown, although the file is kept.
  /// `details().unreadableReason` is the reason.
  public var isUnreadable: Bool { record.isUnreadable }

  /// The date at which the asset was moved to Recently Deleted; `nil` if it was not.
  public var trashedDate: Date? { record.trashedDate }

  /// The time that an asset stays in Recently Deleted: thirty days.
  public static var daysInTrash: Int { Int(LibraryStore.trashDays) }

  /// The asset's files, the primary one first, without the movie inside a motion photo. Throws if
  /// they can't be read. The list is empty if the client may not see the asset.
  public var storedResources: [PHAssetResource] {
    get throws { try PHAssetResource.assetResources(for: [self])[localIdentifier] ?? [] }
  }

  /// The asset's files, and last the movie inside a motion photo. Throws if they can't be read.
  package var storedAndInnerResources: [PHAssetResource] {
    get throws {
      let files = try storedResources
      guard mediaSubtypes.contains(.photoLive), !files.contains(where: { $0.type == .pairedVideo }) else {
        return files
      }
      let movie = files.lazy.filter { $0.record.kind == .original }
        .compactMap { PHAssetResource(movieInside: $0.record, of: self) }.first
      return files + [movie].compactMap(\.self)
    }
  }

  /// Returns the texts of `extendedMetadata`. Throws if they can't be read.
  package func readExtendedMetadata() throws -> PHAssetExtendedMetadata {
    try withPhotosErrors {
      PHAssetExtendedMetadata(try photoLibrary.store(reading: [rowID]).detail(assetID: rowID))
    }
  }

  /// The last part of a creation date that is known: many scans have a year, or a year and a month.
  public enum DatePrecision: String, Sendable, CaseIterable {
    case year, month, day, time
  }

  /// The last known part of `creationDate`. Unknown parts are filled in: January, the 1st, 12:00.
  public var datePrecision: DatePrecision {
    switch record.datePrecision {
    case .year: .year
    case .month: .month
    case .day: .day
    case .time: .time
    }
  }

  /// Properties of an asset that are displayed but that no predicate can use.
  public struct Details: Sendable {
    /// The source of the creation date: `original`, `digitized`, `gps`, `quickTime`, … `name` if
    /// the file's name contains it, `file` if it is when the file was last changed; `person` if a
    /// user set it.
    public var dateSource: String
    /// The source of the time zone: `file`, `location`, `machine`, `utc`, or `person` if a user set
    /// it.
    public var timeZoneSource: String
    public var camera: Camera
    /// Sentences about anomalies in the files.
    public var notes: [String]
    public var unreadableReason: String?
    /// The identifier that the still and the movie of a Live Photo share.
    public var contentIdentifier: String?
  }

  /// A camera and its settings: exposure time in seconds, focal length in millimeters.
  public struct Camera: Hashable, Sendable, Codable {
    public var make: String?
    public var model: String?
    public var lens: String?
    public var software: String?
    public var exposureTime: Double?
    public var fNumber: Double?
    public var iso: Int?
    public var focalLength: Double?

    public init() {}
  }

  /// Reads the details from the library; `nil` if the asset was deleted since. Throws if the client
  /// may not see the asset any more.
  public func details() throws -> Details? {
    try withPhotosErrors {
      guard let detail = try photoLibrary.store(reading: [record.id]).detail(assetID: record.id) else { return nil }
      return Details(
        dateSource: detail.dateSource, timeZoneSource: detail.timeZoneSource,
        camera: (try? JSONDecoder().decode(Camera.self, from: Data(detail.camera.utf8))) ?? Camera(),
        notes: detail.notes, unreadableReason: isUnreadable ? detail.unreadableReason : nil,
        contentIdentifier: detail.contentIdentifier)
    }
  }
}

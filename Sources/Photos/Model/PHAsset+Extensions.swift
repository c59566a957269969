import Foundation
internal import Imaging
internal import LibraryStore

// Extensions of PhotoKit's API: what Calotype's own tools need to know of an asset.

extension PHAsset {
  /// The UUID that the `localIdentifier` starts with.
  public var uuid: String { record.uuid }

  /// Seconds east of UTC where the asset was taken.
  public var timeZoneOffset: Int { record.timeZoneOffset }

  /// A part of the addresses of the asset's renditions: it changes when they do, so that they can be cached for ever.
  public var renditionVersion: String { record.renditionVersion }

  /// The file was kept, but its picture or movie can't be shown; `details().unreadableReason` says why.
  public var isUnreadable: Bool { record.isUnreadable }

  /// When the asset was moved to Recently Deleted; `nil` where it was not.
  public var trashedDate: Date? { record.trashedDate }

  /// How long an asset stays in Recently Deleted: thirty days.
  public static var daysInTrash: Int { Int(LibraryStore.trashDays) }

  /// What is shown of an asset and can't be fetched by.
  public struct Details: Sendable {
    /// Which of the file's dates became the creation date: `original`, `digitized`, `gps`,
    /// `quickTime`, … `file`; `person` if a user set it.
    public var dateSource: String
    /// Where its time zone comes from: `file`, `location`, `machine` or `utc`.
    public var timeZoneSource: String
    public var camera: PHCamera
    /// Sentences: what was odd about the files.
    public var notes: [String]
    public var unreadableReason: String?
    /// What the still and the movie of a Live Photo share.
    public var contentIdentifier: String?
  }

  /// Reads the details from the library; `nil` if the asset was deleted since. Throws where the client may not see it any more.
  public func details() throws -> Details? {
    do {
      guard let detail = try photoLibrary.store(reading: [record.id]).detail(assetID: record.id) else { return nil }
      return Details(
        dateSource: detail.dateSource, timeZoneSource: detail.timeZoneSource,
        camera: (try? JSONDecoder().decode(PHCamera.self, from: Data(detail.camera.utf8))) ?? PHCamera(),
        notes: detail.notes, unreadableReason: isUnreadable ? detail.unreadableReason : nil,
        contentIdentifier: detail.contentIdentifier)
    } catch { throw PHPhotosError(error) }
  }
}

/// A camera and how it was set: seconds, millimetres.
public struct PHCamera: Hashable, Sendable, Codable {
  public var make: String?
  public var model: String?
  public var lens: String?
  public var software: String?
  public var exposureTime: Double?
  public var fNumber: Double?
  public var iso: Int?
  public var focalLength: Double?

  public init() {}

  init(_ camera: Camera) {
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

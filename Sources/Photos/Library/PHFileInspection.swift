import Foundation
internal import Imaging
internal import LibraryStore

/// Extension: what a file says of itself, read from its headers; nothing is decoded or copied.
///
///     if let inspection = try PHFileInspection(url: file) { print(inspection.uniformTypeIdentifier) }
///
/// It is what an importer needs to tell which files make one asset, and leaves the workers to what is looked at meanwhile.
public struct PHFileInspection: Hashable, Sendable {
  public var mediaType: PHAssetMediaType
  public var mediaSubtypes: PHAssetMediaSubtype
  public var uniformTypeIdentifier: String
  public var isRaw: Bool
  public var creationDate: Date
  /// The date is the file's own, for want of a better one.
  public var hasFileDateOnly: Bool
  /// Seconds; 0 for stills.
  public var duration: Double
  /// Shared by the still and the movie of a Live Photo.
  public var contentIdentifier: String?
  /// Shared by the RAW file and the JPEG of one shot.
  public var shotKey: String?
}

extension PHFileInspection {
  /// `nil` if the content has no known type. Sounds have one, but a library does not accept them.
  public init?(url: URL) throws {
    do {
      let path = FilePath(url)
      let file = try MediaFile(bytesOfPath: path.bytes, name: path.description)
      let (metadata, _) = try DecodingDemand.following({ .background }, { try MediaMetadata.ofAny(file) })
      mediaType =
        switch metadata.type.kind {
        case .image: .image
        case .video: .video
        case .audio: .audio
        }
      mediaSubtypes = PHAssetMediaSubtype(rawValue: metadata.subtypes.rawValue)
      uniformTypeIdentifier = metadata.type.uniformTypeIdentifier
      isRaw = metadata.type.isRaw
      creationDate = metadata.captureDate.date
      hasFileDateOnly = metadata.captureDate.source == .file
      duration = metadata.duration
      contentIdentifier = metadata.contentIdentifier
      shotKey = Self.shotKey(of: metadata, filename: path.name)
    } catch let error as ImagingError {
      guard error.code != .unknownType else { return nil }
      throw PHPhotosError(.invalidResource, error.description, cause: error)
    }
  }

  /// The name's stem, the camera's model and the date with its second; only a date that the camera wrote will do.
  static func shotKey(of metadata: MediaMetadata, filename: String) -> String? {
    guard metadata.type.kind == .image, let model = metadata.camera.model,
      [.original, .digitized].contains(metadata.captureDate.source)
    else { return nil }
    let stem = (filename as NSString).deletingPathExtension.lowercased()
    return "\(stem)|\(model)|\(metadata.captureDate.date.timeIntervalSince1970.rounded(.down))"
  }
}

import Foundation
internal import Imaging
internal import LibraryStore

/// The properties of a file that its headers contain. The file is neither decoded nor copied.
///
///     guard let inspection = try FileInspection(url: file) else { return }
///     print(inspection.uniformTypeIdentifier)
///
/// An importer uses them to find the files that make one asset. Inspections have background
/// priority, so that images for display come first.
public struct FileInspection: Hashable, Sendable {
  public var mediaType: PHAssetMediaType
  public var mediaSubtypes: PHAssetMediaSubtype
  public var uniformTypeIdentifier: String
  public var isRaw: Bool
  public var creationDate: Date
  /// Whether the date is the file's modification date, for want of a better one.
  public var hasFileDateOnly: Bool
  /// The duration in seconds; 0 for stills.
  public var duration: Double
  /// The identifier that the still and the movie of a Live Photo share.
  public var contentIdentifier: String?
  /// The key that the RAW file and the JPEG of one shot share.
  public var shotKey: String?
}

extension FileInspection {
  /// Reads the headers of a file; `nil` if its type is unknown. A sound has a type, but a library
  /// does not accept it.
  public init?(url: URL) throws {
    do {
      let path = FilePath(url)
      let file = try MediaFile(bytesOfPath: path.bytes, name: path.description)
      let (metadata, _) = try WorkDemand.following({ .background }, { try MediaMetadata.read(file) })
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

  /// Returns a key made of the stem of the name, the camera's model and the capture date in
  /// seconds; `nil` unless the camera wrote the date.
  static func shotKey(of metadata: MediaMetadata, filename: String) -> String? {
    guard metadata.type.kind == .image, let model = metadata.camera.model,
      [.original, .digitized].contains(metadata.captureDate.source)
    else { return nil }
    let stem = (filename as NSString).deletingPathExtension.lowercased()
    return "\(stem)|\(model)|\(metadata.captureDate.date.timeIntervalSince1970.rounded(.down))"
  }
}

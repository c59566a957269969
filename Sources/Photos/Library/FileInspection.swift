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
    guard let result = Self.inspect([url]).first, let inspection = try result.get() else { return nil }
    self = inspection
  }

  /// Reads the headers of many files, in a fraction of the time that single inspections take. The
  /// results are in the order of the files.
  ///
  ///     for (file, result) in zip(files, FileInspection.inspect(files)) { … }
  public static func inspect(_ urls: [URL]) -> [Result<FileInspection?, any Error>] {
    let paths = urls.map(FilePath.init)
    let opened = paths.map { path in
      Result { () throws(ImagingError) in try MediaFile(bytesOfPath: path.bytes, name: path.description) }
    }
    let files = opened.compactMap { try? $0.get() }
    return WorkDemand.following(
      { .background },
      {
        var answers = MediaMetadata.read(from: files)[...]
        return zip(paths, opened).map { path, opened in
          do throws(ImagingError) {
            let file = try opened.get()
            // Every open file has an answer.
            let (metadata, _) = try MediaMetadata.readable(answers.removeFirst(), of: file)
            return .success(Self(metadata, filename: path.name))
          } catch {
            return error.code == .unknownType
              ? .success(nil) : .failure(PHPhotosError(.invalidResource, error.description, cause: error))
          }
        }
      })
  }

  private init(_ metadata: MediaMetadata, filename: String) {
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
    shotKey = Self.shotKey(of: metadata, filename: filename)
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

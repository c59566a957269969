import Foundation
internal import Imaging
internal import LibraryStore

internal import enum Sandbox.WorkDemand

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
  /// Whether the date is exact: from the file's content, or from a camcorder's MOI file. If not,
  /// `creationDate` is a partial date at noon, the date in the file's name, or the modification
  /// date.
  public var hasCaptureTime: Bool
  /// The duration in seconds; 0 for stills, and for recordings whose headers don't contain it. An
  /// import measures these.
  public var duration: Double
  /// The identifier that the still and the movie of a Live Photo share.
  public var contentIdentifier: String?
  package var shot: Shot?
  /// The local time, as if its zone were UTC; nil if the date is not exact.
  package var localDate: Date?
  /// Whether the zone of the date is only that of the machine that reads the file.
  package var isZoneGuessed = false
  /// Whether the file states the instant but not the zone.
  package var isInstantOnly = false
}

extension FileInspection {
  /// The key that the RAW file and the JPEG of one shot share.
  public var shotKey: String? { shot?.key }

  /// Reads the headers of a file; `nil` if its type is unknown. A sound has a type, but a library
  /// does not accept it.
  public init?(url: URL) throws {
    guard let result = Self.inspect([url]).first, let inspection = try result.get() else { return nil }
    self = inspection
  }

  /// Returns whether a file begins like a photo or a video. False for a file that can't be read.
  package static func isPhotoOrVideo(_ url: URL) -> Bool {
    // The file is left out in any case.
    guard let file = try? MediaFile(path: url.path) else { return false }
    return (try? MediaType.detect(in: file)) != nil
  }

  /// Reads the headers of many files, in a fraction of the time that single inspections take. The
  /// results are in the order of the files.
  ///
  ///     for (file, result) in zip(files, FileInspection.inspect(files)) { … }
  ///
  /// `isCancelled` is called before each file. Once it returns true, the rest of the files has no
  /// results.
  public static func inspect(
    _ urls: [URL], isCancelled: () -> Bool = { false }
  ) -> [Result<FileInspection?, any Error>] {
    WorkDemand.following(
      { .background },
      {
        var results: [Result<FileInspection?, any Error>] = []
        // Only the files of one request are open at the same time.
        for start in stride(from: 0, to: urls.count, by: MediaMetadata.mostFilesReadAtOnce) {
          let paths = urls[start...].prefix(MediaMetadata.mostFilesReadAtOnce).map { FilePath($0) }
          results += inspectTogether(paths, isCancelled)
          guard results.count == start + paths.count else { break }
        }
        return results
      })
  }

  private static func inspectTogether(
    _ paths: [FilePath], _ isCancelled: () -> Bool
  ) -> [Result<FileInspection?, any Error>] {
    let opened = paths.map { path in
      Result { () throws(ImagingError) in try MediaFile(bytesOfPath: path.bytes, name: path.description) }
    }
    var answers = MediaMetadata.read(from: opened.compactMap { try? $0.get() }, isCancelled: isCancelled)[...]
    var results: [Result<FileInspection?, any Error>] = []
    for (path, opened) in zip(paths, opened) {
      do throws(ImagingError) {
        let file = try opened.get()
        // Every open file has an answer, unless the work was canceled.
        guard let answer = answers.popFirst() else { break }
        let (metadata, _) = try MediaMetadata.readable(answer, of: file)
        results.append(.success(Self(metadata, filename: path.name)))
      } catch {
        results.append(
          error.code == .unknownType
            ? .success(nil) : .failure(PHPhotosError(.invalidResource, error.description, cause: error)))
      }
    }
    return results
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
    hasCaptureTime = metadata.captureDate.isExact
    duration = metadata.duration
    contentIdentifier = metadata.contentIdentifier
    shot = Shot(metadata, filename: filename)
    if hasCaptureTime { localDate = creationDate + Double(metadata.captureDate.offset) }
    isZoneGuessed = metadata.captureDate.zoneSource == .machine
    isInstantOnly = hasCaptureTime && metadata.captureDate.zoneSource == .utc
  }
}

/// The shot that a file comes from. The keys are computed on demand, since most files of an import
/// are never compared.
package struct Shot: Hashable, Sendable {
  private let filename: String
  private let model: String
  private let date: Date
  private let offset: Int

  package init(filename: String, model: String, date: Date, offset: Int = 0) {
    self.filename = filename
    self.model = model
    self.date = date
    self.offset = offset
  }

  /// Creates the shot of an image; nil unless the camera wrote its model and the date with a time.
  init?(_ metadata: MediaMetadata, filename: String) {
    let capture = metadata.captureDate
    guard metadata.type.kind == .image, let model = metadata.camera.model, capture.precision == .time,
      [.original, .digitized].contains(capture.source)
    else { return nil }
    self.init(filename: filename, model: model, date: capture.date, offset: capture.offset)
  }

  /// The stem of the name, the camera's model and the capture date in seconds.
  package var key: String { key(date) }

  /// A key like `key`, with the local time in place of the instant. An import compares its files
  /// by this key, since the zone of one may be a guess. The library does not store it.
  package var localKey: String { key(date + Double(offset)) }

  private func key(_ date: Date) -> String {
    // Google's camera adds the kind of the file: PXL_1.RAW-01.COVER.jpg, PXL_1.RAW-02.ORIGINAL.dng.
    var stem = (filename as NSString).deletingPathExtension.lowercased()
    // The number of a copy may follow. It stays in the key.
    if stem.contains(".raw-") {
      stem.replace(/\.raw-\d\d(\.mp)?\.(cover|original)(?=( ?\(\d+\)|~\d+)?$)/, with: "")
    }
    return "\(stem)|\(model)|\(date.timeIntervalSince1970.rounded(.down))"
  }
}

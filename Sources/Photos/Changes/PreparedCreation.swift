import Foundation
internal import Imaging
internal import LibraryStore
internal import MovieCoding

/// A creation request before its transaction. Its files have been copied, hashed, read and decoded.
struct PreparedCreation: Sendable {
  /// The originals.
  var resources: [PreparedResource]
  var edit: PreparedEdit?
  /// The renditions of the primary file, or of the edit's render; `nil` if the library already
  /// contains the primary file.
  var renditions: RenditionSet?
  /// The reason that the primary file can't be shown, even if an edit of it can be.
  var unreadableReason: String?
  /// The damage of the primary file's picture, which can be shown in part; `nil` if there is none.
  private(set) var damage: String?
  /// The reason that the primary file's pictures are missing for now, if there is one.
  private(set) var missingPictures: String?

  /// The photo, or the video.
  var primary: PreparedResource { resources[0] }
}

struct PreparedResource: Sendable {
  var type: PHAssetResourceType
  var originalFilename: String
  /// The name of the file in errors.
  var sourceName: String
  var staged: StagedOriginal
  var metadata: MediaMetadata
  /// The reason that the file's headers could not be read. `metadata` then has only the type and
  /// the date.
  var unreadableReason: String?

  var record: ResourceRecord {
    ResourceRecord(
      type: type.rawValue, originalFilename: originalFilename,
      uniformTypeIdentifier: metadata.type.uniformTypeIdentifier, pixelWidth: metadata.pixelWidth,
      pixelHeight: metadata.pixelHeight, duration: metadata.type.kind == .image ? 0 : metadata.duration,
      motionVideo: metadata.motionVideo.map { $0.offset..<$0.offset + $0.byteCount })
  }
}

extension PreparedCreation {
  /// Copies, hashes, reads and decodes the files. Errors name the file.
  init(_ request: PHAssetCreationRequest.Files, in staging: Staging) throws {
    let requested = request.resources.sorted {
      ($0.type.isPrimary ? 0 : 1, $0.type.rawValue) < ($1.type.isPrimary ? 0 : 1, $1.type.rawValue)
    }
    if let error = ResourceSet.error(of: requested.map(\.type)) {
      throw PHPhotosError(
        error.code, "\(requested.first?.originalFilename ?? "asset"): \(error.localizedDescription)", cause: error)
    }
    resources = try requested.filter { !$0.type.isOfEdit }.map { try PreparedResource($0, in: staging) }
    if let choice = request.originalResourceChoice { putFirst(choice) }
    if let output = request.contentEditingOutput {
      guard !requested.contains(where: \.type.isOfEdit) else {
        throw PHPhotosError(
          .invalidResource,
          "\(primary.originalFilename): an asset is made with an edit's files or with an edit, not with both")
      }
      edit = try PreparedEdit(
        output, ofAsset: request.uuid, isVideo: primary.type == .video,
        original: EditedOriginal(byteCount: primary.staged.byteCount, sha256: primary.staged.sha256),
        at: staging.store.now, in: staging)
    } else if requested.contains(where: \.type.isOfEdit) {
      edit = try PreparedEdit(requested.filter(\.type.isOfEdit), ofAsset: request.uuid, in: staging)
    }
    if primary.unreadableReason != nil {
      unreadableReason = primary.unreadableReason
    } else if !primary.staged.isAlreadyStored {
      // An edited asset does not display its original. The original is decoded anyway, since a
      // revert needs to know whether it can be shown.
      (renditions, unreadableReason, missingPictures) = try RenditionSet.made(
        of: primary, kinds: edit == nil ? [.grid, .screen] : [.grid])
      damage = renditions?.damage
    }
    if let edit { renditions = edit.renditions }
  }

  /// Makes the chosen file of a RAW file and a picture the photo, and the other one the alternate.
  private mutating func putFirst(_ choice: PHAsset.OriginalResourceChoice) {
    let isRaw = choice == .raw
    guard resources.count > 1, primary.metadata.type.isRaw != isRaw,
      let other = resources.firstIndex(where: { $0.type == .alternatePhoto && $0.metadata.type.isRaw == isRaw })
    else { return }
    resources[0].type = .alternatePhoto
    resources[other].type = .photo
    resources.swapAt(0, other)
  }
}

extension PreparedResource {
  init(_ requested: PHAssetCreationRequest.Resource, in staging: Staging) throws {
    type = requested.type
    sourceName =
      switch requested.source {
      case .file(let path): path.description
      case .data: requested.originalFilename
      }
    let name = sourceName
    staged = try staging.stage(requested)
    do {
      (metadata, unreadableReason) = try MediaMetadata.read(
        MediaFile(path: staged.path, name: requested.originalFilename))
    } catch {
      throw PHPhotosError(.invalidResource, "\(name): \(error.reason)", cause: error)
    }
    if staged.isAlreadyStored, metadata.captureDate.source == .file {
      // The library's own file has the date at which its bytes were imported first.
      metadata.captureDate = CaptureDate(fileDate: requested.source.modificationDate ?? staging.store.now)
    }
    if let date = requested.sidecarDate, !metadata.captureDate.isExact {
      metadata.captureDate = CaptureDate(
        date: date, offset: TimeZone.current.secondsFromGMT(for: date), source: .container, zoneSource: .machine)
    }
    if type.isOfEdit, let unreadableReason { throw PHPhotosError(.invalidResource, "\(name): \(unreadableReason)") }
    originalFilename =
      (type.isOfEdit || requested.hasDefaultFilename) && !requested.originalFilename.contains(".")
      ? "\(requested.originalFilename).\(metadata.type.preferredFilenameExtension)" : requested.originalFilename
    let expected: MediaType.Kind = type.isMovie ? .video : .image
    guard metadata.type.kind == expected else {
      throw PHPhotosError(
        .invalidResource, "\(name): the file is \(metadata.type.uniformTypeIdentifier), which can't be a \(type)")
    }
  }

  func mediaFile() throws(ImagingError) -> MediaFile { try MediaFile(path: staged.path, name: originalFilename) }
}

/// Copies the files of a client's change block to where a transaction can add them.
struct Staging: Sendable {
  let store: LibraryStore
  /// Whether the client sees everything, and may learn that the library contains a file already.
  let clientSeesEverything: Bool

  func stage(_ requested: PHAssetCreationRequest.Resource) throws -> StagedOriginal {
    requested.isInPlace
      ? try store.stageInPlace(requested.source)
      : try store.stage(
        requested.source, allowsLinking: requested.allowsLinking, isRemovedAfterwards: requested.movedFile != nil,
        copiesKnownBytes: !clientSeesEverything)
  }
}

extension MediaMetadata {
  /// Reads the metadata of a file that a library stores. If the reader crashed or ran out of
  /// memory, returns only the type and the file's date, with the reason.
  ///
  /// Measures the duration if the headers have none. The library stores it, so that later readers
  /// need not measure it again.
  static func read(_ file: MediaFile) throws(ImagingError) -> (MediaMetadata, unreadableReason: String?) {
    let answer = Result { () throws(ImagingError) in try MediaMetadata(of: file) }
    var found = try readable(answer, of: file)
    found.0.duration = found.0.measuredDuration(of: file)
    return found
  }

  /// Returns the metadata. After a crash or an exceeded limit, returns only the type and the file's
  /// date.
  static func readable(
    _ result: Result<MediaMetadata, ImagingError>, of file: MediaFile
  ) throws(ImagingError) -> (MediaMetadata, unreadableReason: String?) {
    do throws(ImagingError) { return (try result.get(), nil) } catch {
      switch error.code {
      case .crashed, .tooLarge: return (try MediaMetadata(typeAndDateOf: file), error.reason)
      // A timeout says nothing about the file: it may be read on a machine that is less busy.
      case .tookTooLong: return (try MediaMetadata(typeAndDateOf: file), nil)
      default: throw error
      }
    }
  }
}

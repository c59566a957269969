import Foundation
internal import Imaging
internal import LibraryStore

/// A creation request whose files have been copied, hashed, read and decoded: all that can be done before the transaction.
struct PreparedCreation: Sendable {
  var resources: [PreparedResource]
  /// Of the primary file; `nil` where the library has that file already.
  var renditions: RenditionSet?
  var unreadableReason: String?

  /// The photo, or the video.
  var primary: PreparedResource { resources[0] }
}

struct PreparedResource: Sendable {
  var type: PHAssetResourceType
  var originalFilename: String
  var staged: StagedOriginal
  var metadata: MediaMetadata

  var record: ResourceRecord {
    ResourceRecord(
      type: type.rawValue, originalFilename: originalFilename,
      uniformTypeIdentifier: metadata.type.uniformTypeIdentifier, pixelWidth: metadata.pixelWidth,
      pixelHeight: metadata.pixelHeight,
      motionVideo: metadata.motionVideo.map { $0.offset..<$0.offset + $0.byteCount })
  }
}

extension PreparedCreation {
  /// Copies, hashes, reads and decodes; an error names the file.
  init(_ requested: [PHAssetCreationRequest.Resource], in store: LibraryStore) throws {
    let types = requested.map(\.type)
    guard PHAssetCreationRequest.supports(types) else {
      let names = types.map { "\($0)" }.joined(separator: ", ")
      throw PHPhotosError(
        .invalidResource, "\(requested.first?.originalFilename ?? "asset"): no asset can be made of [\(names)]")
    }
    resources = try requested.sorted { $0.type.rawValue < $1.type.rawValue }
      .map { try PreparedResource($0, in: store) }
    guard !primary.staged.isAlreadyStored else { return }
    do {
      renditions = try makeRenditions(
        of: primary.mediaFile(), metadata: primary.metadata, kinds: [.grid, .screen])
    } catch {
      switch error.code {
      case .cannotOpen, .cannotRead: throw PHPhotosError(error)
      // Nothing is known about the file: the pictures are made when they are asked for, on a machine that has the program or
      // is less busy.
      case .missingProgram, .tookTooLong: break
      case .damaged, .tooLarge, .unknownType, .unsupported, .cannotEncode, .crashed: unreadableReason = error.reason
      }
    }
  }
}

extension PreparedResource {
  init(_ requested: PHAssetCreationRequest.Resource, in store: LibraryStore) throws {
    type = requested.type
    originalFilename = requested.originalFilename
    staged = try store.stage(requested.source)
    let name =
      switch requested.source {
      case .file(let path): path
      case .data: requested.originalFilename
      }
    do { metadata = try MediaMetadata(of: MediaFile(path: staged.path, name: name)) } catch {
      throw PHPhotosError(.invalidResource, "\(name): \(error.reason)", cause: error)
    }
    let expected: MediaType.Kind = type == .video || type == .pairedVideo ? .video : .image
    guard metadata.type.kind == expected else {
      throw PHPhotosError(
        .invalidResource, "\(name): the file is \(metadata.type.uniformTypeIdentifier), which can't be a \(type)")
    }
  }

  func mediaFile() throws(ImagingError) -> MediaFile { try MediaFile(path: staged.path, name: originalFilename) }
}

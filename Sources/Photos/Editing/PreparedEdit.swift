import Foundation
internal import Imaging
internal import LibraryStore

/// An edit whose files have been copied, hashed, read and decoded: all that can be done before the transaction.
struct PreparedEdit: Sendable {
  let assetUUID: String
  /// Renders, and the bases that came with them.
  let media: [PreparedResource]
  let data: StagedOriginal
  let dataFilename: String
  /// Of the render; `nil` where it takes a program that is missing here, or more time than there is.
  private(set) var renditions: RenditionSet?

  var resources: [(record: ResourceRecord, sha256: Data)] {
    let isEnvelope = dataFilename.lowercased().hasSuffix(".aae")
    let data = ResourceRecord(
      type: ResourceType.adjustmentData.rawValue, originalFilename: dataFilename,
      uniformTypeIdentifier: isEnvelope ? "com.apple.photos.apple-adjustment-envelope" : "com.apple.property-list",
      pixelWidth: 0, pixelHeight: 0)
    return media.map { ($0.record, $0.staged.sha256) } + [(data, self.data.sha256)]
  }

  var placements: [Placement] {
    media.map {
      Placement(staged: $0.staged, adjustmentFilename: $0.originalFilename, assetUUID: assetUUID)
    } + [Placement(staged: data, adjustmentFilename: dataFilename, assetUUID: assetUUID)]
  }
}

extension PreparedEdit {
  /// The edit that a program hands in.
  init(
    _ output: PHContentEditingOutput, ofAsset uuid: String, isVideo: Bool, at date: Date, in store: LibraryStore
  ) throws {
    let identifier = PHAsset.localIdentifier(uuid: uuid)
    guard let adjustmentData = output.adjustmentData else {
      throw PHPhotosError(
        .invalidResource, "\(identifier): the edit has no adjustment data", identifiers: [identifier])
    }
    guard let rendered = output.renderedFile else {
      throw PHPhotosError(
        .invalidResource,
        "\(identifier): nothing was rendered to \(output.renderedContentURL.path)", identifiers: [identifier])
    }
    var requested = [(isVideo ? PHAssetResourceType.fullSizeVideo : .fullSizePhoto, rendered)]
    if !isVideo, let movie = output.renderedPairedVideo { requested.append((.fullSizePairedVideo, movie)) }
    let list = try adjustmentData.propertyList(at: date)
    try self.init(
      requested.map {
        .init(
          type: $0, source: .file(path: $1.path), originalFilename: $1.lastPathComponent,
          isGivenAway: output.givesFilesAway)
      } + Self.bases(of: output, isVideo: isVideo)
        + [.init(type: .adjustmentData, source: .data(list), originalFilename: "Adjustments.plist")],
      ofAsset: uuid, in: store)
  }

  /// Of a Live Photo that becomes a still the base is one, too.
  private static func bases(of output: PHContentEditingOutput, isVideo: Bool) -> [PHAssetCreationRequest.Resource] {
    output.bases.filter { isVideo || $0.type == .adjustmentBasePhoto || output.renderedPairedVideo != nil }.map {
      .init(type: $0.type, source: .file(path: $0.url.path), originalFilename: $0.originalFilename)
    }
  }

  /// The edit among the files that an asset is created of. A render that can't be decoded fails it.
  init(_ requested: [PHAssetCreationRequest.Resource], ofAsset uuid: String, in store: LibraryStore) throws {
    assetUUID = uuid
    guard let list = requested.first(where: { $0.type == .adjustmentData }) else {
      throw PHPhotosError(.missingResource, "\(requested.first?.originalFilename ?? "edit"): no adjustmentData")
    }
    try Self.check(list)
    dataFilename = list.originalFilename
    data = try store.stage(list)
    media = try requested.filter { $0.type != .adjustmentData }.map { try PreparedResource($0, in: store) }
    guard let render = media.first(where: { $0.type == .fullSizePhoto || $0.type == .fullSizeVideo }) else { return }
    let (renditions, reason) = try RenditionSet.made(of: render)
    if let reason { throw PHPhotosError(.invalidResource, "\(render.sourceName): \(reason)") }
    self.renditions = renditions
  }

  private static func check(_ list: PHAssetCreationRequest.Resource) throws {
    let bytes: Data? =
      switch list.source {
      case .data(let data): data
      case .file(let path): try path.contents(limit: PHAdjustmentData.fileByteLimit)
      }
    guard let bytes, PHAdjustmentData(propertyList: bytes) != nil else {
      throw PHPhotosError(
        .invalidResource, "\(list.originalFilename): no property list of an edit, which adjustmentData is")
    }
  }
}

extension FilePath {
  /// Returns `nil` for a file that is larger than `limit`. Fails unless it is a regular file.
  func contents(limit: Int) throws -> Data? {
    let source = ByteSource.file(self)
    return try source.byteCount() <= limit ? try source.contents() : nil
  }
}

extension RenditionSet {
  /// The pictures of a staged file, or why there are none.
  static func made(
    of file: PreparedResource, kinds: Set<RenditionKind> = [.grid, .screen]
  ) throws -> (RenditionSet?, String?) {
    do {
      return (try makeRenditions(of: file.mediaFile(), metadata: file.metadata, kinds: kinds), nil)
    } catch {
      switch error.code {
      case .cannotOpen, .cannotRead, .notEnoughSpace: throw PHPhotosError(error)
      // Nothing is known about the file: the pictures are made when they are asked for, on a machine that has the program or
      // is less busy.
      case .missingProgram, .tookTooLong: return (nil, nil)
      case .damaged, .tooLarge, .unknownType, .unsupported, .cannotEncode, .crashed: return (nil, error.reason)
      }
    }
  }
}

import Foundation
internal import Imaging
internal import LibraryStore

/// An edit before its transaction. Its files have been copied, hashed, read and decoded.
struct PreparedEdit: Sendable {
  let assetUUID: String
  /// The renders and their bases.
  let media: [PreparedResource]
  let data: StagedOriginal
  let dataFilename: String
  /// The renditions of the render; `nil` if a program that they need is missing, or if they took
  /// too long.
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
  /// Prepares the edit in a program's output.
  init(
    _ output: PHContentEditingOutput, ofAsset uuid: String, isVideo: Bool, original: EditedOriginal?, at date: Date,
    in staging: Staging
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
    let list = try adjustmentData.propertyList(at: date, ofOriginal: original)
    try self.init(
      requested.map {
        .init(
          type: $0, source: .file(path: $1.path), originalFilename: $1.lastPathComponent,
          allowsLinking: output.allowsLinking)
      } + Self.bases(of: output, isVideo: isVideo)
        + [.init(type: .adjustmentData, source: .data(list), originalFilename: "Adjustments.plist")],
      ofAsset: uuid, in: staging)
  }

  /// Returns the bases as resources. If a Live Photo becomes a still, the movie of its base is left
  /// out.
  private static func bases(of output: PHContentEditingOutput, isVideo: Bool) -> [PHAssetCreationRequest.Resource] {
    output.bases.filter { isVideo || $0.type == .adjustmentBasePhoto || output.renderedPairedVideo != nil }.map {
      .init(type: $0.type, source: .file(path: $0.file.url.path), originalFilename: $0.originalFilename)
    }
  }

  /// Prepares the edit among the files that an asset is created from. Fails if the render can't be
  /// decoded.
  init(_ requested: [PHAssetCreationRequest.Resource], ofAsset uuid: String, in staging: Staging) throws {
    assetUUID = uuid
    guard let list = requested.first(where: { $0.type == .adjustmentData }) else {
      throw PHPhotosError(.missingResource, "\(requested.first?.originalFilename ?? "edit"): no adjustmentData")
    }
    try Self.check(list)
    dataFilename = list.originalFilename
    data = try staging.stage(list)
    media = try requested.filter { $0.type != .adjustmentData }.map { try PreparedResource($0, in: staging) }
    guard let render = media.first(where: { $0.type == .fullSizePhoto || $0.type == .fullSizeVideo }) else { return }
    let (renditions, reason, _) = try RenditionSet.made(of: render)
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
        .invalidResource, "\(list.originalFilename): adjustmentData has to be the property list of an edit")
    }
  }
}

extension FilePath {
  /// Returns the contents; `nil` if the file is larger than `limit`. Throws unless it is a regular
  /// file.
  func contents(limit: Int) throws -> Data? {
    let source = ByteSource.file(self)
    return try source.byteCount() <= limit ? try source.contents() : nil
  }
}

extension RenditionSet {
  /// Makes the pictures of a staged file. If there are none, returns the reason that the file can't
  /// be shown, or the reason that they are missing for now.
  static func made(
    of file: PreparedResource, kinds: Set<RenditionKind> = [.grid, .screen]
  ) throws -> (RenditionSet?, unreadable: String?, missing: String?) {
    do {
      return (try makeRenditions(of: file.mediaFile(), metadata: file.metadata, kinds: kinds), nil, nil)
    } catch {
      switch error.code {
      case .cannotOpen, .cannotRead, .notEnoughSpace: throw PHPhotosError(error)
      // A missing program or a timeout says nothing about the file. The pictures are made when they
      // are requested, on a machine that has the program or is less busy.
      case .missingProgram, .tookTooLong: return (nil, nil, error.reason)
      case .damaged, .tooLarge, .unknownType, .unsupported, .cannotEncode, .crashed: return (nil, error.reason, nil)
      }
    }
  }
}

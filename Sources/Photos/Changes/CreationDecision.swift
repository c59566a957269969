import Foundation
internal import Imaging
internal import LibraryStore

/// The properties of a creation request's files that decide which asset gets them.
struct CreationCandidate {
  struct File {
    var part: AssetPart
    /// The hash; `nil` if the library is known not to contain these bytes.
    var sha256: Data?
  }

  /// An edit that comes with the files.
  struct Edit {
    /// The hashes of its files; `nil` where the library is known not to have the bytes.
    var hashes: [Data?]
    /// Returns whether the edit is one of those whose adjustment data have these hashes.
    var isAmong: (Set<Data>) throws -> Bool
  }

  var files: [File]
  var contentIdentifier: String?
  var shotKey: String?
  var edit: Edit?
  /// Whether an edit that was reverted is taken in again.
  var restoresRevertedEdit: Bool
  /// Whether hidden assets are ignored. Otherwise the outcome would reveal them, and the files
  /// would join assets that the creator does not see.
  var concealsHidden: Bool
}

/// The decision about a creation request, for a commit and a dry run alike. By default its files
/// make a new asset.
struct CreationDecision {
  var resolution = CreationResolution.create
  var outcome = PHAssetCreationRequest.Outcome.created
  /// The reason that the asset does not take the edit; `nil` if it takes the edit, or has it.
  var leftOutEdit: PHAssetCreationRequest.LeftOutEdit?
  /// Whether an asset that has all the originals takes the edit.
  var addsEdit = false
}

extension CreationDecision {
  init(_ candidate: CreationCandidate, in transaction: StoreTransaction) throws {
    resolution = try candidate.resolve(in: transaction)
    switch resolution {
    case .create: break
    case .join(let asset, _):
      leftOutEdit = try candidate.reasonToLeaveOutEdit(of: asset, in: transaction)
      outcome = .joined(localIdentifier: PHAsset.localIdentifier(uuid: asset.uuid))
    case .existing(let asset, _):
      leftOutEdit = try candidate.reasonToLeaveOutEdit(of: asset, in: transaction)
      // An edit that was left out when its original was imported is added now. It never replaces
      // another edit.
      addsEdit = candidate.edit != nil && !asset.hasAdjustments && leftOutEdit == nil
      let identifier = PHAsset.localIdentifier(uuid: asset.uuid)
      outcome = addsEdit ? .joined(localIdentifier: identifier) : .existing(localIdentifier: identifier)
    }
  }
}

extension CreationCandidate {
  fileprivate func reasonToLeaveOutEdit(
    of asset: AssetRecord, in transaction: StoreTransaction
  ) throws -> PHAssetCreationRequest.LeftOutEdit? {
    guard let edit else { return nil }
    if asset.hasAdjustments {
      let present = Set(try transaction.resources(of: asset).map(\.sha256))
      return edit.hashes.allSatisfy { $0.map(present.contains) ?? false } ? nil : .anotherEdit
    }
    if restoresRevertedEdit { return nil }
    let reverted = try transaction.revertedEdits(of: asset)
    return try !reverted.isEmpty && edit.isAmong(reverted) ? .reverted : nil
  }
}

/// The asset that gets the files of a creation request. The decision is made inside the
/// transaction.
enum CreationResolution {
  case create
  /// This asset gets the files at these indexes.
  case join(AssetRecord, adding: [Int])
  /// The library contains all bytes: in this asset, or partly in others, none of which has room for
  /// the rest.
  case existing(AssetRecord, others: [AssetRecord])
}

extension CreationCandidate {
  fileprivate func resolve(in transaction: StoreTransaction) throws -> CreationResolution {
    let hashes = Set(files.compactMap(\.sha256))
    // An edit's render does not count: it is removed with the edit, and a photo with the same bytes
    // must stay.
    let found = try transaction.assets(holdingAnyOf: hashes).filter(isConsidered).map { asset in
      (asset: asset, hashes: Set(AssetFiles(try transaction.resources(of: asset)).originals.map(\.sha256)))
    }.filter { !$0.hashes.isDisjoint(with: hashes) }
    // Deleted assets come last, so that they stay deleted if other assets contain the bytes.
    let holders = found.filter { $0.asset.trashedDate == nil } + found.filter { $0.asset.trashedDate != nil }
    let held = holders.reduce(into: Set<Data>()) { $0.formUnion($1.hashes) }
    let isAllHeld = files.allSatisfy { $0.sha256.map(held.contains) ?? false }
    if isAllHeld, let holder = holders.first(where: { hashes.isSubset(of: $0.hashes) }) {
      return .existing(holder.asset, others: [])
    }
    for holder in holders {
      let missing = files.indices.filter { !(files[$0].sha256.map(holder.hashes.contains) ?? false) }
      if try hasRoom(holder.asset, for: missing, transaction) { return .join(holder.asset, adding: missing) }
    }
    if let first = holders.first {
      guard isAllHeld else { return .create }
      var missing = hashes.subtracting(first.hashes)
      var others: [AssetRecord] = []
      for holder in holders.dropFirst() where !missing.isDisjoint(with: holder.hashes) {
        missing.subtract(holder.hashes)
        others.append(holder.asset)
      }
      return .existing(first.asset, others: others)
    }
    let relatives =
      try (contentIdentifier.map { try transaction.assets(contentIdentifier: $0) } ?? [])
      + (shotKey.map { try transaction.assets(shotKey: $0) } ?? [])
    // A file that was never deleted must not restore a deleted asset.
    for relative in relatives.filter({ $0.trashedDate == nil && isConsidered($0) })
    where try hasRoom(relative, for: Array(files.indices), transaction) {
      return .join(relative, adding: Array(files.indices))
    }
    return .create
  }

  private func isConsidered(_ asset: AssetRecord) -> Bool { !(concealsHidden && asset.isHidden) }

  /// Returns whether the asset can take these files.
  ///
  /// An asset has at most one picture, one RAW file and one movie. A still can't join an edited
  /// video, since the video's edit would not apply to it.
  private func hasRoom(
    _ asset: AssetRecord, for places: [Int], _ transaction: StoreTransaction
  ) throws -> Bool {
    let present = AssetFiles(try transaction.resources(of: asset))
    var parts = Set(present.originals.map { AssetPart($0) })
    if present[.fullSizeVideo] != nil, places.contains(where: { files[$0].part != .movie }) { return false }
    return places.allSatisfy { parts.insert(files[$0].part).inserted }
  }
}

extension PreparedCreation {
  func candidate(restoresRevertedEdit: Bool, concealsHidden: Bool) -> CreationCandidate {
    CreationCandidate(
      files: resources.map { .init(part: AssetPart($0), sha256: $0.staged.sha256) },
      contentIdentifier: resources.lazy.compactMap(\.metadata.contentIdentifier).first, shotKey: shotKey,
      edit: edit.map { edit in
        CreationCandidate.Edit(hashes: edit.resources.map(\.sha256)) { $0.contains(edit.data.sha256) }
      }, restoresRevertedEdit: restoresRevertedEdit, concealsHidden: concealsHidden)
  }

  var shotKey: String? { Shot(primary.metadata, filename: primary.originalFilename)?.key }
}

/// The role of a file in an asset, from which its resource type follows.
enum AssetPart: Hashable {
  case picture, raw, movie

  /// Makes the part of an original.
  init(_ record: ResourceRecord) {
    switch PHAssetResourceType(rawValue: record.type) {
    case .video, .pairedVideo: self = .movie
    default: self = record.isRaw ? .raw : .picture
    }
  }

  init(_ resource: PreparedResource) {
    switch resource.metadata.type.kind {
    case .image: self = resource.metadata.type.isRaw ? .raw : .picture
    case .video, .audio: self = .movie
    }
  }

  init(_ inspection: FileInspection) {
    self = inspection.mediaType == .video ? .movie : inspection.isRaw ? .raw : .picture
  }

  /// Returns the resource type of this part in an asset with these parts.
  func resourceType(among parts: Set<AssetPart>) -> PHAssetResourceType {
    switch self {
    case .picture: .photo
    case .raw: parts.contains(.picture) ? .alternatePhoto : .photo
    case .movie: parts.count > 1 ? .pairedVideo : .video
    }
  }
}

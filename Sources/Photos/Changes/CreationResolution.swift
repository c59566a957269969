import Foundation
internal import Imaging
internal import LibraryStore

/// Where the files of a creation request go: the decision, made inside the transaction.
enum CreationResolution {
  case create
  /// These of the request's files belong to this asset, under these types there.
  case join(AssetRecord, adding: [PreparedResource])
  case existing(AssetRecord)
}

extension PreparedCreation {
  func resolve(in transaction: StoreTransaction) throws -> CreationResolution {
    if let holder = try resources.lazy.compactMap({ try transaction.asset(holding: $0.staged.sha256) }).first {
      let held = Set(try transaction.resources(of: holder).map(\.sha256))
      let missing = resources.filter { !held.contains($0.staged.sha256) }
      if missing.isEmpty { return .existing(holder) }
      return try canJoin(holder, missing, transaction) ? .join(holder, adding: missing) : .create
    }
    let relatives =
      try primary.metadata.contentIdentifier.map { try transaction.assets(contentIdentifier: $0) } ?? []
      + (shotKey.map { try transaction.assets(shotKey: $0) } ?? [])
    for relative in relatives where try canJoin(relative, resources, transaction) {
      return .join(relative, adding: resources)
    }
    return .create
  }

  /// Whether the asset has room for these files: a picture, a RAW file and a movie, each once.
  private func canJoin(
    _ asset: AssetRecord, _ files: [PreparedResource], _ transaction: StoreTransaction
  ) throws -> Bool {
    var parts = Set(try transaction.resources(of: asset).map { AssetPart($0) })
    return files.allSatisfy { parts.insert(AssetPart($0)).inserted }
  }

  var shotKey: String? { PHFileInspection.shotKey(of: primary.metadata, filename: primary.originalFilename) }
}

/// What a file is to an asset, whatever resource type that gives it.
enum AssetPart: Hashable {
  case picture, raw, movie

  init(_ record: ResourceRecord) {
    switch PHAssetResourceType(rawValue: record.type) {
    case .video, .pairedVideo: self = .movie
    default: self = record.uniformTypeIdentifier.hasSuffix("raw-image") ? .raw : .picture
    }
  }

  init(_ resource: PreparedResource) {
    switch resource.metadata.type.kind {
    case .image: self = resource.metadata.type.isRaw ? .raw : .picture
    case .video, .audio: self = .movie
    }
  }

  /// The resource type of this part in an asset of these parts.
  func resourceType(among parts: Set<AssetPart>) -> PHAssetResourceType {
    switch self {
    case .picture: .photo
    case .raw: parts.contains(.picture) ? .alternatePhoto : .photo
    case .movie: parts.count > 1 ? .pairedVideo : .video
    }
  }
}

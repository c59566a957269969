import Foundation
internal import LibraryStore

extension PHAssetChangeRequest {
  /// An edit that waits for its files to be read.
  struct Edit: Sendable {
    var output: PHContentEditingOutput
    var uuid: String

    func prepared(in store: LibraryStore) throws -> PreparedEdit {
      // An asset that isn't there fails in the transaction, which knows what the client may see.
      let isVideo = try store.inspect { try $0.asset(uuid: uuid)?.mediaType == PHAssetMediaType.video.rawValue }
      return try PreparedEdit(output, ofAsset: uuid, isVideo: isVideo, at: store.now, in: store)
    }
  }

  /// Of an asset that is there; a creation takes its edit in with its files.
  var edit: Edit? { isCreation ? nil : contentEditingOutput.map { Edit(output: $0, uuid: uuid) } }
}

/// Which edit an asset has, or that it has none.
struct EditIdentity: Hashable, Sendable {
  private let hashes: Set<Data>

  init(_ files: AssetFiles) { hashes = Set(files.edits.map(\.sha256)) }
}

/// Somebody edited the asset since this edit of it was begun.
struct EditedMeanwhile: Error {}

extension ChangeCommit {
  func check(_ asset: AssetRecord, hasEdit expected: EditIdentity) throws {
    guard EditIdentity(AssetFiles(try transaction.resources(of: asset))) != expected else { return }
    let identifier = PHAsset.localIdentifier(uuid: asset.uuid)
    throw PHPhotosError(
      .operationInterrupted, "\(identifier): it was edited meanwhile", cause: EditedMeanwhile(),
      identifiers: [identifier])
  }

  func edit(_ asset: inout AssetRecord, _ edit: PreparedEdit) throws {
    guard !asset.isUnreadable else {
      let identifier = PHAsset.localIdentifier(uuid: asset.uuid)
      throw PHPhotosError(
        .requestNotSupportedForAsset, "\(identifier): what can’t be read can’t be edited", identifiers: [identifier])
    }
    try transaction.edit(&asset, resources: edit.resources)
  }

  /// Makes the RAW file or the picture the first original; the file that is it now, or `nil` where nothing is changed.
  func exchange(_ asset: inout AssetRecord, _ choice: PHAsset.OriginalResourceChoice) throws -> ResourceRecord? {
    let files = AssetFiles(try transaction.resources(of: asset))
    guard let photo = files[.photo], let alternate = files[.alternatePhoto], photo.isRaw != alternate.isRaw,
      photo.isRaw != (choice == .raw)
    else { return nil }
    try transaction.exchangeOriginals(of: &asset)
    return alternate
  }
}

extension AssetDetailRecord {
  mutating func become(_ first: ResourceRecord) {
    originalFilename = first.originalFilename
    fileSize = first.byteCount
    uniformTypeIdentifier = first.uniformTypeIdentifier
  }
}

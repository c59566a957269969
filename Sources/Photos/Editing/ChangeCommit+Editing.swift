import Foundation
internal import LibraryStore

extension PHAssetChangeRequest {
  /// An edit whose files have not been read yet.
  struct Edit: Sendable {
    var output: PHContentEditingOutput
    var uuid: String

    func prepared(in staging: Staging) throws -> PreparedEdit {
      // A missing asset fails in the transaction, which knows what the client may see.
      let (isVideo, original) = try staging.store.inspect { records in
        let asset = try records.asset(uuid: uuid)
        let original = try asset.flatMap { AssetFiles(try records.resources(of: $0)).original }
        return (asset?.mediaType == PHAssetMediaType.video.rawValue, EditedOriginal(original))
      }
      return try PreparedEdit(
        output, ofAsset: uuid, isVideo: isVideo, original: original, at: staging.store.now, in: staging)
    }
  }

  /// The edit of an existing asset. A creation reads its edit with its files.
  var edit: Edit? { isCreation ? nil : contentEditingOutput.map { Edit(output: $0, uuid: uuid) } }
}

/// The identity of an asset's edit, or of having none.
struct EditIdentity: Hashable, Sendable {
  private let hashes: Set<Data>

  init(_ files: AssetFiles) { hashes = Set(files.edits.map(\.sha256)) }
}

/// The error of an edit whose asset was edited by another program since it began.
struct ConcurrentEditError: Error {}

extension ChangeCommit {
  func check(_ asset: AssetRecord, hasEdit expected: EditIdentity) throws {
    guard EditIdentity(AssetFiles(try transaction.resources(of: asset))) != expected else { return }
    let identifier = PHAsset.localIdentifier(uuid: asset.uuid)
    throw PHPhotosError(
      .operationInterrupted, "\(identifier): another program edited it after this edit began",
      cause: ConcurrentEditError(),
      identifiers: [identifier])
  }

  func edit(_ asset: inout AssetRecord, _ edit: PreparedEdit) throws {
    guard !asset.isUnreadable else {
      let identifier = PHAsset.localIdentifier(uuid: asset.uuid)
      throw PHPhotosError(
        .requestNotSupportedForAsset, "\(identifier): the file can’t be read, so it can’t be edited",
        identifiers: [identifier])
    }
    try transaction.edit(&asset, resources: edit.resources)
  }

  /// Makes the RAW file or the picture the original. Returns the new original; `nil` if nothing is
  /// changed.
  func chooseOriginal(_ asset: inout AssetRecord, _ choice: PHAsset.OriginalResourceChoice) throws -> ResourceRecord? {
    let files = AssetFiles(try transaction.resources(of: asset))
    guard let photo = files[.photo], let alternate = files[.alternatePhoto], photo.isRaw != alternate.isRaw,
      photo.isRaw != (choice == .raw)
    else { return nil }
    try transaction.exchangeOriginals(of: &asset)
    return alternate
  }
}

extension AssetDetailRecord {
  mutating func copyProperties(of first: ResourceRecord) {
    originalFilename = first.originalFilename
    fileSize = first.byteCount
    uniformTypeIdentifier = first.uniformTypeIdentifier
  }
}

import Foundation
internal import LibraryStore

/// A change that a change block requests. It can only be made inside `performChanges`.
open class PHChangeRequest: NSObject {
  override init() {
    super.init()
    guard let collector = ChangeCollector.current, collector.add(self) else {
      preconditionFailure(
        "\(type(of: self)): This method can only be called from inside of PHPhotoLibrary.performChanges or performChangesAndWait"
      )
    }
  }

  /// The permission that the request needs if a client makes it.
  var demand: ChangeDemand { .nothing }

  /// Inserts the row of a new collection. All rows are inserted before any request is applied, so
  /// that requests may refer to each other in any order.
  func create(_ commit: ChangeCommit) throws {}

  /// Writes the change. An error fails the whole block, and nothing of it is written.
  func apply(_ commit: ChangeCommit) throws {}
}

/// The transaction that change requests write to, with the client's access.
final class ChangeCommit {
  let transaction: StoreTransaction
  let access: LibraryAccess
  /// The prepared edits, by their requests.
  private let edits: [ObjectIdentifier: PreparedEdit?]
  /// The assets that have got an edit, each with the edit's renditions.
  private(set) var editedAssets: [AssetRenditions] = []

  init(transaction: StoreTransaction, access: LibraryAccess, edits: [ObjectIdentifier: PreparedEdit?]) {
    self.transaction = transaction
    self.access = access
    self.edits = edits
  }

  func edit(of request: PHAssetChangeRequest) -> PreparedEdit? { edits[ObjectIdentifier(request)] ?? nil }

  func noteEdit(of asset: AssetRecord, _ edit: PreparedEdit) {
    editedAssets.append(AssetRenditions(asset: asset, renditions: edit.renditions))
  }

  var date: Date { transaction.date }

  /// Returns the asset that a request refers to. Throws `identifierNotFound` also for an asset that
  /// the client may not see.
  func asset(uuid: String) throws -> AssetRecord {
    guard let asset = try transaction.asset(uuid: uuid), try isVisible(asset) else {
      let identifier = PHAsset.localIdentifier(uuid: uuid)
      throw PHPhotosError(.identifierNotFound, "there is no asset \(identifier)", identifiers: [identifier])
    }
    return asset
  }

  private func isVisible(_ asset: AssetRecord) throws -> Bool {
    guard case .limited(let client) = access else { return true }
    return try transaction.isSelected(asset.id, for: client)
  }

  func collection(uuid: String, _ kind: CollectionKind) throws -> CollectionRecord {
    let identifier = PHCollection.localIdentifier(uuid: uuid, kind: kind)
    let wanted = kind == .folder ? "folder" : "album"
    guard let collection = try transaction.collection(uuid: uuid) else {
      throw PHPhotosError(
        .identifierNotFound, "there is no \(wanted) \(identifier)", identifiers: [identifier])
    }
    guard collection.kind == kind else {
      throw PHPhotosError(
        .changeNotSupported, "“\(collection.title)” is no \(wanted) that can be changed", identifiers: [identifier])
    }
    return collection
  }
}

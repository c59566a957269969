import Foundation
internal import LibraryStore

/// A change that a change block asks for; made inside `performChanges` only.
open class PHChangeRequest: NSObject {
  override init() {
    super.init()
    guard let collector = ChangeCollector.current, collector.add(self) else {
      preconditionFailure(
        "\(type(of: self)): This method can only be called from inside of PHPhotoLibrary.performChanges or performChangesAndWait"
      )
    }
  }

  /// What the request is about, for a client that may not do everything.
  var demand: ChangeDemand { .nothing }

  /// Makes the row of a new collection, before any request is applied: they may name each other in any order.
  func create(_ commit: ChangeCommit) throws {}

  /// Writes the change; throws where it can't be done, and then nothing of the block is.
  func apply(_ commit: ChangeCommit) throws {}
}

/// What a change request needs to be allowed to do.
enum ChangeDemand {
  case nothing
  case addAssets
  case changeAssets
  case changeCollections
  /// Asked about before it is done.
  case delete(PHAuthorizationRequest.Deletion)
}

/// The transaction that change requests write to, and what they need besides.
struct ChangeCommit {
  let transaction: StoreTransaction
  let access: LibraryAccess

  var date: Date { transaction.date }

  /// An asset that a request names; one that a client may not see is not there for it.
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

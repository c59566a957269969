import Foundation
internal import LibraryStore

/// A request that creates, renames or deletes albums, or changes their assets and the order of
/// them.
///
///     try library.performChangesAndWait {
///       let request = PHAssetCollectionChangeRequest
///         .creationRequestForAssetCollection(withTitle: "Norway")
///       request.addAssets([first, second])
///     }
///
/// Indexes refer to the fetch result that the request was made with. If the album has changed
/// since, assets are placed by their neighbors. A wrong index traps; PhotoKit raises an exception.
/// Without a fetch result, indexes refer to the album at the time of the commit, and a wrong index
/// fails the commit with `changeNotSupported`.
open class PHAssetCollectionChangeRequest: PHChangeRequest {
  private let uuid: String
  private let isCreation: Bool
  private var newTitle: String?
  var keyAsset: KeyAsset?
  private let currentTitle: String
  private var steps: AlbumSteps

  enum KeyAsset {
    /// The library chooses it.
    case automatic
    case chosen(Member)
  }

  /// Requests a new album at the end of the top level. Titles need not be unique.
  @discardableResult
  public class func creationRequestForAssetCollection(withTitle title: String) -> PHAssetCollectionChangeRequest {
    PHAssetCollectionChangeRequest(uuid: PHPhotoLibrary.newUUID(), title: title)
  }

  private init(uuid: String, title: String) {
    self.uuid = uuid
    isCreation = true
    newTitle = title
    currentTitle = title
    steps = AlbumSteps(of: [], "album", of: "assets")
    super.init()
  }

  /// Makes a request for an album; `nil` if it can't be changed. Call its `canPerform` first.
  public convenience init?(for assetCollection: PHAssetCollection) {
    self.init(for: assetCollection, assets: nil)
  }

  /// Makes a request for an album with the assets that indexes refer to.
  public init?(for assetCollection: PHAssetCollection, assets: PHFetchResult<PHAsset>?) {
    guard assetCollection.record.kind == .album, assetCollection.rowID != 0 else { return nil }
    uuid = PHObject.uuid(localIdentifier: assetCollection.localIdentifier)
    isCreation = false
    currentTitle = assetCollection.localizedTitle ?? ""
    steps = AlbumSteps(of: assets.map { Member.all($0) }, "album", of: "assets")
    super.init()
  }

  /// Deletes albums. Their assets stay. The owner has to confirm a client's deletion.
  public class func deleteAssetCollections(_ assetCollections: any NSFastEnumeration) {
    _ = CollectionDeletionRequest(.album, assetCollections)
  }

  /// A placeholder with the identifier of the created album, or of the album that is changed.
  open var placeholderForCreatedAssetCollection: PHObjectPlaceholder {
    PHObjectPlaceholder(localIdentifier: PHCollection.localIdentifier(uuid: uuid, kind: .album))
  }

  open var title: String {
    get { newTitle ?? currentTitle }
    set { newTitle = newValue }
  }

  /// Adds assets at the end. An asset that is already in the album keeps its place.
  open func addAssets(_ assets: any NSFastEnumeration) { steps.add(.append(members(assets))) }

  /// Inserts assets, so that each has its index afterwards. There must be as many indexes as
  /// assets. An asset that is already in the album moves. Its old place is empty, and indexes count
  /// it until `removeAssets(at:)` removes it.
  open func insertAssets(_ assets: any NSFastEnumeration, at indexes: IndexSet) {
    steps.add(.insert(members(assets), at: indexes))
  }

  open func removeAssets(_ assets: any NSFastEnumeration) { steps.add(.remove(members(assets))) }

  open func removeAssets(at indexes: IndexSet) { steps.add(.removeAt(indexes)) }

  /// Replaces the assets at these indexes. They leave the album unless they are among `assets`.
  open func replaceAssets(at indexes: IndexSet, withAssets assets: any NSFastEnumeration) {
    steps.add(.replace(at: indexes, with: members(assets)))
  }

  /// Moves assets. `toIndex` is an index in the list without them.
  open func moveAssets(at fromIndexes: IndexSet, to toIndex: Int) {
    steps.add(.move(at: fromIndexes, to: toIndex))
  }

  private func members(_ assets: any NSFastEnumeration) -> [Member] {
    Member.all(assets, as: PHAsset.self, rule: "an album contains assets")
  }

  override var demand: ChangeDemand { .changeCollections }

  override func create(_ commit: ChangeCommit) throws {
    if isCreation { _ = try commit.transaction.insert(.album, uuid: uuid, title: newTitle ?? "") }
  }

  override func apply(_ commit: ChangeCommit) throws {
    let transaction = commit.transaction
    let before = try commit.collection(uuid: uuid, .album)
    let edits = try steps.edits { try transaction.assetIDs(in: before).map(Member.row) }
    for edit in edits { try apply(edit, to: before, commit) }
    var album = before
    switch keyAsset {
    case .automatic: album.keyAssetID = nil
    case .chosen(let member):
      let row = try row(of: member, commit)
      guard try transaction.contains(row, in: album) else {
        throw PHPhotosError(.changeNotSupported, "the key asset of the album “\(album.title)” has to be in it")
      }
      album.keyAssetID = row
    case nil:
      // An asset that has left the album can't represent it any more.
      if let key = album.keyAssetID, try !transaction.contains(key, in: album) { album.keyAssetID = nil }
    }
    if let newTitle { album.title = newTitle }
    if album.title != before.title || album.keyAssetID != before.keyAssetID { try transaction.update(album) }
  }

  private func apply(_ edit: AlbumEdit, to album: CollectionRecord, _ commit: ChangeCommit) throws {
    switch edit {
    case .append(let members): try commit.transaction.append(rows(of: members, commit), to: album)
    case .remove(let members):
      // A deleted asset may be removed, too.
      try commit.transaction.remove(
        members.compactMap { if case .row(let id) = $0 { id } else { try knownRow(of: $0, commit) } }, from: album)
    case .place(let members, let predecessors):
      let rows = try rows(of: members, commit)
      let moved = Set(rows)
      var anchor: Int64?
      for case let predecessor? in predecessors.reversed() {
        guard let row = try knownRow(of: predecessor, commit), !moved.contains(row),
          try commit.transaction.contains(row, in: album)
        else { continue }
        anchor = row
        break
      }
      try commit.transaction.place(rows, in: album, afterFirstOf: anchor.map { [$0] } ?? [])
    }
  }

  /// Returns `nil` for an asset that has been deleted.
  private func knownRow(of member: Member, _ commit: ChangeCommit) throws -> Int64? {
    do { return try row(of: member, commit) } catch let error as PHPhotosError where error.code == .identifierNotFound {
      return nil
    }
  }

  private func row(of member: Member, _ commit: ChangeCommit) throws -> Int64 { try rows(of: [member], commit)[0] }

  private func rows(of members: [Member], _ commit: ChangeCommit) throws -> [Int64] {
    let stored = members.compactMap { if case .row(let id) = $0 { id } else { nil } }
    guard try commit.transaction.hasAssets(stored) else {
      throw PHPhotosError(.identifierNotFound, "an asset that was to be put into the album has been deleted")
    }
    return try members.map { member in
      switch member {
      case .row(let id): id
      case .created(let uuid): try commit.asset(uuid: uuid).id
      }
    }
  }
}

/// A request that deletes albums, or folders with all albums and folders in them.
final class CollectionDeletionRequest: PHChangeRequest {
  private let kind: CollectionKind
  private let collections: [PHObject]

  init(_ kind: CollectionKind, _ collections: any NSFastEnumeration) {
    self.kind = kind
    self.collections = collections.fastEnumerationObjects().compactMap { $0 as? PHObject }
    super.init()
  }

  override var demand: ChangeDemand {
    .delete(.init(kind == .folder ? .folders : .albums, localIdentifiers: collections.map(\.localIdentifier)))
  }

  override func apply(_ commit: ChangeCommit) throws {
    let found = try collections.map {
      try commit.collection(uuid: PHObject.uuid(localIdentifier: $0.localIdentifier), kind)
    }
    for collection in found {
      guard !collection.isRoot else { throw PHPhotosError(.changeNotSupported, "the root folder can't be deleted") }
      // It may be deleted already, with a folder that contained it.
      if try commit.transaction.collection(id: collection.id) != nil { try commit.transaction.delete(collection) }
    }
  }
}

import Foundation
internal import LibraryStore

/// A request that creates, renames or deletes folders, or changes their contents and the order of
/// them.
///
///     try library.performChangesAndWait {
///       let folder = PHCollectionListChangeRequest
///         .creationRequestForCollectionList(withTitle: "Travels")
///       folder.addChildCollections([norway])
///     }
///
/// Folders contain albums and folders, to any depth. A collection has one parent: adding it to a
/// folder takes it out of another, and removing it puts it at the end of the top level. Indexes
/// have the same meaning as in `PHAssetCollectionChangeRequest`.
open class PHCollectionListChangeRequest: PHChangeRequest {
  private let uuid: String
  private let isCreation: Bool
  private var newTitle: String?
  private let currentTitle: String
  private var steps: AlbumSteps
  /// The error with which the change fails, if the top level could not be read.
  private var failure: (any Error)?

  /// Requests a new folder at the end of the top level. Titles need not be unique.
  @discardableResult
  public class func creationRequestForCollectionList(withTitle title: String) -> PHCollectionListChangeRequest {
    PHCollectionListChangeRequest(uuid: PHPhotoLibrary.newUUID(), title: title)
  }

  private init(uuid: String, title: String) {
    self.uuid = uuid
    isCreation = true
    newTitle = title
    currentTitle = title
    steps = AlbumSteps(of: [], "folder", of: "collections")
    super.init()
  }

  private init?(uuid: String, title: String, children: [Member]?) {
    self.uuid = uuid
    isCreation = false
    currentTitle = title
    steps = AlbumSteps(of: children, "folder", of: "collections")
    super.init()
  }

  /// Makes a request for a folder; `nil` if it can't be changed. Call its `canPerform` first.
  public convenience init?(for collectionList: PHCollectionList) {
    guard collectionList.rowID != 0 else { return nil }
    self.init(
      uuid: PHObject.uuid(localIdentifier: collectionList.localIdentifier),
      title: collectionList.localizedTitle ?? "", children: nil)
  }

  /// Makes a request for a folder with the children that indexes refer to.
  public convenience init?<Child: PHCollection>(
    for collectionList: PHCollectionList, childCollections: PHFetchResult<Child>
  ) {
    guard collectionList.rowID != 0 else { return nil }
    self.init(
      uuid: PHObject.uuid(localIdentifier: collectionList.localIdentifier),
      title: collectionList.localizedTitle ?? "", children: Member.all(childCollections))
  }

  /// Makes a request for the top level, with the result of `fetchTopLevelUserCollections`. If the
  /// library can't be read, the change fails with the reason.
  public convenience init?<Child: PHCollection>(
    forTopLevelCollectionListUserCollections childCollections: PHFetchResult<Child>
  ) {
    let library = childCollections.fetched.library ?? .shared()
    let root = Result { try library.engine.available().rootFolder().uuid }
    self.init(uuid: (try? root.get()) ?? "", title: "", children: Member.all(childCollections))
    if case .failure(let error) = root { failure = error }
  }

  /// Deletes folders with all albums and folders in them. The assets stay. The owner has to confirm
  /// a client's deletion.
  public class func deleteCollectionLists(_ collectionLists: any NSFastEnumeration) {
    _ = CollectionDeletionRequest(.folder, collectionLists)
  }

  /// A placeholder with the identifier of the created folder, or of the folder that is changed.
  open var placeholderForCreatedCollectionList: PHObjectPlaceholder {
    PHObjectPlaceholder(localIdentifier: PHCollection.localIdentifier(uuid: uuid, kind: .folder))
  }

  open var title: String {
    get { newTitle ?? currentTitle }
    set { newTitle = newValue }
  }

  open func addChildCollections(_ collections: any NSFastEnumeration) {
    steps.add(.append(members(collections)))
  }

  open func insertChildCollections(_ collections: any NSFastEnumeration, at indexes: IndexSet) {
    steps.add(.insert(members(collections), at: indexes))
  }

  open func removeChildCollections(_ collections: any NSFastEnumeration) {
    steps.add(.remove(members(collections)))
  }

  open func removeChildCollections(at indexes: IndexSet) { steps.add(.removeAt(indexes)) }

  open func replaceChildCollections(at indexes: IndexSet, withChildCollections collections: any NSFastEnumeration) {
    steps.add(.replace(at: indexes, with: members(collections)))
  }

  /// Moves children. `toIndex` is an index in the list without them.
  open func moveChildCollections(at indexes: IndexSet, to toIndex: Int) {
    steps.add(.move(at: indexes, to: toIndex))
  }

  private func members(_ collections: any NSFastEnumeration) -> [Member] {
    Member.all(collections, as: PHCollection.self, rule: "a folder holds albums and folders")
  }

  override var demand: ChangeDemand { .changeCollections }

  override func create(_ commit: ChangeCommit) throws {
    if isCreation { _ = try commit.transaction.insert(.folder, uuid: uuid, title: newTitle ?? "") }
  }

  override func apply(_ commit: ChangeCommit) throws {
    if let failure { throw failure }
    let transaction = commit.transaction
    var folder = try commit.collection(uuid: uuid, .folder)
    if !steps.isEmpty {
      var children = try transaction.children(of: folder)
      let edits = try steps.edits { children.map { .row($0.id) } }
      for edit in edits { try apply(edit, to: &children, commit) }
      try transaction.setChildren(children, of: folder)
    }
    if let newTitle, !isCreation {
      guard !folder.isRoot else { throw PHPhotosError(.changeNotSupported, "the root folder can't be renamed") }
      folder.title = newTitle
      try transaction.update(folder)
    }
  }

  private func apply(_ edit: AlbumEdit, to children: inout [CollectionRecord], _ commit: ChangeCommit) throws {
    switch edit {
    case .append(let members):
      for child in try members.map({ try collection($0, commit) })
      where !children.contains(where: { $0.id == child.id }) {
        children.append(child)
      }
    case .remove(let members):
      // A deleted collection may be removed, too.
      let gone = Set(try members.compactMap { try storedCollection($0, commit)?.id })
      children.removeAll { gone.contains($0.id) }
    case .place(let members, let predecessors):
      let new = try members.map { try collection($0, commit) }
      children.removeAll { child in new.contains { $0.id == child.id } }
      var anchor: Int?
      for case let predecessor? in predecessors.reversed() where anchor == nil {
        let known = try storedCollection(predecessor, commit)
        anchor = children.firstIndex { $0.id == known?.id }
      }
      children.insert(contentsOf: new, at: anchor.map { $0 + 1 } ?? 0)
    }
  }

  private func collection(_ member: Member, _ commit: ChangeCommit) throws -> CollectionRecord {
    let found = try storedCollection(member, commit)
    if let found, found.kind == .smartAlbum {
      throw PHPhotosError(.changeNotSupported, "the smart album “\(found.title)” can't be put into a folder")
    }
    guard let found, !found.isRoot else {
      throw PHPhotosError(.identifierNotFound, "a collection that was to be put into the folder is not there")
    }
    return found
  }

  /// Returns `nil` for a collection that has been deleted.
  private func storedCollection(_ member: Member, _ commit: ChangeCommit) throws -> CollectionRecord? {
    switch member {
    case .row(let id): try commit.transaction.collection(id: id)
    case .created(let uuid): try commit.transaction.collection(uuid: uuid)
    }
  }
}

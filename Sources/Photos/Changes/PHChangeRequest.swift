import Foundation
internal import LibraryStore

/// A change that a change block requests. It can only be made inside `performChanges`.
open class PHChangeRequest: NSObject {
  /// The number of requests before this one in its change block.
  private var position = 0

  /// The number of requests that the present change block has made so far.
  package static var countInBlock: Int { ChangeCollector.current?.count ?? 0 }

  override init() {
    super.init()
    position = Self.countInBlock
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

  /// Does a part of the request's work. Errors get the position of the request.
  func work<Value>(_ body: () throws -> Value) throws -> Value {
    do { return try body() } catch let error as PHPhotosError { throw error.ofRequest(at: position) }
  }
}

/// The transaction that change requests write to, with the client's access.
final class ChangeCommit {
  let transaction: StoreTransaction
  let access: LibraryAccess
  /// The prepared edits, by their requests.
  private let edits: [ObjectIdentifier: PreparedEdit]
  /// The UUIDs of existing assets, by the UUIDs of the placeholders of creation requests that
  /// created no asset of their own.
  private let joined: [String: String]
  /// The assets that have got an edit, each with the edit's renditions.
  private(set) var editedAssets: [AssetRenditions] = []

  init(
    transaction: StoreTransaction, access: LibraryAccess, joined: [String: String],
    edits: [ObjectIdentifier: PreparedEdit]
  ) {
    self.transaction = transaction
    self.access = access
    self.joined = joined
    self.edits = edits
  }

  func edit(of request: PHAssetChangeRequest) -> PreparedEdit? { edits[ObjectIdentifier(request)] }

  func noteEdit(of asset: AssetRecord, _ edit: PreparedEdit) {
    editedAssets.append(AssetRenditions(asset: asset, renditions: edit.renditions))
  }

  var date: Date { transaction.date }

  /// Applies the requests in their order. Changes of assets that follow each other are read and
  /// written together.
  func apply(_ requests: [PHChangeRequest]) throws {
    var changes: [PHAssetChangeRequest] = []
    func applyChanges() throws {
      for part in changes.parts() { try AssetChanges.apply(part, self) }
      changes = []
    }
    for request in requests {
      if let change = request as? PHAssetChangeRequest {
        changes.append(change)
      } else {
        try applyChanges()
        try request.work { try request.apply(self) }
      }
    }
    try applyChanges()
  }

  func asset(uuid: String) throws -> AssetRecord { try assets(uuids: [uuid])[0] }

  /// Returns the assets that requests refer to, in the order of their UUIDs. Throws
  /// `identifierNotFound` also for an asset that the client may not see.
  ///
  /// `rows` are the rows that the assets had when they were fetched. SQLite reads an asset faster
  /// by its row than by its UUID. An asset that is no longer in its row is read by its UUID.
  func assets(uuids: some Collection<String>, rows: some Collection<Int64> = []) throws -> [AssetRecord] {
    let names = uuids.map { joined[$0] ?? $0 }
    var found: [String: AssetRecord] = [:]
    for asset in try transaction.assets(ids: rows) { found[asset.uuid] = asset }
    for asset in try transaction.assets(uuids: names.filter { found[$0] == nil }) { found[asset.uuid] = asset }
    let selected = try access.selection.map { try transaction.selected(among: found.values.map(\.id), for: $0) }
    return try zip(uuids, names).map { uuid, name in
      guard let asset = found[name], selected?.contains(asset.id) ?? true else {
        let identifier = PHAsset.localIdentifier(uuid: uuid)
        throw PHPhotosError(.identifierNotFound, "there is no asset \(identifier)", identifiers: [identifier])
      }
      return asset
    }
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

extension Array {
  /// Returns the elements in parts of ten thousand: the assets of one part are held in memory at a
  /// time.
  func parts() -> [ArraySlice<Element>] {
    stride(from: 0, to: count, by: 10_000).map { self[$0..<Swift.min($0 + 10_000, count)] }
  }
}

import Foundation

/// Restores the values of one inverse. Collects every object that is not as the undone transaction
/// left it.
final class UndoRun {
  private let reversal: Reversal
  private let transaction: StoreTransaction
  private var conflicts: [UndoFailure.Conflict] = []
  private var known: Set<UndoFailure.Conflict> = []
  private var bursts: Set<String> = []

  private var inverse: Inverse { reversal.inverse }
  private var db: any Session { transaction.db }
  private var date: Date { transaction.date }

  init(_ reversal: Reversal, in transaction: StoreTransaction) {
    self.reversal = reversal
    self.transaction = transaction
  }

  func run() throws {
    try restoreCollections()
    try updateCollections()
    for change in inverse.members { try restore(change) }
    for change in inverse.assets {
      if change.isOfRepresentative {
        try transaction.choosingRepresentative { try restore(change) }
      } else {
        try restore(change)
      }
    }
    for burst in bursts { try transaction.chooseRepresentative(ofBurst: burst) }
    for change in inverse.files { try restore(change) }
    try deleteCollections()
    guard conflicts.isEmpty else { throw UndoFailure(.conflict, reversal.shownNumber, conflicts: conflicts) }
  }

  // MARK: Conflicts

  private func noteConflict(_ type: HistoryObjectType, uuid: String, name: String) {
    let conflict = UndoFailure.Conflict(type: type, uuid: uuid, name: name)
    if known.insert(conflict).inserted { conflicts.append(conflict) }
  }

  private func noteConflict(_ state: CollectionState) {
    noteConflict(state.kind == CollectionKind.folder.rawValue ? .folder : .album, uuid: state.uuid, name: state.title)
  }

  private func noteConflict(asset: Int64) throws {
    let row = try db.row(
      """
      SELECT uuid, COALESCE(NULLIF(title, ''), original_filename) AS name FROM asset JOIN asset_detail ON asset_id = id
      WHERE id = ?
      """, asset)
    guard let row else { return noteConflict(.asset, uuid: try formerUUID(.asset, asset), name: "") }
    noteConflict(.asset, uuid: try row.value("uuid"), name: try row.value("name"))
  }

  /// Returns the identifier of an object that does not exist any more.
  private func formerUUID(_ type: HistoryObjectType, _ id: Int64) throws -> String {
    try db.value(
      "SELECT object_uuid FROM history_change WHERE object_type = ? AND object_id = ? ORDER BY transaction_id LIMIT 1",
      type.rawValue, id) ?? ""
  }

  // MARK: Albums and folders

  /// Inserts the collections that the transaction deleted, parents first.
  private func restoreCollections() throws {
    var missing = inverse.collections.compactMap { change in
      change.after == nil ? change.before.map { (id: change.id, state: $0) } : nil
    }
    while !missing.isEmpty {
      let (ready, waiting) = try missing.partitioned { try hasCollection($0.state.parent) }
      guard !ready.isEmpty else {
        for (_, state) in waiting { noteConflict(state) }
        return
      }
      for (id, state) in ready { try insert(state, id) }
      missing = waiting
    }
  }

  private func hasCollection(_ id: Int64?) throws -> Bool {
    try id.map { try transaction.collection(id: $0) != nil } ?? false
  }

  private func insert(_ state: CollectionState, _ id: Int64) throws {
    guard try transaction.collection(id: id) == nil, try transaction.collection(uuid: state.uuid) == nil else {
      return noteConflict(state)
    }
    var record = state.record(id: id)
    record.modificationDate = date
    record.keyAssetID = try existing(record.keyAssetID)
    try db.insert([("id", id.value)] + record.columns, into: CollectionRecord.table)
    transaction.recorder?.noteCollection(id, from: nil, to: record)
    transaction.note(.inserted, HistoryObjectType(record.kind), id: id, uuid: record.uuid, isContent: true)
    if let parent = try record.parentID.flatMap(transaction.collection(id:)) {
      try transaction.touch(parent, isContent: true)
    }
  }

  /// Returns the asset, unless it was permanently deleted.
  private func existing(_ asset: Int64?) throws -> Int64? {
    try asset.flatMap { try isGone($0) ? nil : $0 }
  }

  private func isGone(_ asset: Int64) throws -> Bool {
    try db.isTrue("SELECT NOT EXISTS (SELECT 1 FROM asset WHERE id = ?)", asset)
  }

  /// Restores titles, places in the tree, and key assets.
  private func updateCollections() throws {
    var moved: [(child: Int64, state: CollectionState)] = []
    for change in inverse.collections {
      guard let before = change.before, let after = change.after else { continue }
      guard let present = try transaction.collection(id: change.id) else {
        noteConflict(after)
        continue
      }
      let isMoved = before.parent != after.parent
      let formerKey = try existing(after.keyAsset)
      guard before.title == after.title || present.title == after.title,
        before.rank == after.rank || present.rank == after.rank, !isMoved || present.parentID == after.parent,
        before.keyAsset == after.keyAsset || present.keyAssetID == formerKey,
        try !isMoved || hasCollection(before.parent)
      else {
        noteConflict(CollectionState(present))
        continue
      }
      var record = present
      if before.title != after.title { record.title = before.title }
      if before.rank != after.rank { record.rank = before.rank }
      if before.keyAsset != after.keyAsset { record.keyAssetID = try existing(before.keyAsset) }
      if isMoved {
        record.parentID = before.parent
        moved.append((change.id, after))
      }
      try transaction.update(record)
      if record.parentID != present.parentID || record.rank != present.rank {
        for parent in Set([record.parentID, present.parentID].compactMap(\.self)) {
          if let parent = try transaction.collection(id: parent) { try transaction.touch(parent, isContent: true) }
        }
      }
    }
    // A folder may have been moved into what the undo takes out of it.
    for (id, state) in moved {
      guard let child = try transaction.collection(id: id), let parent = child.parentID,
        let folder = try transaction.collection(id: parent)
      else { continue }
      if try transaction.isAncestor(child, of: folder) { noteConflict(state) }
    }
  }

  /// Deletes the collections that the transaction created, unless something was put into them.
  private func deleteCollections() throws {
    var created = inverse.collections.compactMap { change in
      change.before == nil ? change.after.map { (id: change.id, state: $0) } : nil
    }
    while !created.isEmpty {
      let (empty, full) = try created.partitioned { try isEmpty($0.id) }
      guard !empty.isEmpty else {
        for (_, state) in full { noteConflict(state) }
        return
      }
      for (id, state) in empty {
        guard let present = try transaction.collection(id: id), present.title == state.title,
          present.parentID == state.parent, present.keyAssetID == (try existing(state.keyAsset))
        else {
          noteConflict(state)
          continue
        }
        try transaction.delete(present)
      }
      created = full
    }
  }

  private func isEmpty(_ collection: Int64) throws -> Bool {
    try db.isTrue(
      """
      SELECT NOT EXISTS (SELECT 1 FROM collection WHERE parent_id = ?)
        AND NOT EXISTS (SELECT 1 FROM collection_asset WHERE collection_id = ?)
      """, collection, collection)
  }

  /// Restores the places of assets in an album. Assets that were permanently deleted stay out.
  private func restore(_ change: Inverse.MembersChange) throws {
    guard let album = try transaction.collection(id: change.album), album.kind == .album else {
      return noteConflict(.album, uuid: try formerUUID(.album, change.album), name: "")
    }
    let order = transaction.order(of: album)
    let present = try order.ranks(of: change.assets)
    var removed: [Int64] = []
    var placed: [(asset: Int64, rank: Int64)] = []
    for (index, asset) in change.assets.enumerated() {
      guard present[asset] == change.after?.element(at: index) ?? nil else {
        if try !isGone(asset) { try noteConflict(asset: asset) }
        continue
      }
      if let rank = change.before?.element(at: index) ?? nil {
        placed.append((asset, rank))
      } else {
        removed.append(asset)
      }
    }
    _ = try order.remove(removed)
    try order.set(placed, from: present)
    if !removed.isEmpty || !placed.isEmpty { try transaction.touch(album, isContent: true) }
  }

  // MARK: Assets

  private func restore(_ change: Inverse.AssetsChange) throws {
    let columns = change.values.filter { Inverse.assetColumns.contains($0.key) }
    let texts = change.values.filter { Inverse.detailColumns.contains($0.key) }
    let rows = try rows(of: change.ids, in: AssetRecord.table, "id")
    let details = texts.isEmpty ? [:] : try self.rows(of: change.ids, in: AssetDetailRecord.table, "asset_id")
    var written: [(before: AssetRecord, after: AssetRecord)] = []
    var writtenDetails: [(asset: AssetRecord, before: AssetDetailRecord, after: AssetDetailRecord)] = []
    for id in change.ids {
      guard let row = rows[id], try row.agrees(with: columns),
        try texts.isEmpty || details[id]?.agrees(with: texts) == true
      else {
        try noteConflict(asset: id)
        continue
      }
      let before = try AssetRecord(row: row)
      var after = try AssetRecord(row: row.restoring(columns))
      if !change.isOfRepresentative, change.values.keys.contains(where: { $0 != Inverse.trashedDate }) {
        after.modificationDate = date
      }
      if before.trashedDate == nil { after.trashedDate = after.trashedDate.map(trashedDate) }
      written.append((before, after))
      if let detail = details[id] {
        writtenDetails.append(
          (after, try AssetDetailRecord(row: detail), try AssetDetailRecord(row: detail.restoring(texts))))
      }
    }
    try transaction.write(writtenDetails)
    try restoreAssets(written)
  }

  /// Reads the rows with these keys, by key.
  private func rows(of ids: [Int64], in table: String, _ key: String) throws -> [Int64: StoreRow] {
    var rows: [Int64: StoreRow] = [:]
    try db.forEachRow("SELECT * FROM \(table) WHERE \(key) IN \(BoundSQL.list)", ids.jsonArray) { row in
      rows[try row.value(key)] = row
    }
    return rows
  }

  /// Writes assets, some of which go to the trash or come out of it.
  private func restoreAssets(_ assets: [(before: AssetRecord, after: AssetRecord)]) throws {
    let moved = assets.filter { ($0.before.trashedDate == nil) != ($0.after.trashedDate == nil) }
    try transaction.noteAlbums(of: moved.map(\.after.id))
    if moved.contains(where: { $0.after.trashedDate != nil }) { try transaction.checkTrashClock() }
    try transaction.write(assets)
    for (_, asset) in moved {
      let isDeletion = asset.trashedDate != nil
      transaction.note(
        isDeletion ? .deleted : .inserted, .asset, id: asset.id, uuid: asset.uuid, isContent: !isDeletion)
      if let burst = asset.burstIdentifier { bursts.insert(burst) }
    }
  }

  /// Returns the deletion date with which an asset has as many days left as it had when the undone
  /// transaction restored it.
  private func trashedDate(_ former: Date) -> Date {
    min(date, date - max(0, reversal.date.timeIntervalSince(former)))
  }

  private func restore(_ change: Inverse.FilesChange) throws {
    guard let row = try db.row("SELECT * FROM asset WHERE id = ?", change.asset) else {
      return try noteConflict(asset: change.asset)
    }
    var asset = try AssetRecord(row: row)
    let present = try transaction.resources(of: asset)
    guard Set(present.map(FileState.init)) == Set(change.after) else { return try noteConflict(asset: change.asset) }
    transaction.recorder?.noteFiles(of: asset.id, before: present)
    let wanted = Set(change.before)
    for resource in present where !wanted.contains(FileState(resource)) {
      try db.execute("DELETE FROM resource WHERE id = ?", resource.id)
      if resource.kind == .adjustmentData { try transaction.remember(reverted: resource, of: asset) }
      transaction.release(resource)
    }
    let kept = Set(present.map(FileState.init))
    for file in change.before where !kept.contains(file) {
      try db.insert(file.record(of: asset.id).columns, into: ResourceRecord.table)
    }
    let before = asset
    asset.copyShownProperties(of: AssetFiles(try transaction.resources(of: asset)))
    asset.modificationDate = date
    transaction.noteStaleRenditions(of: asset.uuid)
    transaction.noteChangedEdit(of: asset.id)
    try transaction.write([(before, asset)])
    transaction.note(.updated, .asset, id: asset.id, uuid: asset.uuid, isContent: true)
  }
}

extension StoreRow {
  /// Returns whether the columns have the values after a transaction.
  fileprivate func agrees(with changes: [String: ValueChange]) throws -> Bool {
    try changes.allSatisfy { column, change in
      let present: Value = try value(column)
      guard column != Inverse.trashedDate else { return (present == .null) == (change.after == .null) }
      return Inverse.part(present, of: column) == change.after
    }
  }

  /// Returns the row with the values before a transaction.
  fileprivate func restoring(_ changes: [String: ValueChange]) throws -> StoreRow {
    var row = self
    for (column, change) in changes {
      row = try row.replacing(column) { Inverse.merge(change.before, of: column, into: $0) }
    }
    return row
  }
}

extension Array {
  fileprivate func element(at index: Int) -> Element? { indices.contains(index) ? self[index] : nil }

  /// Returns the elements for which the condition holds, and the others.
  fileprivate func partitioned(_ condition: (Element) throws -> Bool) rethrows -> ([Element], [Element]) {
    let holds = try map(condition)
    return (
      zip(self, holds).filter(\.1).map(\.0), zip(self, holds).filter { !$0.1 }.map(\.0)
    )
  }
}

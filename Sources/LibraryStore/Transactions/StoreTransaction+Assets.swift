import Foundation

extension StoreTransaction {
  /// Inserts an asset with its resources, whose bytes are in the library or are being added.
  ///
  /// If `client` is not nil, adds the asset to that client's selection.
  public func insert(
    _ asset: AssetRecord, _ detail: AssetDetailRecord, resources: [(record: ResourceRecord, sha256: Data)],
    by client: ClientRecord? = nil
  ) throws -> AssetRecord {
    var asset = asset
    if let burst = asset.burstIdentifier, try frames(ofBurst: burst).isEmpty { asset.setRepresentsBurst(true) }
    asset.id = try db.insert(asset.columns, into: AssetRecord.table)
    recorder?.noteInserted(asset.id)
    var detail = detail
    detail.assetID = asset.id
    try db.insert(detail.columns(), into: AssetDetailRecord.table, key: "asset_id")
    try writeSearch(detail)
    for resource in resources { try insert(resource.record, sha256: resource.sha256, into: asset) }
    if let client { try join([asset.id], toSelectionOf: client) }
    note(.inserted, .asset, id: asset.id, uuid: asset.uuid, isContent: true)
    return asset
  }

  /// Adds a file to an asset.
  public func insert(_ resource: ResourceRecord, sha256: Data, into asset: AssetRecord) throws {
    var resource = resource
    resource.assetID = asset.id
    let id: Int64? = try db.value("SELECT id FROM original WHERE sha256 = ?", sha256)
    guard let id else {
      throw StoreError(.damaged, resource.originalFilename, reason: "the original's bytes are not in the library")
    }
    resource.originalID = id
    if resource.kind == .original, recorder?.hasInserted(asset.id) == false { recorder?.note(.filesAdded) }
    try db.insert(resource.columns, into: ResourceRecord.table)
    if resource.kind == .original { try forgetDeletion(of: sha256) }
    note(.updated, .asset, id: asset.id, uuid: asset.uuid, isContent: true)
  }

  /// Writes the changed columns of an asset. `isContent` says that its picture or movie has
  /// changed.
  public func update(_ asset: AssetRecord, isContent: Bool = false) throws {
    if let before = try self.asset(id: asset.id) { try write([(before, asset)], isContent: isContent) }
  }

  /// Like `update`, for assets that have just been read, each of them once. Equal changes are
  /// written by one statement.
  public func write(_ assets: [(before: AssetRecord, after: AssetRecord)], isContent: Bool = false) throws {
    var changes = ColumnChanges(undoable: Inverse.assetColumns)
    for (before, after) in assets { changes.add(after.id, from: before.columns, to: after.columns) }
    var changed: Set<Int64> = []
    for (columns, ids) in changes.groups where !columns.isEmpty {
      try db.update(columns.map { ($0.name, $0.after) }, of: AssetRecord.table, where: "id", isAmong: ids)
      recorder?.note(ids, columns)
      changed.formUnion(ids)
    }
    try noteAlbums(of: assets.filter { $0.before.visibility != $0.after.visibility }.map(\.after.id))
    for (_, asset) in assets where changed.contains(asset.id) {
      note(.updated, .asset, id: asset.id, uuid: asset.uuid, isContent: isContent)
    }
  }

  public func update(_ detail: AssetDetailRecord, of asset: AssetRecord) throws {
    guard let before = try self.detail(of: asset) else { return }
    var after = detail
    after.assetID = asset.id
    try write([(asset, before, after)])
  }

  /// Like `update`, for details that have just been read, each of them once.
  public func write(
    _ details: [(asset: AssetRecord, before: AssetDetailRecord, after: AssetDetailRecord)]
  ) throws {
    var changes = ColumnChanges(undoable: Inverse.detailColumns)
    var searched = ColumnChanges(undoable: [])
    for (asset, before, after) in details {
      note(.updated, .asset, id: asset.id, uuid: asset.uuid)
      changes.add(after.assetID, from: try before.columns(), to: try after.columns())
      let texts = before.searchColumns(changingTo: after)
      searched.add(after.assetID, from: texts.before, to: texts.after)
    }
    for (columns, ids) in changes.groups {
      try db.update(
        columns.map { ($0.name, $0.after) }, of: AssetDetailRecord.table, where: "asset_id", isAmong: ids)
      recorder?.note(ids, columns)
    }
    for (columns, ids) in searched.groups {
      try db.update(columns.map { ($0.name, $0.after) }, of: "asset_search", where: "rowid", isAmong: ids)
    }
  }

  private func writeSearch(_ detail: AssetDetailRecord) throws {
    let columns = detail.searchColumns
    let marks = columns.map { _ in "?" }.joined(separator: ", ")
    try db.execute(
      BoundSQL(
        sql: "INSERT OR REPLACE INTO asset_search (\(columns.map(\.name).joined(separator: ", "))) VALUES (\(marks))",
        arguments: columns.map(\.value)))
  }

  /// Changes the type of a resource, for example of a video that belongs to a Live Photo.
  public func setType(_ type: Int, of resource: ResourceRecord, in asset: AssetRecord) throws {
    try recorder?.noteFiles(of: asset.id, before: resources(of: asset))
    try db.execute("UPDATE resource SET type = ? WHERE id = ?", type, resource.id)
    note(.updated, .asset, id: asset.id, uuid: asset.uuid, isContent: true)
  }

  /// Deletes an asset whose files another one has taken over.
  public func delete(_ asset: AssetRecord) throws {
    recorder?.note(.filesAdded)
    try noteAlbums(of: [asset.id])
    try noteSelections(with: asset)
    try releaseFormerFiles(where: "asset_id = ?", asset.id)
    try db.execute("DELETE FROM asset WHERE id = ?", asset.id)
    noteGone(asset.uuid)
    note(.deleted, .asset, id: asset.id, uuid: asset.uuid)
  }

  // MARK: The trash

  /// Moves an asset to the trash, unless it is there already.
  public func trash(_ asset: AssetRecord) throws { try trash([asset]) }

  /// Moves assets to the trash, except those that are there already.
  public func trash(_ assets: [AssetRecord]) throws {
    let present = assets.filter { $0.trashedDate == nil }
    guard !present.isEmpty else { return }
    try noteAlbums(of: present.map(\.id))
    try checkTrashClock()
    try setTrashedDate(date, of: present)
    for asset in present { note(.deleted, .asset, id: asset.id, uuid: asset.uuid) }
  }

  /// Restores an asset from the trash, including its places in albums.
  public func restore(_ asset: AssetRecord) throws { try restore([asset]) }

  /// Restores assets from the trash, including their places in albums.
  public func restore(_ assets: [AssetRecord]) throws {
    let trashed = assets.filter { $0.trashedDate != nil }
    guard !trashed.isEmpty else { return }
    try noteAlbums(of: trashed.map(\.id))
    try setTrashedDate(nil, of: trashed)
    for asset in trashed { note(.inserted, .asset, id: asset.id, uuid: asset.uuid, isContent: true) }
  }

  /// Records a change of the albums that contain assets which appear or disappear.
  func noteAlbums(of assets: [Int64]) throws {
    guard !assets.isEmpty else { return }
    for row in try db.rows(
      """
      SELECT id, uuid FROM collection WHERE id IN (SELECT collection_id FROM collection_asset
      WHERE asset_id IN \(BoundSQL.list))
      """, assets.jsonArray)
    {
      note(.updated, .album, id: try row.value("id"), uuid: try row.value("uuid"), isContent: true)
    }
  }

  private func setTrashedDate(_ trashedDate: Date?, of assets: [AssetRecord]) throws {
    try writeTrashedDate(trashedDate, of: assets.filter { $0.burstIdentifier == nil })
    // Each frame that goes or comes may change the frame that represents its burst.
    for frame in assets {
      guard let burst = frame.burstIdentifier else { continue }
      try writeTrashedDate(trashedDate, of: [frame])
      try chooseRepresentative(ofBurst: burst)
    }
  }

  private func writeTrashedDate(_ trashedDate: Date?, of assets: [AssetRecord]) throws {
    let others = Visibility.all.subtracting(.trashed).rawValue
    let trashed: Visibility = trashedDate == nil ? [] : .trashed
    try db.execute(
      """
      UPDATE asset SET trashed_date = ?, visibility = (visibility & \(others)) + ?
      WHERE id IN \(BoundSQL.list)
      """, trashedDate?.timeIntervalSince1970, trashed.rawValue, assets.map(\.id).jsonArray)
    let after = (trashedDate?.timeIntervalSince1970).value
    for (before, assets) in Dictionary(grouping: assets, by: \.trashedDate) {
      let change = ColumnChange(
        name: Inverse.trashedDate, before: (before?.timeIntervalSince1970).value, after: after)
      recorder?.note(assets.map(\.id), [change])
    }
  }

  /// Makes the first frame that is not in the trash represent its burst, unless another such frame
  /// does. For a client with a selection, queries find the representative within the selection
  /// (`SelectedBursts`).
  func chooseRepresentative(ofBurst identifier: String) throws {
    let frames = try frames(ofBurst: identifier)
    guard !frames.contains(where: \.representsBurst), var first = frames.first else { return }
    let formers = try assets(where: "burst_identifier = ? AND represents_burst = 1", identifier)
    try choosingRepresentative {
      for var former in formers {
        former.setRepresentsBurst(false)
        try update(former)
      }
      first.setRepresentsBurst(true)
      try update(first)
    }
  }

  /// Deletes an asset permanently. Files that no other asset has are removed after the transaction.
  public func expunge(_ asset: AssetRecord) throws {
    recorder?.note(.permanentlyDeleted)
    let resources = try resources(of: asset)
    if asset.trashedDate == nil { try noteAlbums(of: [asset.id]) }
    try noteSelections(with: asset)
    try releaseFormerFiles(where: "asset_id = ?", asset.id)
    try db.execute("DELETE FROM asset WHERE id = ?", asset.id)
    for resource in resources {
      if resource.kind == .original { try remember(deleted: resource) }
      release(resource)
    }
    noteGone(asset.uuid)
    note(.deleted, .asset, id: asset.id, uuid: asset.uuid)
  }

  /// Returns the assets that were moved to the trash before a date.
  public func assetsTrashed(before date: Date) throws -> [AssetRecord] {
    try assets(where: "trashed_date IS NOT NULL AND trashed_date < ? ORDER BY trashed_date", date.timeIntervalSince1970)
  }

  // MARK: Reading

  public func asset(uuid: String) throws -> AssetRecord? { try assets(where: "uuid = ?", uuid).first }

  /// Returns those of the assets that exist.
  public func assets(uuids: [String]) throws -> [AssetRecord] {
    guard !uuids.isEmpty else { return [] }
    return try assets(where: "uuid IN \(BoundSQL.list)", JSONArgument.array(uuids))
  }

  /// Returns the assets in these rows. Rows that don't exist are left out.
  public func assets(ids: some Collection<Int64>) throws -> [AssetRecord] {
    guard !ids.isEmpty else { return [] }
    return try assets(where: "id IN \(BoundSQL.list)", ids.jsonArray)
  }

  /// Returns whether all of these assets exist and none is in the trash.
  public func hasAssets(_ ids: [Int64]) throws -> Bool {
    try !db.isTrue(
      """
      SELECT EXISTS (SELECT 1 FROM json_each(?) AS wanted WHERE NOT EXISTS (
        SELECT 1 FROM asset WHERE asset.id = wanted.value AND trashed_date IS NULL))
      """, ids.jsonArray)
  }

  func asset(id: Int64) throws -> AssetRecord? { try assets(where: "id = ?", id).first }

  /// Returns the details of assets, by asset.
  public func details(of assets: [Int64]) throws -> [Int64: AssetDetailRecord] {
    let rows = try db.rows(
      "SELECT * FROM asset_detail WHERE asset_id IN \(BoundSQL.list)", assets.jsonArray)
    return Dictionary(
      try rows.map { row in
        let detail = try AssetDetailRecord(row: row)
        return (detail.assetID, detail)
      }, uniquingKeysWith: { first, _ in first })
  }

  public func detail(of asset: AssetRecord) throws -> AssetDetailRecord? {
    try db.row("SELECT * FROM asset_detail WHERE asset_id = ?", asset.id)
      .map(AssetDetailRecord.init)
  }

  public func resources(of asset: AssetRecord) throws -> [ResourceRecord] {
    return try db.rows(
      ResourceRecord.selection + " WHERE resource.asset_id = ? ORDER BY resource.type", asset.id
    ).map(ResourceRecord.init)
  }

  /// Returns the assets that have any of these bytes as a resource, oldest first.
  public func assets(holdingAnyOf hashes: Set<Data>) throws -> [AssetRecord] {
    var found: [Int64: AssetRecord] = [:]
    for sha256 in hashes {
      let holders = try assets(
        where: """
          id IN (SELECT resource.asset_id FROM resource JOIN original ON original.id = resource.original_id
          WHERE original.sha256 = ?)
          """, sha256)
      for asset in holders { found[asset.id] = asset }
    }
    return found.values.sorted { $0.id < $1.id }
  }

  /// Returns the assets whose files have this content identifier, oldest first. Earlier versions
  /// kept small letters.
  public func assets(contentIdentifier: String) throws -> [AssetRecord] {
    try assets(
      where: "id IN (SELECT asset_id FROM asset_detail WHERE content_identifier IN (?, ?)) ORDER BY id",
      contentIdentifier, contentIdentifier.lowercased())
  }

  /// Returns the assets of one shot, oldest first.
  public func assets(shotKey: String) throws -> [AssetRecord] {
    try assets(where: "id IN (SELECT asset_id FROM asset_detail WHERE shot_key = ?) ORDER BY id", shotKey)
  }

  /// Returns the frames of a burst that are not in the trash, oldest first.
  private func frames(ofBurst identifier: String) throws -> [AssetRecord] {
    try assets(where: "burst_identifier = ? AND trashed_date IS NULL ORDER BY id", identifier)
  }

  private func assets(where clause: String, _ arguments: any Storable...) throws -> [AssetRecord] {
    try db.rows(
      BoundSQL(sql: "SELECT * FROM asset WHERE " + clause, arguments: arguments.map(\.value))
    ).map(AssetRecord.init)
  }

  // MARK: Originals

  /// Throws if bytes that were not copied, because the library had them, are gone.
  func checkOriginals(of placements: [Placement]) throws {
    for staged in placements.map(\.staged) where staged.isAlreadyStored {
      guard try db.isTrue("SELECT EXISTS (SELECT 1 FROM original WHERE sha256 = ?)", staged.sha256)
      else {
        throw StoreError(.staged, staged.path, reason: "it has been deleted since it was found here")
      }
    }
  }

  func noteDamaged(_ sha256: Data) throws {
    try db.execute("UPDATE original SET is_damaged = 1 WHERE sha256 = ?", sha256)
  }

  /// Clears the damage of a file that is intact again, and of its assets, so that the file is read
  /// again. The assets' renditions get a new version: browsers may have kept pictures that were
  /// made before the damage was known.
  func noteWhole(_ sha256: Data) throws {
    try db.execute("UPDATE original SET is_damaged = 0 WHERE sha256 = ?", sha256)
    for var asset in try assets(holdingAnyOf: [sha256]) {
      noteStaleRenditions(of: asset.uuid)
      let wasUnreadable = asset.isUnreadable
      asset.isUnreadable = false
      asset.raiseRenditionVersion()
      try update(asset, isContent: true)
      guard wasUnreadable, var detail = try detail(of: asset) else { continue }
      detail.unreadableReason = nil
      try update(detail, of: asset)
    }
  }

  func insert(originals: [PlacedOriginal]) throws {
    for original in originals {
      // If another process has added the same bytes since they were staged, its file stays, and
      // this one is removed.
      try db.execute(
        "INSERT INTO original (sha256, path, byte_count) VALUES (?, ?, ?) ON CONFLICT (sha256) DO NOTHING",
        original.sha256, original.path, original.byteCount)
    }
  }

  /// Returns the hashes of the new files that a row refers to. Deletes the row of an original
  /// without a resource.
  func named(_ originals: [PlacedOriginal]) throws -> Set<Data> {
    var named: Set<Data> = []
    for original in originals {
      try db.execute(
        """
        DELETE FROM original WHERE sha256 = ?
        AND NOT EXISTS (SELECT 1 FROM resource WHERE resource.original_id = original.id)
        AND NOT EXISTS (SELECT 1 FROM history_original WHERE history_original.original_id = original.id)
        """, original.sha256)
      if try db.isTrue("SELECT EXISTS (SELECT 1 FROM original WHERE path = ?)", original.path) {
        named.insert(original.sha256)
      }
    }
    return named
  }
}

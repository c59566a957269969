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
    try db.insert(resource.columns, into: ResourceRecord.table)
    if resource.kind == .original { try forgetDeletion(of: sha256) }
    note(.updated, .asset, id: asset.id, uuid: asset.uuid, isContent: true)
  }

  /// Writes the changed columns of an asset. `isContent` says that its picture or movie has
  /// changed.
  public func update(_ asset: AssetRecord, isContent: Bool = false) throws {
    guard let before = try self.asset(id: asset.id) else { return }
    let columns = changedColumns(from: before.columns, to: asset.columns)
    guard !columns.isEmpty else { return }
    try db.update(columns, of: AssetRecord.table, where: "id", is: asset.id)
    if asset.isHidden != before.isHidden { try noteAlbums(of: asset) }
    note(.updated, .asset, id: asset.id, uuid: asset.uuid, isContent: isContent)
  }

  public func update(_ detail: AssetDetailRecord, of asset: AssetRecord) throws {
    var detail = detail
    detail.assetID = asset.id
    try db.update(detail.columns(), of: AssetDetailRecord.table, where: "asset_id", is: asset.id)
    try writeSearch(detail)
    note(.updated, .asset, id: asset.id, uuid: asset.uuid)
  }

  private func writeSearch(_ detail: AssetDetailRecord) throws {
    let columns = detail.searchColumns
    let marks = columns.map { _ in "?" }.joined(separator: ", ")
    try db.execute(
      BoundSQL(
        sql: "INSERT OR REPLACE INTO asset_search (\(columns.map(\.name).joined(separator: ", "))) VALUES (\(marks))",
        arguments: columns.map(\.value.value)))
  }

  /// Changes the type of a resource, for example of a video that belongs to a Live Photo.
  public func setType(_ type: Int, of resource: ResourceRecord, in asset: AssetRecord) throws {
    try db.execute("UPDATE resource SET type = ? WHERE id = ?", type, resource.id)
    note(.updated, .asset, id: asset.id, uuid: asset.uuid, isContent: true)
  }

  /// Deletes an asset whose files another one has taken over.
  public func delete(_ asset: AssetRecord) throws {
    try noteAlbums(of: asset)
    try noteSelections(with: asset)
    try db.execute("DELETE FROM asset WHERE id = ?", asset.id)
    noteGone(asset.uuid)
    note(.deleted, .asset, id: asset.id, uuid: asset.uuid)
  }

  // MARK: The trash

  /// Moves an asset to the trash, unless it is there already.
  public func trash(_ asset: AssetRecord) throws {
    guard asset.trashedDate == nil else { return }
    try noteAlbums(of: asset)
    try checkTrashClock()
    try setTrashedDate(date, asset)
    note(.deleted, .asset, id: asset.id, uuid: asset.uuid)
  }

  /// Restores an asset from the trash, including its places in albums.
  public func restore(_ asset: AssetRecord) throws {
    guard asset.trashedDate != nil else { return }
    try noteAlbums(of: asset)
    try setTrashedDate(nil, asset)
    note(.inserted, .asset, id: asset.id, uuid: asset.uuid, isContent: true)
  }

  /// Records a change of the albums that contain an asset which appears or disappears.
  private func noteAlbums(of asset: AssetRecord) throws {
    for row in try db.rows(
      "SELECT id, uuid FROM collection WHERE id IN (SELECT collection_id FROM collection_asset WHERE asset_id = ?)",
      asset.id)
    {
      note(.updated, .album, id: try row.value("id"), uuid: try row.value("uuid"), isContent: true)
    }
  }

  private func setTrashedDate(_ trashedDate: Date?, _ asset: AssetRecord) throws {
    let others = Visibility.all.subtracting(.trashed).rawValue
    let trashed: Visibility = trashedDate == nil ? [] : .trashed
    try db.execute(
      "UPDATE asset SET trashed_date = ?, visibility = (visibility & \(others)) + ? WHERE id = ?",
      trashedDate?.timeIntervalSince1970, trashed.rawValue, asset.id)
    if let burst = asset.burstIdentifier { try chooseRepresentative(ofBurst: burst) }
  }

  /// Makes the first frame that is not in the trash represent its burst, unless another such frame
  /// does. For a client with a selection, queries find the representative within the selection
  /// (`SelectedBursts`).
  private func chooseRepresentative(ofBurst identifier: String) throws {
    let frames = try frames(ofBurst: identifier)
    guard !frames.contains(where: \.representsBurst), var first = frames.first else { return }
    for var former in try assets(where: "burst_identifier = ? AND represents_burst = 1", identifier) {
      former.setRepresentsBurst(false)
      try update(former)
    }
    first.setRepresentsBurst(true)
    try update(first)
  }

  /// Deletes an asset permanently. Files that no other asset has are removed after the transaction.
  public func expunge(_ asset: AssetRecord) throws {
    let resources = try resources(of: asset)
    if asset.trashedDate == nil { try noteAlbums(of: asset) }
    try noteSelections(with: asset)
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

  /// Returns whether an asset exists and is not in the trash.
  public func hasAsset(_ id: Int64) throws -> Bool {
    try db.isTrue("SELECT EXISTS (SELECT 1 FROM asset WHERE id = ? AND trashed_date IS NULL)", id)
  }

  func asset(id: Int64) throws -> AssetRecord? { try assets(where: "id = ?", id).first }

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

  /// Returns the assets whose files have this content identifier, oldest first.
  public func assets(contentIdentifier: String) throws -> [AssetRecord] {
    try assets(
      where: "id IN (SELECT asset_id FROM asset_detail WHERE content_identifier = ?) ORDER BY id",
      contentIdentifier)
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
        """, original.sha256)
      if try db.isTrue("SELECT EXISTS (SELECT 1 FROM original WHERE path = ?)", original.path) {
        named.insert(original.sha256)
      }
    }
    return named
  }
}

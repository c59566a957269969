import Foundation

extension StoreTransaction {
  // MARK: Albums and folders

  /// Inserts an album or a folder at the end of its parent, by default the root folder.
  public func insert(
    _ kind: CollectionKind, uuid: String, title: String, in parent: CollectionRecord? = nil
  ) throws -> CollectionRecord {
    let parent = try parent ?? root()
    let subtype = kind == .folder ? CollectionRecord.folderSubtype : CollectionRecord.albumSubtype
    var record = CollectionRecord(
      uuid: uuid, kind: kind, subtype: subtype, title: title, date: date.timeIntervalSince1970)
    record.parentID = parent.id
    record.rank = try (lastRank(in: parent.id) ?? -1) + 1
    record.id = try db.insert(record.columns, into: CollectionRecord.table)
    recorder?.noteCollection(record.id, from: nil, to: record)
    note(.inserted, HistoryObjectType(kind), id: record.id, uuid: uuid, isContent: true)
    try touch(parent, isContent: true)
    return record
  }

  /// Writes a collection's title and key asset.
  public func update(_ collection: CollectionRecord) throws {
    guard let before = try self.collection(id: collection.id) else { return }
    var after = collection
    after.modificationDate = date
    try db.update(
      changedColumns(from: before.columns, to: after.columns), of: CollectionRecord.table, where: "id",
      isAmong: [collection.id])
    recorder?.noteCollection(collection.id, from: before, to: after)
    note(.updated, HistoryObjectType(collection.kind), id: collection.id, uuid: collection.uuid)
  }

  /// Deletes an album, or a folder with all that is in it. The assets stay.
  public func delete(_ collection: CollectionRecord) throws {
    for descendant in try descendants(of: collection) {
      if let recorder {
        recorder.noteCollection(descendant.id, from: descendant, to: nil)
        try AlbumOrder(db: db, album: descendant.id, recorder: recorder).noteRemoval()
      }
      note(.deleted, HistoryObjectType(descendant.kind), id: descendant.id, uuid: descendant.uuid)
    }
    try db.execute("DELETE FROM collection WHERE id = ?", collection.id)
    if let parentID = collection.parentID, let parent = try self.collection(id: parentID) {
      try touch(parent, isContent: true)
    }
  }

  /// Makes these the children of a folder, in this order. A child of another parent is moved. A
  /// former child that is not among them is moved to the end of the root folder.
  public func setChildren(_ children: [CollectionRecord], of folder: CollectionRecord) throws {
    let former = try self.children(of: folder)
    let kept = Set(children.map(\.id))
    for child in children where try isAncestor(child, of: folder) {
      throw StoreError(
        .badQuery, child.title, reason: "a folder can't be moved into itself or into one of its subfolders")
    }
    for (rank, child) in children.enumerated() where child.parentID != folder.id || child.rank != rank {
      if let parentID = child.parentID, parentID != folder.id, let parent = try collection(id: parentID) {
        try touch(parent, isContent: true)
      }
      try place(child, in: folder.id, rank: rank)
    }
    let removed = former.filter { !kept.contains($0.id) }
    if !removed.isEmpty {
      let root = try root()
      guard root.id != folder.id else {
        throw StoreError(
          .badQuery, removed[0].title, reason: "a collection at the top level can't be removed from it; delete it")
      }
      for child in removed { try place(child, in: root.id, rank: (lastRank(in: root.id) ?? -1) + 1) }
      try touch(root, isContent: true)
    }
    try touch(folder, isContent: true)
  }

  private func place(_ child: CollectionRecord, in parent: Int64, rank: Int) throws {
    try db.execute("UPDATE collection SET parent_id = ?, rank = ? WHERE id = ?", parent, rank, child.id)
    var placed = child
    placed.parentID = parent
    placed.rank = rank
    recorder?.noteCollection(child.id, from: child, to: placed)
    if child.parentID != parent {
      note(.updated, HistoryObjectType(child.kind), id: child.id, uuid: child.uuid)
    }
  }

  func touch(_ collection: CollectionRecord, isContent: Bool) throws {
    try db.execute(
      "UPDATE collection SET modification_date = ? WHERE id = ?", date.timeIntervalSince1970, collection.id)
    note(.updated, HistoryObjectType(collection.kind), id: collection.id, uuid: collection.uuid, isContent: isContent)
  }

  // MARK: An album's assets

  /// Appends assets to an album; those that are in it already stay in place.
  public func append(_ assets: [Int64], to album: CollectionRecord) throws {
    let order = order(of: album)
    let present = try order.ranks(of: assets)
    let new = unique(assets).filter { present[$0] == nil }
    guard !new.isEmpty else { return }
    try order.append(new)
    try touch(album, isContent: true)
  }

  /// Puts assets, whether in the album or not, after the first of `anchors` that is in it; at the
  /// beginning if none is.
  public func place(_ assets: [Int64], in album: CollectionRecord, afterFirstOf anchors: some Sequence<Int64>) throws {
    let order = order(of: album)
    let assets = unique(assets)
    guard !assets.isEmpty else { return }
    _ = try order.remove(assets)
    try order.insert(assets, after: anchors.first { try order.contains($0) })
    try touch(album, isContent: true)
  }

  /// Puts an asset into every album of another one, after it. In albums that have both, it stays in
  /// its place.
  public func addToAlbums(of other: AssetRecord, _ asset: AssetRecord) throws {
    let albums = try collections(
      where: "id IN (SELECT collection_id FROM collection_asset WHERE asset_id = ?) ORDER BY id", other.id)
    for album in albums {
      guard try !contains(asset.id, in: album) else { continue }
      try place([asset.id], in: album, afterFirstOf: [other.id])
    }
  }

  public func remove(_ assets: [Int64], from album: CollectionRecord) throws {
    if try order(of: album).remove(assets) { try touch(album, isContent: true) }
  }

  public func contains(_ asset: Int64, in album: CollectionRecord) throws -> Bool {
    try order(of: album).contains(asset)
  }

  /// Returns the assets that an album shows, in its order. Deleted and hidden ones have no index.
  public func assetIDs(in album: CollectionRecord) throws -> [Int64] {
    try LibraryStore.ids(FetchQuery(.assetsInAlbum(album.id)), db)
  }

  func order(of album: CollectionRecord) -> AlbumOrder { AlbumOrder(db: db, album: album.id, recorder: recorder) }

  private func unique(_ ids: [Int64]) -> [Int64] {
    var seen: Set<Int64> = []
    return ids.filter { seen.insert($0).inserted }
  }

  // MARK: Reading

  public func root() throws -> CollectionRecord {
    guard let root = try collections(where: CollectionRecord.rootCondition).first else {
      throw StoreError(.damaged, "", reason: "the root folder is missing")
    }
    return root
  }

  public func collection(uuid: String) throws -> CollectionRecord? { try collections(where: "uuid = ?", uuid).first }

  public func collection(id: Int64) throws -> CollectionRecord? { try collections(where: "id = ?", id).first }

  public func children(of folder: CollectionRecord) throws -> [CollectionRecord] {
    try collections(where: "parent_id = ? ORDER BY rank, id", folder.id)
  }

  private func descendants(of collection: CollectionRecord) throws -> [CollectionRecord] {
    try collections(
      where: """
        id IN (WITH RECURSIVE below (id) AS (VALUES (?) UNION
        SELECT collection.id FROM collection JOIN below ON collection.parent_id = below.id) SELECT id FROM below)
        """, collection.id)
  }

  /// Returns whether a collection is the other one, or a folder that contains it.
  func isAncestor(_ ancestor: CollectionRecord, of collection: CollectionRecord) throws -> Bool {
    var next: CollectionRecord? = collection
    // In a damaged library, folders may contain each other.
    var seen: Set<Int64> = []
    while let current = next, seen.insert(current.id).inserted {
      if current.id == ancestor.id { return true }
      next = try current.parentID.flatMap { try self.collection(id: $0) }
    }
    return false
  }

  private func lastRank(in parent: Int64) throws -> Int? {
    try db.row("SELECT MAX(rank) AS rank FROM collection WHERE parent_id = ?", parent)
      .flatMap { try $0.value("rank") as Int? == nil ? nil : $0.number("rank", in: 0...Int(Int32.max)) }
  }

  private func collections(where clause: String, _ arguments: any Storable...) throws -> [CollectionRecord] {
    let sql = "SELECT *, NULL AS asset_count FROM collection WHERE " + clause
    return try db.rows(BoundSQL(sql: sql, arguments: arguments.map(\.value))).map(CollectionRecord.init)
  }
}

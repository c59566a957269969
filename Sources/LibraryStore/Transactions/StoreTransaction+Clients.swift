import Foundation

extension StoreTransaction {
  public func client(identifier: String) throws -> ClientRecord? {
    try db.row("SELECT * FROM client WHERE identifier = ?", identifier)
      .map(ClientRecord.init)
  }

  /// Writes a client's access, and inserts the client if it is new.
  public func save(_ client: ClientRecord) throws -> ClientRecord {
    var client = client
    if let known = try self.client(identifier: client.identifier) {
      client.id = known.id
      let columns = changedColumns(from: known.columns, to: client.columns)
      guard !columns.isEmpty else { return client }
      try db.update(columns, of: ClientRecord.table, where: "id", isAmong: [client.id])
    } else {
      client.id = try db.insert(client.columns, into: ClientRecord.table)
    }
    noteAccess(client)
    return client
  }

  public func forget(_ client: ClientRecord) throws {
    try db.execute("DELETE FROM client WHERE id = ?", client.id)
    try removeRequests(of: client)
    noteAccess(client)
  }

  /// Adds assets to the selection of a client with limited access.
  public func select(_ assets: [Int64], for client: ClientRecord) throws {
    try join(assets, toSelectionOf: client)
    noteAccess(client)
  }

  /// Like `select`, for assets that the same transaction inserts: the history records them as new
  /// anyway.
  func join(_ assets: [Int64], toSelectionOf client: ClientRecord) throws {
    for asset in assets {
      try db.execute("INSERT OR IGNORE INTO client_asset (client_id, asset_id) VALUES (?, ?)", client.id, asset)
    }
  }

  public func deselect(_ assets: [Int64], for client: ClientRecord) throws {
    for asset in assets {
      try db.execute("DELETE FROM client_asset WHERE client_id = ? AND asset_id = ?", client.id, asset)
    }
    noteAccess(client)
  }

  static func isSelected(_ asset: Int64, for client: ClientRecord, _ db: any Session) throws -> Bool {
    try db.isTrue("SELECT EXISTS (SELECT 1 FROM client_asset WHERE client_id = ? AND asset_id = ?)", client.id, asset)
  }

  /// Returns those of the assets that a client with limited access sees.
  public func selected(among assets: some Collection<Int64>, for client: ClientRecord) throws -> Set<Int64> {
    try LibraryStore.selected(among: assets, for: client, db)
  }

  /// Returns those of the assets that are hidden, in Recently Deleted too.
  public func hidden(among assets: some Collection<Int64>) throws -> Set<Int64> {
    try LibraryStore.hidden(among: assets, db)
  }

  /// Returns the assets that a client with limited access sees.
  public func selection(of client: ClientRecord) throws -> [Int64] {
    try db.values("SELECT asset_id FROM client_asset WHERE client_id = ? ORDER BY asset_id", client.id)
  }

  /// Records a change of each selection that contains an asset, before the asset's row is deleted:
  /// afterward these selections are unknown.
  func noteSelections(with asset: AssetRecord) throws {
    for client in try db.rows(
      "SELECT * FROM client WHERE id IN (SELECT client_id FROM client_asset WHERE asset_id = ?)",
      asset.id
    ).map(ClientRecord.init) { noteAccess(client) }
  }

  /// Adds a transaction to the histories of the clients that it concerns: those whose access or
  /// selection it changes, those that see an asset that it changes, and the one that made it.
  func recordForClients(transaction: Int64, _ changed: some Collection<HistoryKey>) throws {
    let assets = changed.filter { $0.type == .asset }.map(\.id)
    let clients = changed.filter { $0.type == .client }.map(\.id)
    try db.execute(
      Self.addPositions, transaction, assets.jsonArray, clients.jsonArray, recorder?.author.clientIdentifier)
    try db.execute(Self.countPositions, transaction)
  }

  static let addPositions = """
    INSERT INTO client_position (client_id, position, transaction_id)
    SELECT id, latest_position + 1, ? FROM client WHERE id IN (
      SELECT client_id FROM client_asset WHERE asset_id IN \(BoundSQL.list)
      UNION SELECT value FROM json_each(?)
      UNION SELECT id FROM client WHERE identifier = ?)
    """

  static let countPositions = """
    UPDATE client SET latest_position = latest_position + 1
    WHERE id IN (SELECT client_id FROM client_position WHERE transaction_id = ?)
    """

  private func noteAccess(_ client: ClientRecord) {
    note(.updated, .client, id: client.id, uuid: client.identifier, isContent: true)
  }
}

extension LibraryStore {
  public func client(identifier: String) throws -> ClientRecord? {
    try read { db in
      try db.row("SELECT * FROM client WHERE identifier = ?", identifier).map(ClientRecord.init)
    }
  }

  public func clients() throws -> [ClientRecord] {
    try read { db in try db.rows("SELECT * FROM client ORDER BY identifier").map(ClientRecord.init) }
  }

  /// Returns the assets that a client with limited access sees.
  public func selection(of client: ClientRecord) throws -> [Int64] { try inspect { try $0.selection(of: client) } }

  /// Returns the number of assets that a client with limited access sees. Hidden ones don't count
  /// if `concealsHidden` is true.
  public func selectionCount(of client: ClientRecord, concealsHidden: Bool = false) throws -> Int {
    var statement = BoundSQL("SELECT COUNT(*) FROM client_asset WHERE client_id = ?", client.id)
    if concealsHidden {
      statement.append(" AND asset_id NOT IN (SELECT id FROM asset WHERE is_hidden = 1)")
    }
    return try read { try $0.rows(statement).first?.value(at: 0) ?? 0 }
  }

  /// Returns the UUIDs of the hidden assets in a client's selection.
  public func hiddenSelection(of client: ClientRecord) throws -> [String] {
    try read { db in
      try db.values(
        "SELECT uuid FROM asset WHERE is_hidden = 1 AND id IN (SELECT asset_id FROM client_asset WHERE client_id = ?)",
        client.id)
    }
  }

  /// Returns whether there is a hidden asset in a client's selection.
  public func hasHiddenSelection(_ client: ClientRecord) throws -> Bool {
    try read { db in
      try db.isTrue(
        """
        SELECT EXISTS (SELECT 1 FROM client_asset WHERE client_id = ?
          AND asset_id IN (SELECT id FROM asset WHERE is_hidden = 1))
        """, client.id)
    }
  }

  /// Returns those of the assets that a client with limited access sees.
  static func selected(
    among assets: some Collection<Int64>, for client: ClientRecord, _ db: any Session
  ) throws -> Set<Int64> {
    try Set(
      db.ids(
        "SELECT asset_id FROM client_asset WHERE client_id = ? AND asset_id IN \(BoundSQL.list)",
        client.id, assets.jsonArray))
  }

  /// Returns those of the assets that are hidden, in Recently Deleted too.
  static func hidden(among assets: some Collection<Int64>, _ db: any Session) throws -> Set<Int64> {
    try Set(db.ids("SELECT id FROM asset WHERE id IN \(BoundSQL.list) AND is_hidden = 1", assets.jsonArray))
  }

  public func selected(among assets: [Int64], for client: ClientRecord) throws -> Set<Int64> {
    try inspect { try $0.selected(among: assets, for: client) }
  }

  /// Returns those of the assets that are hidden, in Recently Deleted too.
  public func hidden(among assets: [Int64]) throws -> Set<Int64> { try inspect { try $0.hidden(among: assets) } }

  /// Returns whether one of the assets with these UUIDs is hidden.
  public func hasHidden(among uuids: [String]) throws -> Bool {
    try read {
      try $0.isTrue(
        "SELECT EXISTS (SELECT 1 FROM asset WHERE uuid IN \(BoundSQL.list) AND is_hidden = 1)",
        JSONArgument.array(uuids))
    }
  }
}

/// Conditions in SQL for the bursts that a client with a selection sees.
///
/// The columns of `asset` record which frame represents a burst among all assets. They would reveal
/// the other frames to a client that sees only some of them. For the client the first frame of its
/// selection represents the burst; frames in the trash come last.
struct SelectedBursts {
  /// The row id of the client.
  let client: Int64

  /// The condition that a row of `asset` represents its burst.
  var isRepresentative: String {
    // CROSS JOIN: SQLite begins with the few frames of the burst, not with the whole selection.
    """
    asset.id = (SELECT frame.id FROM asset AS frame CROSS JOIN client_asset ON client_asset.asset_id = frame.id \
    WHERE frame.burst_identifier = asset.burst_identifier AND client_asset.client_id = \(client) \
    ORDER BY frame.trashed_date IS NOT NULL, frame.id LIMIT 1)
    """
  }

  /// The condition for assets that a fetch finds without the other frames of their bursts: assets
  /// without a burst, representatives, and frames that the user picked.
  var isPicked: String {
    """
    (burst_identifier IS NULL OR burst_selection_types & \(~Int(AssetRecord.autoPick)) <> 0 OR \(isRepresentative))
    """
  }
}

extension AssetRecord {
  /// Returns the statement for rows that `init(row:limitedToClient:)` reads.
  static func selection(limitedToClient client: Int64?) -> String {
    guard let client else { return "SELECT * FROM asset" }
    let isRepresentative = SelectedBursts(client: client).isRepresentative
    return """
      SELECT *, (burst_identifier IS NOT NULL AND \(isRepresentative)) AS represents_burst_in_selection FROM asset
      """
  }

  /// Reads an asset as a client with a selection sees it, or as it is if `client` is `nil`.
  init(row: StoreRow, limitedToClient client: Int64?) throws {
    try self.init(row: row)
    if client != nil { setRepresentsBurst(try row.value("represents_burst_in_selection")) }
  }
}

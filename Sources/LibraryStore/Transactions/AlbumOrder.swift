/// The order of an album's assets. Each has a rank, with gaps between ranks for insertions.
///
/// Moving an asset writes only its own row. If a gap is used up, some neighbors get new ranks.
struct AlbumOrder {
  let db: any Session
  let album: Int64
  var recorder: InverseRecorder?

  /// The gap between two ranks that are assigned in sequence.
  private static let step: Int64 = 1 << 20
  /// The number of neighbors that are examined first if a gap is used up, and the gap that each is
  /// to have afterward.
  private static let firstWindow = 64
  private static let wantedRoom: Int64 = 1 << 10

  func contains(_ asset: Int64) throws -> Bool { try rank(of: asset) != nil }

  /// Inserts assets that are not in the album after `anchor`, in their order; `nil` inserts them at
  /// the beginning.
  func insert(_ assets: [Int64], after anchor: Int64?) throws {
    let low = try anchor.flatMap { try rank(of: $0) }
    let following: Int64? = try db.value(
      "SELECT MIN(rank) FROM collection_asset WHERE collection_id = ? AND rank > ?", album, low ?? Int64.min)
    guard let next = try checked(following) else {
      return try write(assets, from: (low ?? 0) + Self.step, room: Self.step)
    }
    guard let low else {
      return try write(assets, from: next - Self.step * Int64(assets.count), room: Self.step)
    }
    let room = (next - low) / Int64(assets.count + 1)
    if room > 0 { return try write(assets, from: low + room, room: room) }
    try spread(assets, after: low)
  }

  func append(_ assets: [Int64]) throws {
    let last = try checked(db.value("SELECT MAX(rank) FROM collection_asset WHERE collection_id = ?", album)) ?? 0
    try write(assets, from: last + Self.step, room: Self.step)
  }

  /// Removes assets from the album. Returns whether any of them was in it.
  func remove(_ assets: [Int64]) throws -> Bool {
    let former = try storedRanks(of: assets)
    guard !former.isEmpty else { return false }
    try db.execute(
      "DELETE FROM collection_asset WHERE collection_id = ? AND asset_id IN \(BoundSQL.list)",
      album, assets.jsonArray)
    for (asset, rank) in former { recorder?.noteMember(asset, of: album, from: rank, to: nil) }
    return true
  }

  /// Records that all assets leave the album, whose row is about to be deleted.
  func noteRemoval() throws {
    let members = "SELECT asset_id, rank FROM collection_asset WHERE collection_id = ?"
    try db.forEachRow(members, album) { row in
      recorder?.noteMember(try row.value(at: 0), of: album, from: try row.value(at: 1), to: nil)
    }
  }

  /// Gives assets their ranks, and puts those into the album that are not in it. `former` are the
  /// ranks that they have. Does nothing for assets that do not exist any more.
  func set(_ ranks: [(asset: Int64, rank: Int64)], from former: [Int64: Int64] = [:]) throws {
    guard !ranks.isEmpty else { return }
    for (_, rank) in ranks { _ = try checked(rank) }
    let written = try db.ids(
      """
      INSERT INTO collection_asset SELECT asset.id, ?, placed.value, visibility
      FROM json_each(?) AS placed JOIN asset ON asset.id = CAST(placed.key AS INTEGER) WHERE true
      ON CONFLICT (asset_id, collection_id) DO UPDATE SET rank = excluded.rank RETURNING asset_id
      """, album, JSONArgument.object(ranks.map { (String($0.asset), $0.rank) }))
    guard let recorder else { return }
    let existing = Set(written)
    for (asset, rank) in ranks where existing.contains(asset) {
      recorder.noteMember(asset, of: album, from: former[asset], to: rank)
    }
  }

  func rank(of asset: Int64) throws -> Int64? { try ranks(of: [asset])[asset] }

  /// Returns the ranks of those of the assets that are in the album.
  func ranks(of assets: [Int64]) throws -> [Int64: Int64] {
    let ranks = try storedRanks(of: assets)
    for rank in ranks.values { _ = try checked(rank) }
    return ranks
  }

  private func storedRanks(of assets: [Int64]) throws -> [Int64: Int64] {
    var ranks: [Int64: Int64] = [:]
    try db.forEachRow(
      """
      SELECT asset_id, rank FROM collection_asset
      WHERE collection_id = ? AND asset_id IN \(BoundSQL.list)
      """, album, assets.jsonArray
    ) { ranks[try $0.value(at: 0)] = try $0.value(at: 1) }
    return ranks
  }

  /// Throws for a rank that only a damaged database contains: computing ranks beside it would
  /// overflow.
  private func checked(_ rank: Int64?) throws -> Int64? {
    guard let rank else { return nil }
    guard Self.ranks.contains(rank) else { throw StoreError.damagedValue(of: "rank") }
    return rank
  }

  static let ranks: ClosedRange<Int64> = -(1 << 61)...1 << 61

  private func write(_ assets: [Int64], from first: Int64, room: Int64) throws {
    try set(assets.enumerated().map { (asset: $1, rank: first + room * Int64($0)) })
  }

  /// Inserts the assets, and assigns new ranks to as many of the following ones as it takes to make
  /// room.
  private func spread(_ assets: [Int64], after low: Int64) throws {
    var window = Self.firstWindow
    while true {
      let following = try db.rows(
        """
        SELECT asset_id, rank FROM collection_asset WHERE collection_id = ? AND rank > ? ORDER BY rank, asset_id LIMIT ?
        """, album, low, window + 1)
      let movable = try following.prefix(window).map {
        (id: try $0.value("asset_id") as Int64, rank: try $0.value("rank") as Int64)
      }
      let count = Int64(assets.count + movable.count + 1)
      let next: Int64? = try following.count > window ? following[window].value("rank") : nil
      let end = try checked(next) ?? low + count * Self.step
      let room = (end - low) / count
      if room >= Self.wantedRoom || following.count <= window {
        try write(assets, from: low + room, room: room)
        let moved = movable.enumerated().map { index, asset in
          (asset: asset.id, rank: low + room * Int64(assets.count + index + 1))
        }
        return try set(
          moved, from: Dictionary(movable.map { ($0.id, $0.rank) }, uniquingKeysWith: { first, _ in first }))
      }
      window *= 2
    }
  }
}

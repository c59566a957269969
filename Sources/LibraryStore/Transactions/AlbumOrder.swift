/// The order of an album's assets. Each has a rank, with gaps between ranks for insertions.
///
/// Moving an asset writes only its own row. If a gap is used up, some neighbors get new ranks.
struct AlbumOrder {
  let db: any Session
  let album: Int64

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

  func remove(_ asset: Int64) throws -> Bool {
    try db.execute("DELETE FROM collection_asset WHERE asset_id = ? AND collection_id = ?", asset, album) > 0
  }

  private func rank(of asset: Int64) throws -> Int64? {
    try checked(
      db.value("SELECT rank FROM collection_asset WHERE asset_id = ? AND collection_id = ?", asset, album))
  }

  /// Throws for a rank that only a damaged database contains: computing ranks beside it would
  /// overflow.
  private func checked(_ rank: Int64?) throws -> Int64? {
    guard let rank else { return nil }
    guard Self.ranks.contains(rank) else { throw StoreError.damagedValue(of: "rank") }
    return rank
  }

  private static let ranks: ClosedRange<Int64> = -(1 << 61)...1 << 61

  private func write(_ assets: [Int64], from first: Int64, room: Int64) throws {
    for (index, asset) in assets.enumerated() {
      try db.execute(
        "INSERT INTO collection_asset SELECT id, ?, ?, visibility FROM asset WHERE id = ?", album,
        first + room * Int64(index), asset)
    }
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
      let movable = try following.prefix(window).map { try $0.value("asset_id") as Int64 }
      let count = Int64(assets.count + movable.count + 1)
      let next: Int64? = try following.count > window ? following[window].value("rank") : nil
      let end = try checked(next) ?? low + count * Self.step
      let room = (end - low) / count
      if room >= Self.wantedRoom || following.count <= window {
        try write(assets, from: low + room, room: room)
        for (index, asset) in movable.enumerated() {
          try db.execute(
            "UPDATE collection_asset SET rank = ? WHERE asset_id = ? AND collection_id = ?",
            low + room * Int64(assets.count + index + 1), asset, album)
        }
        return
      }
      window *= 2
    }
  }
}

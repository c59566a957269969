extension Schema {
  /// Removes the kind of the file from the shot keys of Google's camera. Newer keys don't contain
  /// it, so that `X.RAW-01.COVER.jpg` and `X.RAW-02.ORIGINAL.dng` share a key.
  static func shortenShotKeys(_ db: any Session) throws {
    var keys: [(id: Int64, key: String)] = []
    let long = BoundSQL("SELECT asset_id, shot_key FROM asset_detail WHERE shot_key GLOB '*.raw-[0-9][0-9].*'")
    try db.forEachRow(long) { row in
      let key: String = try row.value("shot_key")
      // The camera's model and the date follow the name.
      let short = key.replacing(/\.raw-\d\d(\.mp)?\.(cover|original)(?=\|[^|]*\|[^|]*$)/, with: "")
      if short != key { keys.append((try row.value("asset_id"), short)) }
    }
    for (id, key) in keys {
      try db.execute("UPDATE asset_detail SET shot_key = ? WHERE asset_id = ?", key, id)
    }
  }
}

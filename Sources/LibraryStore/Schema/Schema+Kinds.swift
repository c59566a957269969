extension Schema {
  /// Adds an index by date for each kind of asset, so that a fetch of panoramas reads no others.
  ///
  /// Its columns are those of `asset_by_creation_date`. An asset of none of these kinds is in
  /// none of these indexes.
  static let kinds = kindConditions.map { name, condition in
    """
    CREATE INDEX asset_\(name) ON asset (creation_date, id, visibility, media_type, media_subtypes, is_favorite,
      pixel_width, pixel_height, duration, traits) WHERE \(condition);
    """
  }.joined(separator: "\n")

  /// The conditions of the indexes. `Condition` and `SmartAlbum` write equal ones into queries.
  private static let kindConditions = [
    ("video", "media_type = 2"),
    ("panorama", "media_subtypes & 1 <> 0"),
    ("hdr", "media_subtypes & 2 <> 0"),
    ("screenshot", "media_subtypes & 4 <> 0"),
    ("live", "media_subtypes & 8 <> 0"),
    ("depth_effect", "media_subtypes & 16 <> 0"),
    ("animation", "media_subtypes & 64 <> 0"),
    ("spatial", "media_subtypes & 1024 <> 0"),
    ("streamed", "media_subtypes & 65536 <> 0"),
    ("high_frame_rate", "media_subtypes & 131072 <> 0"),
    ("timelapse", "media_subtypes & 262144 <> 0"),
    ("screen_recording", "media_subtypes & 524288 <> 0"),
    ("cinematic", "media_subtypes & 2097152 <> 0"),
    ("raw", "traits & 1 <> 0"),
    ("selfie", "traits & 2 <> 0"),
    ("long_exposure", "traits & 4 <> 0"),
    ("damaged", "traits & 32 <> 0"),
  ]
}

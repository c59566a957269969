extension Schema {
  /// Which files `verify` found damaged.
  static let sixth = """
    -- Whether the file was damaged or missing when it was last verified.
    ALTER TABLE original ADD COLUMN is_damaged INTEGER NOT NULL DEFAULT 0 CHECK (is_damaged IN (0, 1));
    """
}

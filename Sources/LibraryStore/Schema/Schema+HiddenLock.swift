extension Schema {
  /// Adds the lock of the hidden assets.
  static let hiddenLock = """
    ALTER TABLE library ADD COLUMN locks_hidden INTEGER NOT NULL DEFAULT 0 CHECK (locks_hidden IN (0, 1));
    """
}

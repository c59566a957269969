/// The lock of the hidden assets: a setting of the library, which is not in its history.
extension LibraryStore {
  /// Returns whether hidden assets are kept from clients, and from the owner's browsers.
  public func locksHidden() throws -> Bool { try read { try $0.isTrue("SELECT locks_hidden FROM library") } }

  public func setLocksHidden(_ locksHidden: Bool) throws {
    _ = try commit { try $0.db.execute("UPDATE library SET locks_hidden = ?", locksHidden) }
  }
}

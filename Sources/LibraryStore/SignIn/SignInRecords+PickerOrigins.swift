import Foundation

/// The web origins that know assets by identifiers of their own, each by its SHA-256.
extension SignInRecords {
  /// Returns the salt of an origin's identifiers; `nil` if the origin was never forgotten.
  public func identifierSalt(ofOrigin hash: Data) throws -> Data? {
    try read { db in try db.value("SELECT salt FROM picker_origin WHERE sha256 = ?", hash) }
  }

  /// Adds an origin that gets identifiers to the list.
  public func addPickerOrigin(_ origin: String, _ hash: Data) throws {
    let isListed = try read { db in
      try db.isTrue(
        "SELECT EXISTS (SELECT 1 FROM picker_origin WHERE sha256 = ? AND origin IS NOT NULL)", hash)
    }
    guard !isListed else { return }
    try write { db in
      _ = try db.execute(
        """
        INSERT INTO picker_origin (sha256, origin) VALUES (?, ?)
        ON CONFLICT (sha256) DO UPDATE SET origin = excluded.origin
        """, hash, origin)
    }
  }

  /// Returns the origins that have identifiers, in alphabetical order.
  public func pickerOrigins() throws -> [String] {
    try read { db in
      try db.rows("SELECT origin FROM picker_origin WHERE origin IS NOT NULL ORDER BY origin").map {
        try $0.value("origin")
      }
    }
  }

  /// Forgets an origin. Its identifiers are made with another salt from now on.
  public func forgetPickerOrigin(_ hash: Data, salt: Data) throws {
    try write { db in
      _ = try db.execute(
        """
        INSERT INTO picker_origin (sha256, salt) VALUES (?, ?)
        ON CONFLICT (sha256) DO UPDATE SET origin = NULL, salt = excluded.salt
        """, hash, salt)
    }
  }
}

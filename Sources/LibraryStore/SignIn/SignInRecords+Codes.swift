import Foundation

extension SignInRecords {
  public enum CodePurpose: Int, Sendable {
    case ownerLink = 1
    case setUp
  }

  /// Adds a secret that can be used once, by its SHA-256, and reads the clock (`SignInClock`).
  ///
  /// A new set-up code replaces the one before. Owner links are valid beside each other.
  public func addCode(_ hash: Data, for purpose: CodePurpose, expiringAt expiration: Date, now: Date) throws {
    try write { db in
      try SignInClock(db: db).read(at: now)
      if purpose == .setUp {
        try db.execute("DELETE FROM single_use_code WHERE purpose = ?", purpose.rawValue)
      }
      try db.execute(
        "INSERT INTO single_use_code (sha256, purpose, creation_date, expiration_date) VALUES (?, ?, ?, ?)", hash,
        purpose.rawValue, now.timeIntervalSince1970, expiration.timeIntervalSince1970)
    }
  }

  /// Uses a secret up. Returns false if there is none, or if it has expired.
  public func useCode(_ hash: Data, for purpose: CodePurpose, now: Date) throws -> Bool {
    // Guesses must not make the library write.
    guard try hasCode(hash, for: purpose, now: now) else { return false }
    return try write { db in
      try db.execute(
        "DELETE FROM single_use_code WHERE sha256 = ? AND purpose = ? AND \(Self.isValid)", hash, purpose.rawValue,
        now.timeIntervalSince1970, Self.latestStart(now)) > 0
    }
  }

  /// Returns whether a secret could be used.
  public func hasCode(_ hash: Data, for purpose: CodePurpose, now: Date) throws -> Bool {
    try read { db in
      try db.isTrue(
        "SELECT EXISTS (SELECT 1 FROM single_use_code WHERE sha256 = ? AND purpose = ? AND \(Self.isValid))",
        hash, purpose.rawValue, now.timeIntervalSince1970, Self.latestStart(now))
    }
  }

  /// Returns whether there is a secret for a purpose that could be used.
  public func hasCode(for purpose: CodePurpose, now: Date) throws -> Bool {
    try read { db in
      try db.isTrue(
        "SELECT EXISTS (SELECT 1 FROM single_use_code WHERE purpose = ? AND \(Self.isValid))",
        purpose.rawValue, now.timeIntervalSince1970, Self.latestStart(now))
    }
  }

  /// The condition of a secret that can be used. Its arguments are the time and the latest start.
  private static let isValid = "expiration_date > ? AND creation_date <= ?"

  /// Returns the latest start of a secret that can be used. A later one was made while the clock
  /// was wrong, and would expire much too late.
  private static func latestStart(_ now: Date) -> Double { (now + clockTolerance).timeIntervalSince1970 }

  /// Returns the key that signs the cookies of known browsers; `nil` if there is none yet. A reset
  /// of the password removes it, and the next sign-in makes another one.
  public func deviceKey() throws -> Data? { try read(Self.deviceKey) }

  private static func deviceKey(_ db: any Session) throws -> Data? { try db.value("SELECT key FROM device_key") }

  /// Returns the key that signs the cookies of known browsers. Stores `newKey` if there is none.
  public func deviceKey(orElse newKey: @autoclosure () -> Data) throws -> Data {
    if let key = try deviceKey() { return key }
    return try write { db in
      // Another process may have been first.
      if let key = try Self.deviceKey(db) { return key }
      let key = newKey()
      try db.execute("INSERT INTO device_key (id, key) VALUES (1, ?)", key)
      return key
    }
  }

  /// The number of failed sign-ins that are kept.
  static let failureLimit = 1000

  /// Records a failed sign-in.
  public func noteFailure(from address: String, at date: Date) throws {
    try write { db in
      let id = try db.insert(
        [("date", date.timeIntervalSince1970.value), ("address", address.value)], into: "sign_in_failure")
      try db.execute("DELETE FROM sign_in_failure WHERE id <= ?", id - Int64(Self.failureLimit))
    }
  }

  /// Returns the failed sign-ins since a date, by address, the latest first.
  public func failures(since date: Date) throws -> [SignInFailures] {
    try read { db in
      try db.rows(
        """
        SELECT address, COUNT(*) AS count, MAX(date) AS date FROM sign_in_failure WHERE date >= ?
        GROUP BY address ORDER BY MAX(date) DESC, address
        """, date.timeIntervalSince1970
      ).map {
        SignInFailures(
          address: try $0.value("address"), count: try $0.value("count"), latestDate: try $0.date("date"))
      }
    }
  }
}

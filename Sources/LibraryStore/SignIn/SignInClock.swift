import Foundation

/// The readings of the clock in a `SignInDatabase`, by which it removes what has expired.
///
/// A computer's clock may start in 1971 or jump ahead by years. At such a time, sessions, codes and
/// tokens may be refused, but nothing is removed: no single reading removes anything, and neither
/// do the readings of the thirty days after a jump.
struct SignInClock {
  let db: any Session

  private static let sessionAge = 90 * ClockInterval.day
  private static let sessionIdleness = 30 * ClockInterval.day
  private static let steadiness = 30 * ClockInterval.day

  /// Reads the clock, and removes what had expired at the previous reading, which is at least a day
  /// old.
  ///
  /// A pause of more than ten days between two readings counts as a jump. It only keeps expired
  /// rows for longer.
  func read(at date: Date) throws {
    let now = date.timeIntervalSince1970
    guard let row = try db.row("SELECT read_date, steady_date FROM clock") else {
      return try record(now, steadySince: now)
    }
    let (last, steady) = (try row.finite("read_date"), try row.finite("steady_date"))
    switch ClockInterval(from: last, to: now) {
    case .short: return
    case .plausible(uncounted: 0):
      if last - steady >= Self.steadiness { try removeExpired(at: last) }
      try record(now, steadySince: steady)
    case .plausible, .implausible: try record(now, steadySince: now)
    }
  }

  private func removeExpired(at last: Double) throws {
    let future = last + ClockInterval.day
    try db.execute(
      "DELETE FROM browser_session WHERE creation_date < ? OR seen_date < ? OR creation_date > ?",
      last - Self.sessionAge, last - Self.sessionIdleness, future)
    try db.execute("DELETE FROM single_use_code WHERE expiration_date <= ? OR creation_date > ?", last, future)
    try db.execute("DELETE FROM client_token WHERE expiration_date <= ?", last)
  }

  private func record(_ now: Double, steadySince steady: Double) throws {
    try db.execute(
      """
      INSERT INTO clock (id, read_date, steady_date) VALUES (1, ?, ?)
      ON CONFLICT (id) DO UPDATE SET read_date = excluded.read_date, steady_date = excluded.steady_date
      """, now, steady)
  }
}

/// The time between two readings of the clock, as far as it counts.
///
/// A computer's clock may start in 1971 or jump ahead by years. That must not expunge a deleted
/// photo or end a session.
enum ClockInterval: Equatable {
  /// Less than a day: the second reading does not count.
  case short
  /// A plausible interval, of which at most ten days count. The other seconds don't: the library
  /// was not opened for a while, or the clock has jumped.
  case plausible(uncounted: Double)
  /// The clock was wrong at one of the readings: the thirty days of the trash begin again.
  case implausible

  /// Compares two readings; `last` is `nil` if the clock was never read.
  init(from last: Double?, to now: Double) {
    guard let last, now - last >= -Self.day, now - last <= Self.longestPlausible else {
      self = .implausible
      return
    }
    self = now - last < Self.day ? .short : .plausible(uncounted: max(0, now - last - Self.longest))
  }

  static let day = 86_400.0
  /// The seconds of one interval that count at most.
  static let longest = 10 * day
  /// The seconds of the longest interval that is plausible.
  static let longestPlausible = 366 * day
}

import Essentials

/// A date and a time on a wall clock, without a zone.
package struct CivilTime: Hashable {
  package var year, month, day, hour, minute, second: Int
  package var fraction = 0.0

  /// Returns nil if the calendar has no such time (a month 13, a February 30, an hour 24), or for a
  /// year outside 1800 to 2200.
  init?(_ year: Int, _ month: Int, _ day: Int, _ hour: Int, _ minute: Int, _ second: Int, fraction: Double = 0) {
    guard (1800...2200).contains(year), (1...12).contains(month), day >= 1, day <= Self.days(inMonth: month, of: year),
      (0...23).contains(hour), (0...59).contains(minute), (0...60).contains(second)
    else { return nil }
    (self.year, self.month, self.day) = (year, month, day)
    (self.hour, self.minute, self.second) = (hour, minute, second)
    self.fraction = fraction
  }

  /// The seconds from 1970 to the instant when a clock on UTC shows this time.
  package var secondsOnUTC: Double {
    let days = CivilDay(year: year, month: month, day: day).daysSince1970
    return Double(days * 86_400 + hour * 3600 + minute * 60 + second) + fraction
  }

  /// The same time on the day after.
  var nextDay: CivilTime { CivilTime(clampingSecondsOnUTC: secondsOnUTC + 86_400) }

  private static func days(inMonth month: Int, of year: Int) -> Int {
    let isLeap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
    return month == 2 ? (isLeap ? 29 : 28) : [4, 6, 9, 11].contains(month) ? 30 : 31
  }
}

extension CivilTime {
  /// Creates the time that a clock on UTC shows `seconds` after the beginning of 1970; nil for a
  /// year outside 1800 to 2200.
  init?(secondsOnUTC seconds: Int) {
    let time = Self(wholeSecondsOnUTC: seconds, fraction: 0)
    self.init(time.year, time.month, time.day, time.hour, time.minute, time.second)
  }

  /// Creates the time for any number of seconds, clamped to the years 0 to 9999.
  package init(clampingSecondsOnUTC seconds: Double) {
    let clamped = seconds.isNaN ? 0 : min(max(seconds, Self.earliest), Self.latest)
    let whole = Int(clamped.rounded(.down))
    self.init(wholeSecondsOnUTC: whole, fraction: clamped - Double(whole))
  }

  private static let earliest = -62_167_219_200.0
  private static let latest = 253_402_300_799.0

  private init(wholeSecondsOnUTC seconds: Int, fraction: Double) {
    let (days, clock) = seconds.dividedByFloor(86_400)
    let date = CivilDay(daysSince1970: days)
    (year, month, day) = (date.year, date.month, date.day)
    (hour, minute, second) = (clock / 3600, clock / 60 % 60, clock % 60)
    self.fraction = fraction
  }
}

extension CivilTime {
  /// The fraction in milliseconds, rounded; at most 999.
  var milliseconds: Int { min(Int((fraction * 1000).rounded()), 999) }
}

extension CaptureDate {
  /// The local time at the place, to the millisecond. Foundation's formatters accept no offset of
  /// more than 14 hours. Clocks in Alaska and the Philippines were 15 and 16 hours off until the
  /// 1840s and 1860s.
  var localTime: CivilTime {
    let milliseconds = (date.timeIntervalSince1970 * 1000).rounded()
    return CivilTime(clampingSecondsOnUTC: milliseconds / 1000 + Double(offset))
  }

  /// The offset in EXIF's form, `+03:00`, without seconds.
  public var exifOffset: String {
    let minutes = offset.magnitude / 60
    return String(format: "%@%02d:%02d", offset < 0 ? "-" : "+", Int(minutes / 60 % 100), Int(minutes % 60))
  }
}

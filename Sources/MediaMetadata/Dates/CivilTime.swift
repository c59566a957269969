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
  var secondsOnUTC: Double {
    // Howard Hinnant's "days from civil". Its years begin in March, and thus a leap day is the last
    // day of a year.
    let shiftedYear = month <= 2 ? year - 1 : year
    let era = shiftedYear / 400
    let yearOfEra = shiftedYear - era * 400
    let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
    let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
    let days = era * 146_097 + dayOfEra - 719_468
    return Double(days * 86_400 + hour * 3600 + minute * 60 + second) + fraction
  }

  private static func days(inMonth month: Int, of year: Int) -> Int {
    let isLeap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
    return month == 2 ? (isLeap ? 29 : 28) : [4, 6, 9, 11].contains(month) ? 30 : 31
  }
}

/// The result of parsing a date's text.
enum DateText: Hashable {
  /// `offset` is in seconds east of UTC; nil if the text contains none.
  case time(CivilTime, offset: Int?)
  /// Only blanks, or the zeros that cameras with an unset clock write.
  case empty
  case unreadable

  /// Parses EXIF's `2020:04:17 10:03:42`, ISO 8601 and mixtures of both. A date without a time is
  /// at noon.
  init(_ text: String) {
    var scanner = DigitScanner(text)
    guard text.utf8.contains(where: { (0x31...0x39).contains($0) }) else {
      self = .empty
      return
    }
    self = Self.parse(&scanner) ?? .unreadable
  }

  private static func parse(_ scanner: inout DigitScanner) -> DateText? {
    scanner.skipBlanks()
    guard let year = scanner.number(digits: 4...4), scanner.skip(anyOf: ":-/."),
      let month = scanner.number(digits: 1...2), scanner.skip(anyOf: ":-/."), let day = scanner.number(digits: 1...2)
    else { return nil }
    if year == 0, month == 0, day == 0 { return .empty }
    _ = scanner.skip(anyOf: "T")
    scanner.skipBlanks()
    if scanner.isAtEnd { return CivilTime(year, month, day, 12, 0, 0).map { .time($0, offset: nil) } }
    guard let hour = scanner.number(digits: 1...2), scanner.skip(anyOf: ":"), let minute = scanner.number(digits: 1...2)
    else { return nil }
    var second = 0
    var fraction = 0.0
    if scanner.skip(anyOf: ":") {
      guard let value = scanner.number(digits: 1...2) else { return nil }
      second = value
      if scanner.skip(anyOf: ".,") { fraction = scanner.fraction() }
    }
    scanner.skipBlanks()
    let offset = scanner.offset()
    return CivilTime(year, month, day, hour, minute, second, fraction: fraction).map { .time($0, offset: offset) }
  }

  /// Parses EXIF's `+09:00`, XMP's `Z` and QuickTime's `-0700`. Returns seconds; nil for anything
  /// else, or if it is over 16 hours. Zones today reach 14 hours, but Manila was 15:56 behind UTC
  /// until 1844.
  static func offset(_ text: String) -> Int? {
    var scanner = DigitScanner(text)
    scanner.skipBlanks()
    return scanner.offset()
  }

  /// Parses EXIF's sub-seconds: `93` means 0.93 s.
  static func fraction(_ text: String) -> Double {
    var scanner = DigitScanner(text)
    scanner.skipBlanks()
    return scanner.fraction()
  }
}

/// Reads numbers from the front of a short text.
private struct DigitScanner {
  private var bytes: ArraySlice<UInt8>

  init(_ text: String) { bytes = ArraySlice(text.utf8.prefix(64)) }

  var isAtEnd: Bool { bytes.isEmpty }

  mutating func skipBlanks() { bytes = bytes.drop { $0 <= 32 } }

  mutating func skip(anyOf characters: String) -> Bool {
    guard let first = bytes.first, characters.utf8.contains(first) else { return false }
    bytes.removeFirst()
    return true
  }

  mutating func number(digits: ClosedRange<Int>) -> Int? {
    let found = bytes.prefix { (0x30...0x39).contains($0) }.prefix(digits.upperBound)
    guard found.count >= digits.lowerBound else { return nil }
    bytes = bytes.dropFirst(found.count)
    return found.reduce(0) { $0 * 10 + Int($1 - 0x30) }
  }

  mutating func fraction() -> Double {
    let found = bytes.prefix { (0x30...0x39).contains($0) }
    bytes = bytes.dropFirst(found.count)
    var scale = 1.0
    var value = 0
    for digit in found.prefix(9) {
      value = value * 10 + Int(digit - 0x30)
      scale *= 10
    }
    return Double(value) / scale
  }

  mutating func offset() -> Int? {
    if skip(anyOf: "Zz") { return 0 }
    guard let sign = bytes.first, sign == 0x2B || sign == 0x2D else { return nil }
    bytes.removeFirst()
    guard let hours = number(digits: 1...2) else { return nil }
    _ = skip(anyOf: ":")
    let minutes = number(digits: 2...2) ?? 0
    let seconds = skip(anyOf: ":") ? number(digits: 2...2) ?? 0 : 0
    let offset = hours * 3600 + minutes * 60 + seconds
    guard minutes < 60, seconds < 60, offset <= 16 * 3600 else { return nil }
    return sign == 0x2D ? -offset : offset
  }
}

extension CivilTime {
  /// Creates the time that a clock on UTC shows `seconds` after the beginning of 1970; nil for a
  /// year outside 1800 to 2200.
  init?(secondsOnUTC seconds: Int) {
    let time = Self(daysSince1970: seconds.floorDivided(by: 86_400), secondOfDay: seconds.modulo(86_400), fraction: 0)
    self.init(time.year, time.month, time.day, time.hour, time.minute, time.second)
  }

  /// Creates the time for any number of seconds, clamped to the years 0 to 9999.
  package init(clampingSecondsOnUTC seconds: Double) {
    let clamped = seconds.isNaN ? 0 : min(max(seconds, Self.earliest), Self.latest)
    let whole = Int(clamped.rounded(.down))
    self.init(
      daysSince1970: whole.floorDivided(by: 86_400), secondOfDay: whole.modulo(86_400),
      fraction: clamped - Double(whole))
  }

  private static let earliest = -62_167_219_200.0
  private static let latest = 253_402_300_799.0

  /// Howard Hinnant's "civil from days".
  private init(daysSince1970 days: Int, secondOfDay clock: Int, fraction: Double) {
    let shifted = days + 719_468
    let era = shifted.floorDivided(by: 146_097)
    let dayOfEra = shifted.modulo(146_097)
    let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let shiftedMonth = (5 * dayOfYear + 2) / 153
    month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9
    year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
    day = dayOfYear - (153 * shiftedMonth + 2) / 5 + 1
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

extension Int {
  fileprivate func floorDivided(by divisor: Int) -> Int { (self - modulo(divisor)) / divisor }
  /// Returns the remainder, which is never negative.
  fileprivate func modulo(_ divisor: Int) -> Int { (self % divisor + divisor) % divisor }
}

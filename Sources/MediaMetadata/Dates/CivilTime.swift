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
  var secondsOnUTC: Double {
    let days = CivilDay(year: year, month: month, day: day).daysSince1970
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

/// The result of parsing a date's text.
enum DateText: Hashable {
  case date(Parts)
  /// Only blanks, or the zeros that cameras with an unset clock write.
  case empty
  case unreadable

  /// The parts of a date that the text has. Unknown parts are filled in: January, the 1st, 12:00.
  struct Parts: Hashable {
    var time: CivilTime
    var precision = CaptureDate.Precision.time
    /// Seconds east of UTC; nil if the text contains none.
    var offset: Int?
    /// The text says that the time is in UTC, which is no place's zone.
    var isUTC = false
    /// The text after the day is not a time: `25:00:00`, `noon`.
    var hasUnreadableTime = false
    /// The text has a month 13, or a February 30. The parts before it are kept.
    var hasImpossiblePart = false
    /// The text counts its year by the Buddhist calendar. `time` doesn't.
    var isBuddhist = false
  }

  /// The words of Chinese, Japanese and Korean for the halves of a day: true for the afternoon.
  static let halvesOfDay = [
    "上午": false, "下午": true, "午前": false, "午後": true, "오전": false, "오후": true,
  ]

  /// Parses EXIF's `2020:04:17 10:03:42`, ISO 8601 and mixtures of both, in the forms that programs
  /// and cameras write:
  ///
  /// - The day, or month and day, may be missing, zero, blank or marked as unknown: `1985-06`,
  ///   `1985:06:00 00:00:00`, `1993:  :     :  :  `, `1993:??:??`. So may the time.
  /// - Numbers may have blanks before or after them (`2020: 4: 7`, `4 :7 `), or no separators
  ///   (`20200407`).
  /// - If the time can't be read, the day is kept. If the calendar has no such day or month, the
  ///   year or the month is kept.
  /// - The hour 24 is midnight: at the end of the day in ISO 8601, and at its beginning for cameras
  ///   that count from 1 to 24.
  /// - The year 2567 is 2024: phones that are set to the Buddhist calendar write it. Years of other
  ///   calendars are ambiguous and not read.
  /// - The hour may be one of twelve, with AM or PM, or with a word before or after the time.
  init(_ text: String) {
    guard text.utf8.contains(where: { (0x31...0x39).contains($0) }) else {
      self = .empty
      return
    }
    var scanner = DateScanner(text)
    self = scanner.date() ?? .unreadable
    if case .date(var parts) = self, scanner.isBuddhist {
      parts.isBuddhist = true
      self = .date(parts)
    }
  }

  /// Parses EXIF's `+09:00`, XMP's `Z` and QuickTime's `-0700`. Returns seconds; nil for anything
  /// else, or if it is over 16 hours. Zones today reach 14 hours, but Manila was 15:56 behind UTC
  /// until 1844.
  static func offset(_ text: String) -> Int? {
    var scanner = DateScanner(text)
    scanner.skipBlanks()
    return scanner.offset()
  }

  /// Whether an unreadable date may begin with a year of another calendar: 6 or 36 of a Japanese
  /// era, 113 of the Republic of China, 1403 of Iran, 5784 of the Jewish calendar.
  static func mayBeOfOtherCalendar(_ text: String) -> Bool {
    let digits = text.prefix { $0.isASCII && $0.isWholeNumber }
    guard digits.count <= 4, let year = Int(digits), let separator = text.dropFirst(digits.count).first,
      ":-/.".contains(separator)
    else { return false }
    // One or two digits may also be an hour, a day or a month. A month, a day and a time follow a
    // short year.
    let words = text.split(separator: " ")
    let numbers = words.first?.split(separator: separator) ?? []
    let isShortYear = numbers.count == 3 && numbers[2].count <= 2 && words.dropFirst().first?.contains(":") == true
    return (1..<1800).contains(year) && (digits.count > 2 || isShortYear) || (5600..<5900).contains(year)
  }

  /// Parses EXIF's sub-seconds: `93` means 0.93 s.
  static func fraction(_ text: String) -> Double {
    var scanner = DateScanner(text)
    scanner.skipBlanks()
    return scanner.fraction()
  }
}

/// Reads a date from the front of a short text.
private struct DateScanner {
  /// A part of a date: a year, a month, an hour.
  enum Part {
    case value(Int)
    /// Blanks, a zero, a placeholder, or the end of the text.
    case unknown
  }

  private var bytes: ArraySlice<UInt8>
  /// True if the date's year was converted.
  private(set) var isBuddhist = false
  /// The Buddhist years 1900 to 2200.
  private static let buddhistYears = 2443...2743

  init(_ text: String) { bytes = ArraySlice(text.utf8.prefix(64)) }

  /// Returns nil for anything that is not a date.
  mutating func date() -> DateText? {
    skipBlanks()
    guard var year = number(digits: 4...4) else { return nil }
    isBuddhist = Self.buddhistYears.contains(year)
    if isBuddhist { year -= 543 }
    let isPacked = startsWithDigit
    var month: Int?
    for _ in 0..<2 {
      guard let part = isPacked ? packedPart() : datePart() else { return nil }
      guard case .value(let value) = part else { return partialDate(year, month) }
      // A packed number with an impossible part is rather no date.
      guard let known = month else {
        if value > 12, !isPacked { return partialDate(year, nil, hasImpossiblePart: true) }
        month = value
        continue
      }
      guard let day = CivilTime(year, known, value, 12, 0, 0) else {
        return isPacked ? nil : partialDate(year, known, hasImpossiblePart: true)
      }
      return .date(time(on: day) ?? DateText.Parts(time: day, precision: .day, hasUnreadableTime: true))
    }
    return nil
  }

  private func partialDate(_ year: Int, _ month: Int?, hasImpossiblePart: Bool = false) -> DateText? {
    if year == 0, month == nil, !hasImpossiblePart { return .empty }
    return CivilTime(year, month ?? 1, 1, 12, 0, 0).map {
      .date(DateText.Parts(time: $0, precision: month == nil ? .year : .month, hasImpossiblePart: hasImpossiblePart))
    }
  }

  /// Reads the time after a day. Returns the day alone if no time follows, nil if the text is not a
  /// time.
  private mutating func time(on day: CivilTime) -> DateText.Parts? {
    var parts = DateText.Parts(time: day, precision: .day)
    if first.map({ "Zz+".utf8.contains($0) }) == true {
      readZone(into: &parts)
      return parts
    }
    // ISO 8601 separates the time by a letter.
    let isISO = skip(anyOf: "Tt")
    var isAfternoon = halfOfDay()
    if !isISO, isAfternoon == nil {
      skipSeparator(":._,")
      isAfternoon = halfOfDay()
    }
    guard let hourPart = unsignedPart() else { return nil }
    guard case .value(var hour) = hourPart else { return parts }
    var (minute, second, fraction) = (0, 0, 0.0)
    isAfternoon = halfOfDay() ?? isAfternoon
    skipBlanks(before: ":")
    if startsWithDigit {
      guard let packed = number(digits: 2...2) else { return nil }
      minute = packed
      if startsWithDigit {
        guard let packed = number(digits: 2...2) else { return nil }
        second = packed
      }
    } else if let separator = first,
      ":.hH_".utf8.contains(separator) || separator >= 0x80 || startsWithDashedMinute(isISO: isISO)
        || startsWithBlankAndDigit
    {
      skipSeparator(":.hH-_ ")
      isAfternoon = halfOfDay() ?? isAfternoon
      guard let part = unsignedPart() else { return nil }
      if case .value(let value) = part { minute = value }
      skipBlanks(before: ":")
      let isSeparator = first == separator && (separator != 0x20 || startsWithBlankAndDigit)
      if separator >= 0x80 || isSeparator
        || "hH".utf8.contains(separator) && first.map({ "mM".utf8.contains($0) }) == true
      {
        skipSeparator(":.-_ mM")
        isAfternoon = halfOfDay() ?? isAfternoon
        guard let part = unsignedPart() else { return nil }
        if case .value(let value) = part { second = value }
      }
    }
    if skip(anyOf: ".,") { fraction = self.fraction() }
    let isEndOfDay = isISO && hour == 24 && minute == 0 && second == 0
    if hour == 24 { hour = 0 }
    isAfternoon = halfOfDay() ?? isAfternoon
    // Japanese counts the hours from 0: 午後0:30 is half past twelve.
    if let isAfternoon, (0...12).contains(hour) { hour = hour % 12 + (isAfternoon ? 12 : 0) }
    guard let time = CivilTime(day.year, day.month, day.day, hour, minute, second, fraction: fraction) else {
      return nil
    }
    parts.time = isEndOfDay ? time.nextDay : time
    parts.precision = .time
    readZone(into: &parts)
    return parts
  }

  // MARK: Parts

  /// Reads two digits.
  private mutating func packedPart() -> Part? {
    if isAtEnd { return .unknown }
    return number(digits: 2...2).map { $0 == 0 ? .unknown : .value($0) }
  }

  /// Reads a separator and a month or a day.
  private mutating func datePart() -> Part? {
    if isAtEnd { return .unknown }
    skipBlanks(before: ":")
    guard skipSeparator(":-/.") || first.map({ $0 <= 32 }) == true else { return nil }
    guard case .value(let value)? = unsignedPart() else { return startsWithPlaceholder ? .unknown : nil }
    return value == 0 ? .unknown : .value(value)
  }

  /// Reads a number of one or two digits, which may be padded with blanks.
  private mutating func unsignedPart() -> Part? {
    skipBlanks()
    if startsWithPlaceholder { return .unknown }
    return number(digits: 1...2).map(Part.value)
  }

  /// Whether the text ends here, or goes on with a separator or a sign for an unknown digit, such
  /// as `?`.
  private var startsWithPlaceholder: Bool { first.map { ":-/.?xX*_".utf8.contains($0) } ?? true }

  /// Whether a hyphen and a minute follow, as in `10-03-42`. In `10-03:00`, the hyphen begins a
  /// zone, and in ISO's `T10-03`, too.
  private func startsWithDashedMinute(isISO: Bool) -> Bool {
    var rest = self
    guard rest.skip(anyOf: "-"), rest.number(digits: 2...2) != nil else { return false }
    return rest.first.map { $0 == 0x2D || $0 <= 32 && !isISO } ?? !isISO
  }

  private var startsWithBlankAndDigit: Bool {
    var rest = self
    return rest.skip(anyOf: " ") && rest.startsWithDigit
  }

  /// Reads AM or PM, or a word for them: `p.m.`, `p. m.` and `下午` are true.
  private mutating func halfOfDay() -> Bool? {
    var rest = self
    rest.skipBlanks()
    if let (word, isAfternoon) = rest.wordForHalfOfDay {
      bytes = rest.bytes.dropFirst(word.utf8.count)
      return isAfternoon
    }
    let isAfternoon = rest.first.map { "Pp".utf8.contains($0) } == true
    guard rest.skip(anyOf: "AaPp") else { return nil }
    if rest.skip(anyOf: ".") { rest.skipBlanks() }
    guard rest.skip(anyOf: "Mm") else { return nil }
    _ = rest.skip(anyOf: ".")
    self = rest
    return isAfternoon
  }

  private var wordForHalfOfDay: (key: String, value: Bool)? {
    guard let first, first >= 0x80 else { return nil }
    return DateText.halvesOfDay.first { bytes.starts(with: $0.key.utf8) }
  }

  private mutating func readZone(into parts: inout DateText.Parts) {
    skipBlanks()
    let name = String(decoding: bytes.prefix(3), as: UTF8.self).uppercased()
    if name == "UTC" || name == "GMT" {
      bytes = bytes.dropFirst(3)
      parts.offset = offset() ?? 0
      parts.isUTC = parts.offset == 0
    } else {
      parts.isUTC = first.map { "Zz".utf8.contains($0) } == true
      parts.offset = offset()
    }
  }

  mutating func offset() -> Int? {
    if skip(anyOf: "Zz") { return 0 }
    guard let sign = first, sign == 0x2B || sign == 0x2D else { return nil }
    bytes.removeFirst()
    guard let hours = number(digits: 1...2) else { return nil }
    _ = skip(anyOf: ":")
    let minutes = number(digits: 2...2) ?? 0
    let seconds = skip(anyOf: ":") ? number(digits: 2...2) ?? 0 : 0
    let offset = hours * 3600 + minutes * 60 + seconds
    guard minutes < 60, seconds < 60, offset <= 16 * 3600 else { return nil }
    return sign == 0x2D ? -offset : offset
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

  // MARK: Bytes

  private var first: UInt8? { bytes.first }
  private var isAtEnd: Bool { bytes.isEmpty }
  private var startsWithDigit: Bool { first.map { (0x30...0x39).contains($0) } ?? false }

  /// Skips blanks, and the narrow and other blanks that do not break a line.
  mutating func skipBlanks() {
    while true {
      if let first, first <= 32 {
        bytes.removeFirst()
      } else if bytes.starts(with: [0xC2, 0xA0]) {
        bytes = bytes.dropFirst(2)
      } else if bytes.starts(with: [0xE2, 0x80, 0xAF]) {
        bytes = bytes.dropFirst(3)
      } else {
        return
      }
    }
  }

  /// Skips blanks that pad a number on its right, if one of the separators follows.
  private mutating func skipBlanks(before separators: String) {
    let rest = bytes.drop { $0 <= 32 }
    if let first = rest.first, separators.utf8.contains(first) { bytes = rest }
  }

  private mutating func skip(anyOf characters: String) -> Bool {
    guard let first, characters.utf8.contains(first) else { return false }
    bytes.removeFirst()
    return true
  }

  /// Skips one of the characters, or a word that is not ASCII, such as those of Chinese and
  /// Japanese for year and month. It ends where a word for a half of the day begins.
  @discardableResult
  private mutating func skipSeparator(_ characters: String) -> Bool {
    let start = bytes.startIndex
    while let first, first >= 0x80, wordForHalfOfDay == nil { bytes.removeFirst() }
    return bytes.startIndex > start || skip(anyOf: characters)
  }

  private mutating func number(digits: ClosedRange<Int>) -> Int? {
    let found = bytes.prefix { (0x30...0x39).contains($0) }.prefix(digits.upperBound)
    guard found.count >= digits.lowerBound else { return nil }
    bytes = bytes.dropFirst(found.count)
    return found.reduce(0) { $0 * 10 + Int($1 - 0x30) }
  }
}

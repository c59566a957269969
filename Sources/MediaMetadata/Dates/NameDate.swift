import Foundation

/// The date in a file's name, as phones, messengers and screenshot programs write it.
///
///     NameDate("IMG-20161224-WA0014.jpg")?.precision          // .day
///     NameDate("Screenshot_20190201-212530_Fennec.jpg")?.precision   // .time
///
/// The date has a year, a month and a day, from 1900 to tomorrow. Its parts have equal separators,
/// or none. It is not part of a longer number. A day without separators is not part of a
/// hexadecimal number or a UUID.
///
/// The time follows directly, after a separator, or after a word such as " at " or " um ". It has
/// seconds, since two numbers may as well be a counter. A zone may follow it: `Z`, `_UTC`, `+0200`.
struct NameDate: Hashable {
  var reading: DateCandidate.Reading
  var precision: CaptureDate.Precision

  init?(_ path: String, now: Date = .now) {
    let name = path.lastPathComponent
    let characters = Array(name.utf8)
    // Dates of tomorrow are allowed, since tomorrow may have begun in other zones.
    let end = (now.timeIntervalSince1970 / 86_400).rounded(.down) * 86_400 + 2 * 86_400
    var start = 0
    while start < characters.count {
      guard characters[start].isDigit else {
        start += 1
        continue
      }
      var scanner = NameScanner(characters, from: start)
      if var found = scanner.date(), found.time.secondsOnUTC < end {
        if found.precision == .day, Self.isFacebookName(name) { return nil }
        // Google's camera names its pictures by UTC's clock. A copy's name may begin with words.
        let prefix = String(decoding: characters[..<start].suffix(4), as: UTF8.self)
        if prefix.uppercased() == "PXL_", found.precision == .time { (found.offset, found.isUTC) = (0, true) }
        (reading, precision) = (found.reading, found.precision)
        return
      }
      // A date begins at the first of its digits.
      while start < characters.count, characters[start].isDigit { start += 1 }
    }
    return nil
  }

  /// Whether a name is made of Facebook's numbers and the letter of a size:
  /// `19281112_10150123_n.jpg`. Scans have short numbers, and no n or o.
  private static func isFacebookName(_ name: Substring) -> Bool {
    let stem = name.prefix { !" (.".contains($0) }
    let parts = stem.split(separator: "_", omittingEmptySubsequences: false)
    guard parts.count > 2, let size = parts.last, size.utf8.count == 1, "abnoqst".contains(size) else { return false }
    let numbers = parts.dropLast()
    return numbers.allSatisfy { !$0.isEmpty && $0.utf8.allSatisfy(\.isDigit) }
      && ("no".contains(size) || numbers.dropFirst().contains { $0.utf8.count >= 8 })
  }
}

extension ParsedValues {
  mutating func readNameDate(of path: String) {
    guard let found = NameDate(path) else { return }
    dates.append(DateCandidate(.name, found.reading, precision: found.precision))
  }
}

/// Reads a date inside a name.
private struct NameScanner {
  private var bytes: ArraySlice<UInt8>
  private let preceding: ArraySlice<UInt8>

  init(_ characters: [UInt8], from start: Int) {
    (preceding, bytes) = (characters[..<start], characters[start...])
  }

  mutating func date() -> DateText.Parts? {
    guard let year = number(4), (1900...2099).contains(year) else { return nil }
    let separator = skipSeparator()
    guard separator == nil || !followsDayAndMonth, let month = number(2), skipSeparator() == separator,
      let day = number(2), let noon = CivilTime(year, month, day, 12, 0, 0)
    else { return nil }
    if let parts = time(on: noon, isPackedDate: separator == nil) { return parts }
    guard bytes.first?.isDigit != true, separator != nil || !isHexadecimal && !beginsUUID else { return nil }
    return DateText.Parts(time: noon, precision: .day)
  }

  /// Whether a day and a month precede the year: `24-12-2016`.
  private var followsDayAndMonth: Bool {
    guard let separator = preceding.last, "-_.: ".utf8.contains(separator) else { return false }
    let parts = preceding.split(separator: separator, omittingEmptySubsequences: false).suffix(3)
    guard parts.count == 3, parts.last?.isEmpty == true else { return false }
    let (day, month) = (parts[parts.startIndex].reversed().prefix(while: \.isDigit), parts[parts.startIndex + 1])
    return (1...2).contains(day.count) && (1...2).contains(month.count) && month.allSatisfy(\.isDigit)
  }

  /// Whether the digits of a date are part of a hexadecimal number.
  private var isHexadecimal: Bool {
    let letters = preceding.reversed().prefix(while: \.isHexadecimalLetter)
    if !letters.isEmpty, preceding.dropLast(letters.count).last?.isDigit == true { return true }
    let rest = bytes.prefix(while: \.isLetterOrDigit)
    return rest.count >= 4 && rest.allSatisfy { $0.isDigit || $0.isHexadecimalLetter }
  }

  /// Whether the eight digits are the first group of a UUID.
  private var beginsUUID: Bool {
    let rest = bytes.prefix { $0.isDigit || $0.isHexadecimalLetter || $0 == 0x2D }
    let groups = rest.split(separator: 0x2D, omittingEmptySubsequences: false)
    return groups.map(\.count).starts(with: [0, 4, 4, 4, 12])
  }

  private static let wordLimit = 16

  /// Returns the date with the time that follows it; nil if no time follows.
  private func time(on day: CivilTime, isPackedDate: Bool) -> DateText.Parts? {
    var rest = self
    let between = rest.bytes.prefix { !$0.isDigit }
    rest.bytes = rest.bytes.dropFirst(between.count)
    var isAfternoon: Bool?
    var allowsPackedTime = true
    let isISO = between.elementsEqual("T".utf8) || between.elementsEqual("t".utf8)
    if between.isEmpty {
      guard isPackedDate else { return nil }
    } else if !isISO, between.count > 1 || !"-_".utf8.contains(between[between.startIndex]) {
      guard let first = between.first, " .,".utf8.contains(first), between.count <= Self.wordLimit else { return nil }
      let word = String(decoding: between, as: UTF8.self).trimmingCharacters(in: CharacterSet(charactersIn: " .,"))
      isAfternoon = DateText.halvesOfDay[word]
      guard between.count == 1 || between.last == 0x20 || isAfternoon != nil else { return nil }
      // Here six digits without separators are more often a counter than a time. The screenshots of
      // Windows are an exception, and begin with a word.
      allowsPackedTime = between.elementsEqual(" ".utf8) && !preceding.isEmpty
    }
    // macOS writes the hours of its screenshots with one digit.
    guard var hour = rest.number(2) ?? (between.isEmpty ? nil : rest.number(1)) else { return nil }
    let separator = rest.skipSeparator()
    guard separator != nil || allowsPackedTime, let minute = rest.number(2), rest.skipSeparator() == separator,
      let second = rest.number(2), second < 60
    else { return nil }
    guard let fraction = rest.fraction(isISO: isISO) else { return nil }
    isAfternoon = rest.halfOfDay ?? isAfternoon
    // Japanese counts the hours from 0.
    if let isAfternoon, (0...12).contains(hour) { hour = hour % 12 + (isAfternoon ? 12 : 0) }
    let time = CivilTime(day.year, day.month, day.day, hour, minute, second, fraction: fraction)
    let isUTC = rest.isUTC
    let offset = isUTC ? 0 : rest.offset(isISO: isISO)
    return time.map { DateText.Parts(time: $0, offset: offset, isUTC: isUTC) }
  }

  /// Reads hundredths or milliseconds, which ISO's form separates. Returns nil for a longer number,
  /// which is no part of a time.
  private mutating func fraction(isISO: Bool) -> Double? {
    var rest = self
    if isISO, let first = rest.bytes.first, ".,-_".utf8.contains(first) { rest.bytes.removeFirst() }
    let digits = rest.bytes.prefix(while: \.isDigit)
    guard rest.bytes.startIndex == bytes.startIndex || digits.count == 3 else { return 0 }
    guard digits.isEmpty || (2...3).contains(digits.count) else { return nil }
    bytes = rest.bytes.dropFirst(digits.count)
    return digits.reduce(0) { $0 * 10 + Double($1 - 0x30) } / (digits.count == 2 ? 100 : 1000)
  }

  /// Whether AM or PM follows the time: `PM`, `p.m.`, `p. m.`, `μ.μ.`. A word that begins alike
  /// does not count.
  private var halfOfDay: Bool? {
    guard let first = bytes.first, " AaPp".utf8.contains(first) || first >= 0x80 else { return nil }
    let text = String(decoding: bytes, as: UTF8.self)
    let pattern = /[ \u{A0}\u{202F}]?(?:([AaPp])\.?[ \u{A0}\u{202F}]?[Mm]|([πμ])\.μ)\.?(?=$|[._-]| ?\(| \d)/
    guard let found = text.prefixMatch(of: pattern), let letter = found.1 ?? found.2 else { return nil }
    return ["P", "p", "μ"].contains(letter)
  }

  /// Whether `Z`, `_UTC` or ` UTC` follows the time. A sign after it begins another zone.
  private var isUTC: Bool {
    if bytes.first?.isZ == true { return bytes.dropFirst().first?.isLetterOrDigit != true }
    guard let separator = bytes.first, "_ ".utf8.contains(separator) else { return false }
    let rest = bytes.dropFirst()
    let next = rest.dropFirst(3).first ?? 0x2E
    return rest.starts(with: "UTC".utf8) && !next.isLetterOrDigit && next != 0x2B && next != 0x2D
  }

  /// Returns the seconds east of UTC after a time. A hyphen begins a zone only in ISO's form with a
  /// T; elsewhere it begins a counter.
  private func offset(isISO: Bool) -> Int? {
    let text = bytes.drop { $0 == 0x20 }.prefix { $0.isLetterOrDigit || "+-:".utf8.contains($0) }
    guard let sign = text.first, sign == 0x2B || sign == 0x2D && isISO,
      text.dropFirst().filter(\.isDigit).count == 4,
      let offset = DateText.offset(String(decoding: text, as: UTF8.self)), offset % 900 == 0, abs(offset) <= 14 * 3600
    else { return nil }
    return offset
  }

  private mutating func skipSeparator() -> UInt8? {
    guard let first = bytes.first, "-_.: ".utf8.contains(first) else { return nil }
    bytes.removeFirst()
    return first
  }

  private mutating func number(_ digits: Int) -> Int? {
    let found = bytes.prefix(digits)
    guard found.count == digits, found.allSatisfy(\.isDigit) else { return nil }
    bytes = bytes.dropFirst(digits)
    return found.reduce(0) { $0 * 10 + Int($1 - 0x30) }
  }
}

extension UInt8 {
  fileprivate var isDigit: Bool { (0x30...0x39).contains(self) }
  fileprivate var isHexadecimalLetter: Bool { (0x61...0x66).contains(self | 0x20) }
  fileprivate var isLetterOrDigit: Bool { isDigit || (0x61...0x7A).contains(self | 0x20) }
  fileprivate var isZ: Bool { self | 0x20 == 0x7A }
}

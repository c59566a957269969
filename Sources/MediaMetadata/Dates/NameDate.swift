import Foundation

/// The date in a file's name, as phones, messengers and screenshot programs write it.
///
///     NameDate("IMG-20161224-WA0014.jpg")?.precision          // .day
///     NameDate("Screenshot_20190201-212530_Fennec.jpg")?.precision   // .time
///
/// The date is a year of 1900 to 2099, a month and a day. It stands alone: no further digit
/// touches it. The separators between its parts are equal, or there are none. The time follows
/// after at most three other characters (` at `), with seconds: two numbers alone may as well be a
/// counter.
struct NameDate: Hashable {
  var reading: DateCandidate.Reading
  var precision: CaptureDate.Precision

  init?(_ path: String) {
    let name = path.lastPathComponent
    let characters = Array(name.utf8)
    var start = 0
    while start < characters.count {
      guard characters[start].isDigit else {
        start += 1
        continue
      }
      var scanner = NameScanner(bytes: characters[start...])
      if let found = scanner.date() {
        // Google's camera names its pictures by UTC's clock.
        let isUTC = name.hasPrefix("PXL_") && found.1 == .time
        reading = isUTC ? .instant(Date(timeIntervalSince1970: found.0.secondsOnUTC)) : .local(found.0)
        precision = found.1
        return
      }
      // A date begins at the first of its digits.
      while start < characters.count, characters[start].isDigit { start += 1 }
    }
    return nil
  }
}

extension ParsedValues {
  mutating func readNameDate(of path: String) {
    guard let found = NameDate(path) else { return }
    dates.append(DateCandidate(.name, found.reading, precision: found.precision))
  }
}

/// Reads a date at the front of the rest of a name.
private struct NameScanner {
  var bytes: ArraySlice<UInt8>

  mutating func date() -> (CivilTime, CaptureDate.Precision)? {
    guard let year = number(4), (1900...2099).contains(year) else { return nil }
    let separator = skipSeparator()
    guard let month = number(2), skipSeparator() == separator, let day = number(2),
      let noon = CivilTime(year, month, day, 12, 0, 0)
    else { return nil }
    let isPacked = separator == nil && bytes.first?.isDigit == true
    if let time = time(on: noon, isPacked: isPacked) { return (time, .time) }
    return bytes.first?.isDigit == true ? nil : (noon, .day)
  }

  /// Returns the time after a date. `isPacked`: no character is between them.
  private func time(on day: CivilTime, isPacked: Bool) -> CivilTime? {
    var rest = self
    if !isPacked {
      let between = rest.bytes.prefix { !$0.isDigit }
      guard Self.isBetween(between) else { return nil }
      rest.bytes = rest.bytes.dropFirst(between.count)
    }
    // macOS writes the hours of its screenshots with one digit.
    guard var hour = rest.number(2) ?? (isPacked ? nil : rest.number(1)) else { return nil }
    let separator = rest.skipSeparator()
    guard let minute = rest.number(2), rest.skipSeparator() == separator, let second = rest.number(2) else {
      return nil
    }
    // Milliseconds follow, or a counter.
    var fraction = 0.0
    let further = rest.bytes.prefix(while: \.isDigit)
    if further.count == 3 {
      fraction = further.reduce(0) { $0 * 10 + Double($1 - 0x30) } / 1000
    } else if !further.isEmpty {
      return nil
    }
    let half = String(decoding: rest.bytes.drop { $0 == 0x20 || $0 >= 0x80 }.prefix(2), as: UTF8.self).uppercased()
    if half == "AM" || half == "PM", (1...12).contains(hour) { hour = hour % 12 + (half == "PM" ? 12 : 0) }
    return CivilTime(day.year, day.month, day.day, hour, minute, second, fraction: fraction)
  }

  /// Whether the characters are a separator, a letter T, or the word of a language between a date
  /// and a time: " at ", " um ", " à ".
  private static func isBetween(_ characters: ArraySlice<UInt8>) -> Bool {
    guard let first = characters.first, characters.count <= 6 else { return false }
    if characters.count == 1 { return " -_.Tt,".utf8.contains(first) }
    return first == 0x20 && characters.last == 0x20
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
}

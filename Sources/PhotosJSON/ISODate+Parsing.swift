import Essentials
import Foundation

extension ISODate {
  /// Reads a date of the form `2019-03-04T17:20:11.250-06:00`. The fraction may be missing. The
  /// offset is in seconds east of UTC, and `nil` for `Z`. Returns `nil` for any other text.
  package static func date(_ text: String) -> (date: Date, offset: Int?)? {
    var reader = DateReader(text)
    guard let year = reader.number(4, in: 1...9999), reader.skip("-"), let month = reader.number(2, in: 1...12),
      reader.skip("-"), let day = reader.number(2, in: 1...31), reader.skip("T"),
      let hour = reader.number(2, in: 0...23), reader.skip(":"), let minute = reader.number(2, in: 0...59),
      reader.skip(":"), let second = reader.number(2, in: 0...59), let fraction = reader.fraction()
    else { return nil }
    let offset = reader.skip("Z") ? nil : reader.offset()
    guard reader.isAtEnd, offset != nil || text.hasSuffix("Z") else { return nil }
    let days = CivilDay(year: year, month: month, day: day).daysSince1970
    // A day that the month doesn't have is another one when it is written again.
    guard self.day(days) == text.prefix(10) else { return nil }
    let seconds = days * 86_400 + hour * 3600 + minute * 60 + second - (offset ?? 0)
    return (Date(timeIntervalSince1970: Double(seconds) + fraction), offset)
  }

  /// Reads an offset of the form `-06:00`, in seconds east of UTC.
  package static func offset(_ text: String) -> Int? {
    var reader = DateReader(text)
    guard let offset = reader.offset(), reader.isAtEnd else { return nil }
    return offset
  }

  private struct DateReader {
    private var rest: Substring.UTF8View

    init(_ text: String) { rest = text[...].utf8 }

    var isAtEnd: Bool { rest.isEmpty }

    mutating func skip(_ character: Unicode.Scalar) -> Bool {
      guard rest.first == UInt8(ascii: character) else { return false }
      rest.removeFirst()
      return true
    }

    mutating func number(_ digits: Int, in range: ClosedRange<Int>) -> Int? {
      let found = rest.prefix(digits)
      guard found.count == digits, found.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
      let number = found.reduce(0) { $0 * 10 + Int($1 - 0x30) }
      guard range.contains(number) else { return nil }
      rest.removeFirst(digits)
      return number
    }

    /// Reads `.250`, with one to nine digits; zero if there is none.
    mutating func fraction() -> Double? {
      guard skip(".") else { return 0 }
      let digits = rest.prefix { (0x30...0x39).contains($0) }
      guard (1...9).contains(digits.count), let number = Double("0." + String(decoding: digits, as: UTF8.self)) else {
        return nil
      }
      rest.removeFirst(digits.count)
      return number
    }

    mutating func offset() -> Int? {
      let isWest = skip("-")
      guard isWest || skip("+"), let hours = number(2, in: 0...17), skip(":"), let minutes = number(2, in: 0...59)
      else { return nil }
      return (hours * 3600 + minutes * 60) * (isWest ? -1 : 1)
    }
  }
}

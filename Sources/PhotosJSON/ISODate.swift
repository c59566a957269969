import Foundation

/// Writes dates in ISO 8601, with integer arithmetic: a listing has hundreds of thousands.
public enum ISODate {
  /// Returns the text of an instant in a zone that is `offset` seconds ahead of UTC:
  /// `2019-03-04T17:20:11.250-06:00`.
  ///
  /// The instant is rounded to the millisecond. The offset is truncated to whole minutes. Instants
  /// outside the years 0 to 9999 are clamped to these years.
  public static func string(_ date: Date, offset: Int) -> String {
    let minutes = offset / 60
    let local = (date.timeIntervalSince1970 * 1000).rounded() + Double(minutes * 60_000)
    let milliseconds = Int(max(firstMillisecond, min(local, lastMillisecond)))
    let (day, time) = milliseconds.dividedByFloor(86_400_000)
    let civil = Civil(daysSince1970: day)
    var text = Digits(capacity: 29)
    text.append(civil)
    text.append("T")
    text.append(time / 3_600_000, 2, then: ":")
    text.append(time / 60_000 % 60, 2, then: ":")
    text.append(time / 1000 % 60, 2, then: ".")
    text.append(time % 1000, 3)
    text.append(minutes < 0 ? "-" : "+")
    text.append(abs(minutes) / 60 % 100, 2, then: ":")
    text.append(abs(minutes) % 60, 2)
    return text.string
  }

  /// Returns the text of a day: `2019-03-04`.
  package static func day(_ daysSince1970: Int) -> String {
    var text = Digits(capacity: 10)
    text.append(Civil(daysSince1970: max(firstDay, min(daysSince1970, lastDay))))
    return text.string
  }

  // The days 0000-01-01 and 9999-12-31.
  private static let firstDay = -719_528
  private static let lastDay = 2_932_896
  private static let firstMillisecond = Double(firstDay) * 86_400_000
  private static let lastMillisecond = Double(lastDay + 1) * 86_400_000 - 1

  /// A day of the Gregorian calendar, extended to the time before its introduction.
  private struct Civil {
    var year: Int
    var month: Int
    var day: Int

    /// Makes the date of a day. Eras of 400 years begin on March 1, so that a leap day is the last
    /// day of its year.
    init(daysSince1970: Int) {
      let (era, dayOfEra) = (daysSince1970 + 719_468).dividedByFloor(146_097)
      let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
      let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
      let monthFromMarch = (5 * dayOfYear + 2) / 153
      day = dayOfYear - (153 * monthFromMarch + 2) / 5 + 1
      month = monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9
      year = era * 400 + yearOfEra + (month <= 2 ? 1 : 0)
    }
  }

  private struct Digits {
    private var bytes: [UInt8] = []

    init(capacity: Int) { bytes.reserveCapacity(capacity) }

    var string: String { String(decoding: bytes, as: UTF8.self) }

    mutating func append(_ character: Unicode.Scalar) { bytes.append(UInt8(ascii: character)) }

    mutating func append(_ civil: Civil) {
      append(civil.year, 4, then: "-")
      append(civil.month, 2, then: "-")
      append(civil.day, 2)
    }

    mutating func append(_ number: Int, _ width: Int, then separator: Unicode.Scalar? = nil) {
      var power = 1
      for _ in 1..<width { power *= 10 }
      while power > 0 {
        bytes.append(UInt8(ascii: "0") + UInt8(number / power % 10))
        power /= 10
      }
      if let separator { append(separator) }
    }
  }
}

extension Int {
  /// Divides with a remainder that is never negative.
  fileprivate func dividedByFloor(_ divisor: Int) -> (quotient: Int, remainder: Int) {
    let (quotient, remainder) = quotientAndRemainder(dividingBy: divisor)
    return remainder < 0 ? (quotient - 1, remainder + divisor) : (quotient, remainder)
  }
}

import Essentials
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
    var text = Digits(capacity: 29)
    text.append(CivilDay(daysSince1970: day))
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
    text.append(CivilDay(daysSince1970: max(firstDay, min(daysSince1970, lastDay))))
    return text.string
  }

  // The days 0000-01-01 and 9999-12-31.
  private static let firstDay = -719_528
  private static let lastDay = 2_932_896
  private static let firstMillisecond = Double(firstDay) * 86_400_000
  private static let lastMillisecond = Double(lastDay + 1) * 86_400_000 - 1

  private struct Digits {
    private var bytes: [UInt8] = []

    init(capacity: Int) { bytes.reserveCapacity(capacity) }

    var string: String { String(decoding: bytes, as: UTF8.self) }

    mutating func append(_ character: Unicode.Scalar) { bytes.append(UInt8(ascii: character)) }

    mutating func append(_ date: CivilDay) {
      append(date.year, 4, then: "-")
      append(date.month, 2, then: "-")
      append(date.day, 2)
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

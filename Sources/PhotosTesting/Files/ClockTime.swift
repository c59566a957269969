import Foundation
import Imaging

/// The date and time on a clock that is some seconds east of UTC.
package struct ClockTime {
  package var year, month, day, hour, minute, second: Int

  package init(_ date: Date, offset: Int) {
    let time = CivilTime(clampingSecondsOnUTC: date.timeIntervalSince1970.rounded(.down) + Double(offset))
    (year, month, day) = (time.year, time.month, time.day)
    (hour, minute, second) = (time.hour, time.minute, time.second)
  }

  /// The form of EXIF: `2019:05:21 10:45:52`.
  var exif: String {
    "\(padded(year, 4)):\(padded(month)):\(padded(day)) \(padded(hour)):\(padded(minute)):\(padded(second))"
  }

  /// The day in the form of EXIF: `2019:05:21`.
  var exifDay: String { String(exif.prefix(10)) }

  /// The form of ISO 8601: `2019-05-21T10:45:52`.
  var iso: String {
    "\(padded(year, 4))-\(padded(month))-\(padded(day))T\(padded(hour)):\(padded(minute)):\(padded(second))"
  }

  /// Returns the offset as text: `+02:00`, or `+0200` without a separator.
  static func zone(_ offset: Int, separator: String = ":") -> String {
    "\(offset < 0 ? "-" : "+")\(padded(abs(offset) / 3600))\(separator)\(padded(abs(offset) / 60 % 60))"
  }
}

package func padded(_ number: Int, _ width: Int = 2) -> String {
  let digits = String(number)
  return String(repeating: "0", count: max(0, width - digits.count)) + digits
}

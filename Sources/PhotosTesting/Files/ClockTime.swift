import Foundation

/// The date and time on a clock that is some seconds east of UTC.
package struct ClockTime {
  package var year, month, day, hour, minute, second: Int

  package init(_ date: Date, offset: Int) {
    let seconds = Int(date.timeIntervalSince1970.rounded(.down)) + offset
    let ofDay = ((seconds % 86_400) + 86_400) % 86_400
    // Counting days from March 1 of the year 0 makes a leap day the last of its year (Howard
    // Hinnant's `civil_from_days`).
    let days = (seconds - ofDay) / 86_400 + 719_468
    let era = (days >= 0 ? days : days - 146_096) / 146_097
    let dayOfEra = days - era * 146_097
    let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let shifted = (5 * dayOfYear + 2) / 153
    month = shifted < 10 ? shifted + 3 : shifted - 9
    year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
    day = dayOfYear - (153 * shifted + 2) / 5 + 1
    (hour, minute, second) = (ofDay / 3600, ofDay / 60 % 60, ofDay % 60)
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

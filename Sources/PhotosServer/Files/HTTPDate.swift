import Essentials
import Foundation

/// Dates in the format of HTTP headers: `Mon, 04 Mar 2019 23:20:11 GMT`.
enum HTTPDate {
  static func string(_ date: Date) -> String {
    let (days, second) = Int(date.timeIntervalSince1970.rounded(.down)).dividedByFloor(86_400)
    let day = CivilDay(daysSince1970: days)
    // January 1, 1970 was a Thursday.
    let weekday = weekdays[(days + 4).dividedByFloor(7).remainder]
    let time = [second / 3600, second / 60 % 60, second % 60].map(twoDigits).joined(separator: ":")
    let year = String(day.year)
    let zeros = String(repeating: "0", count: max(0, 4 - year.count))
    return "\(weekday), \(twoDigits(day.day)) \(months[day.month - 1]) \(zeros)\(year) \(time) GMT"
  }

  private static func twoDigits(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }

  private static let weekdays = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"]
  private static let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]
}

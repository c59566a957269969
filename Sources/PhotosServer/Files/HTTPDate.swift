import Foundation
import PhotosJSON

/// Dates in the format of HTTP headers: `Mon, 04 Mar 2019 23:20:11 GMT`.
enum HTTPDate {
  static func string(_ date: Date) -> String {
    // For example, 2019-03-04T23:20:11.250+00:00.
    let iso = Array(ISODate.string(Date(timeIntervalSince1970: date.timeIntervalSince1970.rounded(.down)), offset: 0))
    let text = { (range: Range<Int>) in String(iso[range]) }
    let month = (Int(text(5..<7)) ?? 1) - 1
    let day = Int((date.timeIntervalSince1970 / 86_400).rounded(.down))
    let weekday = ((day + 4) % 7 + 7) % 7
    return "\(weekdays[weekday]), \(text(8..<10)) \(months[month]) \(text(0..<4)) \(text(11..<19)) GMT"
  }

  private static let weekdays = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"]
  private static let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]
}

import Foundation

extension Date {
  /// Makes a date from a day, a minute or a second. A day means its first moment. Without a time
  /// zone, this machine's is used.
  ///
  ///     Date(predicateText: "2026-04-30")
  ///     Date(predicateText: "2026-04-30 18:05")
  ///     Date(predicateText: "2026-04-30T18:05:07+02:00")
  init?(predicateText text: String) {
    let pattern = /(\d{4})-(\d\d)-(\d\d)(?:[ T](\d\d):(\d\d)(?::(\d\d))?(?:Z|([+-])(\d\d):(\d\d))?)?/
    guard let match = text.wholeMatch(of: pattern)?.output else { return nil }
    var calendar = Calendar(identifier: .gregorian)
    if let sign = match.7, let hours = match.8.flatMap({ Int($0) }), let minutes = match.9.flatMap({ Int($0) }) {
      guard let zone = TimeZone(secondsFromGMT: (hours * 60 + minutes) * (sign == "-" ? -60 : 60)) else { return nil }
      calendar.timeZone = zone
    } else if text.hasSuffix("Z") {
      calendar.timeZone = .gmt
    } else {
      calendar.timeZone = .current
    }
    var components = DateComponents(year: Int(match.1), month: Int(match.2), day: Int(match.3))
    components.hour = match.4.flatMap { Int($0) } ?? 0
    components.minute = match.5.flatMap { Int($0) } ?? 0
    components.second = match.6.flatMap { Int($0) } ?? 0
    guard let date = calendar.date(from: components) else { return nil }
    // The calendar would accept a thirtieth of February and move it to March. An hour that does not
    // exist because the clocks went forward is accepted, and may be an hour off.
    let found = calendar.dateComponents([.year, .month, .day], from: date)
    guard found.year == components.year, found.month == components.month, found.day == components.day,
      components.hour ?? 0 < 24, components.minute ?? 0 < 60, components.second ?? 0 < 60
    else { return nil }
    self = date
  }
}

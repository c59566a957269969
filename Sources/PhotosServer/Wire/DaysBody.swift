import Foundation
import PhotosJSON

/// The number of assets of each day as JSON: `[["2026-11-20",12],…]`. It is written directly, since
/// a century has 36,500 days.
enum DaysBody {
  static func encode(revision: String, total: Int, days: [DayCount]) -> Data {
    var text = JSONText(capacity: 100 + days.count * bytesOfADay)
    text.raw(#"{"revision":"#)
    text.string(revision)
    text.raw(#","total":"#)
    text.number(total)
    text.raw(#","days":"#)
    write(days, to: &text)
    text.raw("}")
    return Data(text.bytes)
  }

  static func write(_ days: [DayCount], to text: inout JSONText) {
    text.array(days) { text, day in
      text.raw("[")
      text.string(day.day.map(ISODate.day))
      text.raw(",")
      text.number(day.count)
      text.raw("]")
    }
  }

  private static let bytesOfADay = 20
}

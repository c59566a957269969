import Foundation
import Photos
import PhotosJSON

/// The body of `/api/days`. It is written directly, since a century has 36,500 days.
enum DaysBody {
  static func encode(revision: String, total: Int, days: [AssetDay]) -> Data {
    var text = JSONText(capacity: 100 + days.count * bytesOfADay)
    text.raw(#"{"revision":"#)
    text.string(revision)
    text.raw(#","total":"#)
    text.number(total)
    text.raw(#","days":"#)
    text.array(days) { text, day in
      text.raw("[")
      text.string(ISODate.day(day.daysSince1970))
      text.raw(",")
      text.number(day.count)
      text.raw("]")
    }
    text.raw("}")
    return Data(text.bytes)
  }

  private static let bytesOfADay = 20
}

import Foundation
import Photos

/// The body of `/api/days`, written by hand: a library of a century has 36,500 days.
enum DaysBody {
  static func encode(revision: String, total: Int, days: [PHAssetDay]) -> Data {
    var text = #"{"revision":"\#(revision)","total":\#(total),"days":["#
    text.reserveCapacity(days.count * 20 + 100)
    var separator = ""
    for day in days {
      text += separator
      text += "[\""
      text += ISODate.day(day.daysSince1970)
      text += "\","
      text += String(day.count)
      text += "]"
      separator = ","
    }
    text += "]}"
    return Data(text.utf8)
  }
}

import Foundation
import Testing

@testable import MediaMetadata

/// The forms are those that ExifTool 12.57 reads, and those that its test images have.
@Suite struct DateTextTests {
  /// Returns the date up to its last known part, with its offset.
  private func known(_ text: String) -> String {
    guard case .date(let parts) = DateText(text) else { return DateText(text) == .empty ? "empty" : "unreadable" }
    let time = parts.time
    let numbers = [time.month, time.day, time.hour, time.minute, time.second].map { String(format: "%02d", $0) }
    let fraction = time.fraction == 0 ? "" : String(format: "%.3f", time.fraction).dropFirst()
    let date =
      switch parts.precision {
      case .year: "\(time.year)"
      case .month: "\(time.year)-\(numbers[0])"
      case .day: "\(time.year)-\(numbers[0])-\(numbers[1])"
      case .time: "\(time.year)-\(numbers[0])-\(numbers[1]) \(numbers[2...].joined(separator: ":"))\(fraction)"
      }
    return date + (parts.isUTC ? " UTC" : parts.offset.map { " \($0)" } ?? "")
  }

  @Test(arguments: [
    // EXIF, XMP and QuickTime as their specifications have them.
    ("2020:04:17 10:03:42", "2020-04-17 10:03:42"), ("2020-04-17T10:03:42.25+02:00", "2020-04-17 10:03:42.250 7200"),
    ("2016-01-18T15:20:40-0700", "2016-01-18 15:20:40 -25200"), ("2020-04-17T10:03Z", "2020-04-17 10:03:00 UTC"),
    ("2019-05-05T10:00-07:00", "2019-05-05 10:00:00 -25200"), ("2020-04-17T10+01:00", "2020-04-17 10:00:00 3600"),
    // Small letters, names of UTC, and other separators.
    ("2011-02-03t04:05:06z", "2011-02-03 04:05:06 UTC"), ("2011:02:03 04:05:06 UTC", "2011-02-03 04:05:06 UTC"),
    ("2011:02:03 04:05:06 GMT+2", "2011-02-03 04:05:06 7200"), ("2008/11/05 09.08.07", "2008-11-05 09:08:07"),
    ("1998.10.17.10.20.30", "1998-10-17 10:20:30"), ("2002:03:21:10:11:12", "2002-03-21 10:11:12"),
    ("2015年08月22日 10時30分15秒", "2015-08-22 10:30:15"),
    // Padding, and none at all.
    ("2020: 4: 7  9: 8: 5", "2020-04-07 09:08:05"), ("  2020:4:7 9:8:5", "2020-04-07 09:08:05"),
    ("2020:4 :7  0 :3 :2 ", "2020-04-07 00:03:02"), ("2020:04:07 10 PM", "2020-04-07 22:00:00"),
    ("2016:12:31 23:59:60", "2016-12-31 23:59:60"),
    // Hyphens are separators, or signs of zones.
    ("2020:04:17 10-03-42", "2020-04-17 10:03:42"), ("2020:04:17 10-03", "2020-04-17 10:03:00"),
    ("2020-04-17T10-03-42", "2020-04-17 10:03:42"), ("2020-04-17T10-03", "2020-04-17 10:00:00 -10800"),
    ("2020:04:17 10 03 42", "2020-04-17 10:03:42"), ("2020:04:17 10_03_42", "2020-04-17 10:03:42"),
    ("2020:04:17 10h03m42s", "2020-04-17 10:03:42"), ("2020:04:17 10:03 2020", "2020-04-17 10:03:00"),
    ("1985 / 86", "1985"), ("2020-04 -07:00", "2020-04"),
    ("2020-04-17T10-03:00", "2020-04-17 10:00:00 -10800"), ("2020:04:17 10:03-02:00", "2020-04-17 10:03:00 -7200"),
    ("20231231 143000+0100", "2023-12-31 14:30:00 3600"), ("20150822T100000Z", "2015-08-22 10:00:00 UTC"),
    ("20231231", "2023-12-31"),
    // The Buddhist calendar, which counts 543 more years.
    ("2567:02:29 10:03:42", "2024-02-29 10:03:42"), ("2567-05-05", "2024-05-05"), ("2528:06:00 00:00:00", "1985-06"),
    // The twelve-hour clock.
    ("2004:01:02 03:04:05 PM", "2004-01-02 15:04:05"), ("2004:01:02 12:04:05 am", "2004-01-02 00:04:05"),
    ("2004:01:02 12:04:05 p.m.", "2004-01-02 12:04:05"), ("2004:01:02 3:04:05 p. m.", "2004-01-02 15:04:05"),
    ("2004:01:02 3:04:05\u{202F}PM", "2004-01-02 15:04:05"), ("2004:01:02 3\u{A0}PM", "2004-01-02 15:00:00"),
    ("2004:01:02 PM 03:04:05", "2004-01-02 15:04:05"), ("2004:01:02 0:04:05 PM", "2004-01-02 12:04:05"),
    // The words of Chinese, Japanese and Korean for it.
    ("2019:05:04 下午 03:04:05", "2019-05-04 15:04:05"), ("2019/05/04 下午03:04:05", "2019-05-04 15:04:05"),
    ("2019:05:04 03:04:05 下午", "2019-05-04 15:04:05"), ("2019/05/04下午03:04:05", "2019-05-04 15:04:05"),
    ("2019:05:04 03:04下午", "2019-05-04 15:04:00"), ("2019:05:04 3下午", "2019-05-04 15:00:00"),
    ("2019:05:04 上午 12:04:05", "2019-05-04 00:04:05"), ("2019:05:04 上午 03:04:05", "2019-05-04 03:04:05"),
    ("2019:05:04 下午 15:04:05", "2019-05-04 15:04:05"), ("2019-05-04T下午03:04:05Z", "2019-05-04 15:04:05 UTC"),
    ("2019:05:04 午後 0:04:05", "2019-05-04 12:04:05"), ("2019:05:04 午前 0:04:05", "2019-05-04 00:04:05"),
    ("2019年5月4日午後3時4分5秒", "2019-05-04 15:04:05"), ("2019年5月4日 午後3時4分", "2019-05-04 15:04:00"),
    ("2019年5月4日 3時4分下午", "2019-05-04 15:04:00"), ("2019年5月4日 3時下午", "2019-05-04 15:00:00"),
    ("2019. 5. 4. 오후 3:04:05", "2019-05-04 15:04:05"), ("2019:05:04 오전 03:04:05", "2019-05-04 03:04:05"),
    ("2019년 5월 4일 오후 3시 4분 5초", "2019-05-04 15:04:05"), ("2019:05:04 下午", "2019-05-04"),
  ])
  func `a text is this date`(text: String, date: String) { #expect(known(text) == date) }

  /// ISO 8601 ends a day at 24:00:00. Cameras that write the hour 24 mean the first of the day.
  @Test(arguments: [
    ("2015:08:22 24:08:19", "2015-08-22 00:08:19"), ("2015:08:22 24:00:00", "2015-08-22 00:00:00"),
    ("2015-12-31T24:00:00Z", "2016-01-01 00:00:00 UTC"), ("2015-08-22T24:08:19", "2015-08-22 00:08:19"),
  ])
  func `the hour 24 is midnight`(text: String, date: String) { #expect(known(text) == date) }

  @Test(arguments: [
    ("1993", "1993"), ("1993:00:00 12:00:00", "1993"), ("1993:00:00", "1993"), ("1993:  :     :  :  ", "1993"),
    ("1993-00-00T00:00:00Z", "1993"), ("1993:??:?? ??:??:??", "1993"), ("1993:xx:xx", "1993"), ("19930000", "1993"),
    ("1985-06", "1985-06"), ("1985:06:00 00:00:00", "1985-06"), ("1985:06:  :  :", "1985-06"), ("198506", "1985-06"),
    ("1985:06:-- --:--:--", "1985-06"), ("19780900", "1978-09"), ("1993:08:", "1993-08"),
    ("1985:06:14", "1985-06-14"), ("1985:06:14   :  :  ", "1985-06-14"), ("1985:06:14 ??:??:??", "1985-06-14"),
    ("1985:06:14 --:--:--", "1985-06-14"), ("2009-05-06Z", "2009-05-06 UTC"),
    ("1985:06:14 10:  :  ", "1985-06-14 10:00:00"), ("1985:06:14 10:30:  ", "1985-06-14 10:30:00"),
  ])
  func `unknown parts make a date less precise`(text: String, date: String) { #expect(known(text) == date) }

  @Test(arguments: [
    "2020:04:17 25:00:00", "2020:04:17 10:60:42", "2020:04:17 10:00:61", "2020:04:17 noon", "2020:04:17 14300",
  ])
  func `if the time can't be read, the day is kept`(text: String) throws {
    #expect(known(text) == "2020-04-17")
    let metadata = try #require(readMetadata(of: SampleFiles.jpeg(exif: EXIFBuilder(original: text).bytes)))
    #expect(metadata.captureDate.precision == .day)
    #expect(metadata.notes == ["The time in the date “\(text)” can't be read and was ignored."])
  }

  @Test(arguments: [
    ("1961:99:99 99:99:99", "1961", "month"), ("2020:13:01 10:00:00", "2020", "month"), ("2020-31-12", "2020", "month"),
    ("2020:11:31 10:00:00", "2020-11", "day"), ("1961:02:29 10:00:00", "1961-02", "day"),
    ("2020:02:30", "2020-02", "day"), ("2563:13:01", "2020", "month"),
  ])
  func `the known parts of an impossible date are kept`(text: String, date: String, part: String) throws {
    #expect(known(text) == date)
    let metadata = try #require(readMetadata(of: SampleFiles.jpeg(exif: EXIFBuilder(original: text).bytes)))
    #expect(metadata.captureDate.source == .original)
    #expect(metadata.captureDate.precision == (part == "day" ? .month : .year))
    #expect(metadata.notes.last == "The \(part) in the date “\(text)” can't be true and was ignored.")
  }

  @Test(arguments: ["", "    :  :     :  :  ", "0000:00:00 00:00:00", "0000-00-00T12:00:00Z", "0000"])
  func `a text without a year is empty`(text: String) { #expect(known(text) == "empty") }

  @Test(arguments: [
    "9999:99:99", "0000:99:99", "20201301", "20200230", "1793", "2201:01:01", "1985 or so", "1985:June", "93:08:14",
  ])
  func `anything else is unreadable`(text: String) { #expect(known(text) == "unreadable") }
}

import Foundation
import PhotosJSON
import Testing

@testable import PhotosServer

@Suite struct ISODateTests {
  @Test(arguments: [
    (0.0, 0, "1970-01-01T00:00:00.000+00:00"),
    (1_551_741_611.25, -21600, "2019-03-04T17:20:11.250-06:00"),
    (1_551_741_611.25, 20700, "2019-03-05T05:05:11.250+05:45"),
    (951_782_400, 0, "2000-02-29T00:00:00.000+00:00"),
    (-2_203_891_200, 0, "1900-03-01T00:00:00.000+00:00"),
    (1_709_251_199.9996, 0, "2024-03-01T00:00:00.000+00:00"),
    (1_735_689_599.999, 0, "2024-12-31T23:59:59.999+00:00"),
    (-0.001, 0, "1969-12-31T23:59:59.999+00:00"),
    (-62_135_596_800, 0, "0001-01-01T00:00:00.000+00:00"),
    (0, -1800, "1969-12-31T23:30:00.000-00:30"),
    (0, 64_800, "1970-01-01T18:00:00.000+18:00"),
    (0, 3599, "1970-01-01T00:59:00.000+00:59"),
    (1e300, 0, "9999-12-31T23:59:59.999+00:00"),
    (-1e300, 0, "0000-01-01T00:00:00.000+00:00"),
  ])
  func `an instant is written on the clock of its offset`(seconds: Double, offset: Int, text: String) {
    #expect(ISODate.string(Date(timeIntervalSince1970: seconds), offset: offset) == text)
  }

  @Test func `every day from 1800 to 2200 is the calendar's`() throws {
    var calendar = Calendar(identifier: .gregorian)
    calendar.timeZone = try #require(TimeZone(secondsFromGMT: 0))
    for day in stride(from: -62_091, through: 84_006, by: 1) {
      let parts = calendar.dateComponents(
        [.year, .month, .day], from: Date(timeIntervalSince1970: Double(day) * 86_400))
      let text = String(format: "%04d-%02d-%02d", parts.year ?? 0, parts.month ?? 0, parts.day ?? 0)
      guard ISODate.day(day) == text else {
        Issue.record("day \(day) is \(text), not \(ISODate.day(day))")
        return
      }
    }
  }

  @Test(arguments: [
    (0.0, "Thu, 01 Jan 1970 00:00:00 GMT"), (784_111_777.9, "Sun, 06 Nov 1994 08:49:37 GMT"),
    (-86_400, "Wed, 31 Dec 1969 00:00:00 GMT"), (951_868_799.9, "Tue, 29 Feb 2000 23:59:59 GMT"),
    (-30_641_760_000, "Tue, 01 Jan 0999 00:00:00 GMT"),
  ])
  func `HTTP's dates are written as HTTP wants them`(seconds: Double, text: String) {
    #expect(HTTPDate.string(Date(timeIntervalSince1970: seconds)) == text)
  }
}

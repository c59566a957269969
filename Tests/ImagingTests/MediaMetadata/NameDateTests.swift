import Foundation
import Testing

@testable import MediaMetadata

@Suite struct NameDateTests {
  private func known(_ name: String) -> String? {
    // 2026-11-29 12:00:00 UTC
    guard let found = NameDate(name, now: Date(timeIntervalSince1970: 1_795_953_600)) else { return nil }
    let time =
      switch found.reading {
      case .local(let time): time
      case .zoned(let date, let offset): CivilTime(clampingSecondsOnUTC: date.timeIntervalSince1970 + Double(offset))
      case .instant(let date): CivilTime(clampingSecondsOnUTC: date.timeIntervalSince1970)
      }
    let day = String(format: "%04d-%02d-%02d", time.year, time.month, time.day)
    guard found.precision == .time else { return day }
    let clock = String(format: "%02d:%02d:%02d.%03d", time.hour, time.minute, time.second, time.milliseconds)
    switch found.reading {
    case .instant: return "\(day) \(clock) UTC"
    case .zoned(_, let offset): return "\(day) \(clock) \(offset)"
    case .local: return "\(day) \(clock)"
    }
  }

  @Test(arguments: [
    ("IMG-20161224-WA0014.jpg", "2016-12-24"), ("VID-20191006-WA0002.mp4", "2019-10-06"),
    ("signal-2018-08-21-100217.jpg", "2018-08-21 10:02:17.000"),
    ("signal-2018-08-21-10-02-17-345.jpg", "2018-08-21 10:02:17.000"),
    ("20230801_123456.mp4", "2023-08-01 12:34:56.000"), ("IMG_20230801_123456_HDR.jpg", "2023-08-01 12:34:56.000"),
    ("PXL_20230604_172812686.MP.jpg", "2023-06-04 17:28:12.686 UTC"),
    ("Copy of PXL_20230604_172812686.jpg", "2023-06-04 17:28:12.686 UTC"),
    ("original_0f8c1d2e-3a4b-5c6d-7e8f-90a1b2c3d4e5_PXL_20230604_172812686.jpg", "2023-06-04 17:28:12.686 UTC"),
    ("pxl_20230604_172812686.jpg", "2023-06-04 17:28:12.686 UTC"),
    ("PXL_IMG_20230604_172812.jpg", "2023-06-04 17:28:12.000"),
    ("00100sPORTRAIT_00100_BURST20190811153021541_COVER.jpg", "2019-08-11 15:30:21.541"),
    ("2014-08-25_17.15.33.jpg", "2014-08-25 17:15:33.000"), ("2014-08-25 17.15.33-1.jpg", "2014-08-25 17:15:33.000"),
    ("Screenshot_20190201-212530_Fennec.jpg", "2019-02-01 21:25:30.000"),
    ("Screenshot_2019-02-01-21-25-30.png", "2019-02-01 21:25:30.000"),
    ("Screenshot from 2019-02-01 21-25-30.png", "2019-02-01 21:25:30.000"),
    ("Screenshot 2019-02-01 at 21.25.30.png", "2019-02-01 21:25:30.000"),
    ("Screen Shot 2014-03-02 at 3.04.05 PM.png", "2014-03-02 15:04:05.000"),
    ("Screenshot 2023-03-02 at 12.04.05\u{202F}AM.png", "2023-03-02 00:04:05.000"),
    ("Bildschirmfoto 2019-02-01 um 21.25.30.png", "2019-02-01 21:25:30.000"),
    ("Capture d’écran 2019-02-01 à 21.25.30.png", "2019-02-01 21:25:30.000"),
    ("WhatsApp Image 2016-12-24 at 12.34.56.jpeg", "2016-12-24 12:34:56.000"),
    ("WIN_20190201_21_25_30_Pro.jpg", "2019-02-01 21:25:30.000"),
    ("/photos/2001-01-01/IMG_2016-12-24.jpg", "2016-12-24"), ("1985-06-14 Christening.jpg", "1985-06-14"),
    ("Skärmavbild 2019-02-01 kl. 21.25.30.png", "2019-02-01 21:25:30.000"),
    ("Captura de pantalla 2019-02-01 a las 21.25.30.png", "2019-02-01 21:25:30.000"),
    ("Captura de ecrã 2019-02-01, às 21.25.30.png", "2019-02-01 21:25:30.000"),
    ("截屏2019-02-01 下午9.25.30.png", "2019-02-01 21:25:30.000"),
    ("스크린샷 2019-02-01 오전 12.25.30.png", "2019-02-01 00:25:30.000"),
    ("スクリーンショット 2019-02-01 午後9.25.30.png", "2019-02-01 21:25:30.000"),
    ("スクリーンショット 2019-02-01 午後0.25.30.png", "2019-02-01 12:25:30.000"),
    ("Captura de pantalla 2024-07-10 a la(s) 5.16.27 p. m..png", "2024-07-10 17:16:27.000"),
    ("Screen Shot 2020-05-05 at 3.12.42 p.m..png", "2020-05-05 15:12:42.000"),
    ("Screen Shot 2020-05-05 at 3.12.42 PM (2).png", "2020-05-05 15:12:42.000"),
    ("Στιγμιότυπο 2020-05-05, 9.25.30 μ.μ..png", "2020-05-05 21:25:30.000"),
    ("Immagine WhatsApp 2025-07-01 ore 13.13.52_0f24702a.jpg", "2025-07-01 13:13:52.000"),
    ("Imagem do WhatsApp de 2024-10-29 à(s) 14.59.46_1a.jpg", "2024-10-29 14:59:46.000"),
    ("Screenshot 2023-10-19 155809.png", "2023-10-19 15:58:09.000"),
    ("2019041210111250-A.jpg", "2019-04-12 10:11:12.500"),
    // A word that begins like AM or PM.
    ("Screenshot 2023-10-15 at 12-30-15 Amazon.com.png", "2023-10-15 12:30:15.000"),
    ("2019-08-10 12.30.15 Am Strand.jpg", "2019-08-10 12:30:15.000"),
    // Zones.
    ("2019-04-12T10-11-12-123Z.png", "2019-04-12 10:11:12.123 UTC"),
    ("2019-04-12_10-11-12_UTC.jpg", "2019-04-12 10:11:12.000 UTC"),
    ("2019-04-12_10-11-12_UTC_1.jpg", "2019-04-12 10:11:12.000 UTC"),
    ("2018-10-02 09-03-45 UTC.jpg", "2018-10-02 09:03:45.000 UTC"),
    ("2018-10-02 09-03-45 UTC+0200.jpg", "2018-10-02 09:03:45.000"),
    ("2019-04-12_10-11-12_UTCX.jpg", "2019-04-12 10:11:12.000"),
    ("2019-04-12T10:11:12.123+02:00.png", "2019-04-12 10:11:12.123 7200"),
    ("20190412T101112-0001.jpg", "2019-04-12 10:11:12.000"), ("2019-04-12 10.11.12 Z 6.jpg", "2019-04-12 10:11:12.000"),
    ("20190412T101112Z.jpg", "2019-04-12 10:11:12.000 UTC"),
    ("20190412T101112-0330.jpg", "2019-04-12 10:11:12.000 -12600"),
    ("2019-04-12 10.11.12 +0200.jpg", "2019-04-12 10:11:12.000 7200"),
    ("20190412_101112-0330.jpg", "2019-04-12 10:11:12.000"), ("20190412_101112Zoo.jpg", "2019-04-12 10:11:12.000"),
    // Two numbers may be a counter, and so may six digits after a blank. An impossible time is
    // none.
    ("2016-12-24 0014.jpg", "2016-12-24"), ("20190201_999999.jpg", "2019-02-01"),
    ("IMG_20190412_101160.jpg", "2019-04-12"), ("2019-04-12 10.11.60.jpg", "2019-04-12"),
    ("2017-02-10 - 100217.jpg", "2017-02-10"), ("2017-02-10 DSC 123456.jpg", "2017-02-10"),
    ("2017-02-10 123456.jpg", "2017-02-10"),
    // Letters may touch a date, unless they are digits of a hexadecimal number.
    ("IMG20190412101112.jpg", "2019-04-12 10:11:12.000"), ("20190412birthday.jpg", "2019-04-12"),
    ("19850614b2.jpg", "1985-06-14"), ("19850614_0001_a.jpg", "1985-06-14"),
    ("20190412a.jpg", "2019-04-12"), ("20261130.jpg", "2026-11-30"), ("19281112_001.jpg", "1928-11-12"),
  ])
  func `a name has this date`(name: String, date: String) { #expect(known(name) == date) }

  @Test(arguments: [
    "IMG_0001.JPG", "DSC01993.ARW", "12345678.jpg", "2019023012.jpg", "20190230.jpg", "P1010001.JPG",
    "1534845737123.jpg", "2016-12.jpg", "2016-1224.jpg", "24-12-2016.jpg", "18991231.jpg", "21000101.jpg", "",
    "/2016-12-24/IMG_0001.JPG", "201612240.jpg", "120161224.jpg", "a1b20190412.jpg", "20190412c3d4.jpg",
    "19281112_10150123456_n.jpg", "19281112_10150_7_o.jpg", "19281112_10150123456_1234_q (1).jpg",
    "24-12-2016-10-11-12.jpg", "Photo 25-08-2014 11 15 33.jpg", "20261201.jpg", "20991231_101112.jpg",
  ])
  func `a name has no date`(name: String) { #expect(known(name) == nil) }
}

import Foundation
import Photos
import PhotosTesting
import Testing

/// The key by which a RAW file and a picture of one shot are found.
@Suite struct ShotKeyTests {
  private let temporary: TemporaryLibrary

  init() throws { temporary = try TemporaryLibrary() }

  private func inspection(
    _ name: String, date: String = "1985:06:14 10:11:12", offset: Int? = 0
  ) throws -> FileInspection {
    let instant = Date(timeIntervalSince1970: 1_000_000_000 - Double(offset ?? 0))
    var metadata = SampleMetadata(captureDate: instant, offset: offset)
    metadata.camera = SampleMetadata.Camera(make: "Maker", model: "Model")
    var data = try SampleMedia.jpeg(size: PictureSize(width: 32, height: 24), metadata: metadata)
    while let found = data.firstRange(of: Data("2001:09:09 01:46:40".utf8)) {
      data.replaceSubrange(found, with: Data(date.utf8))
    }
    let file = temporary.folder.appending(path: name)
    try data.write(to: file)
    return try #require(try FileInspection(url: file))
  }

  @Test(arguments: [("1985:06:14 10:11:12", true), ("1985:06:14   :  :  ", false)])
  func `a date without its time is no key`(date: String, isExact: Bool) throws {
    let inspection = try inspection("IMG_0001.jpg", date: date)
    #expect(inspection.hasCaptureTime == isExact)
    #expect((inspection.shotKey != nil) == isExact)
  }

  /// 487 591 872 is 10:11:12 on that day by a clock on UTC.
  @Test(arguments: [nil, 0, 3600, -34_200])
  func `the local key has the date by the clock, in any zone`(offset: Int?) throws {
    let inspection = try inspection("IMG_0001.jpg", offset: offset)
    #expect(inspection.shot?.localKey == "img_0001|Model|487591872.0")
    #expect(inspection.localDate == Date(timeIntervalSince1970: 487_591_872))
    #expect(inspection.isZoneGuessed == (offset == nil))
    #expect(try self.inspection("IMG_0001.jpg", date: "1985:06:14   :  :  ").localDate == nil)
  }

  @Test(arguments: [
    "PXL_1.RAW-01.COVER.jpg", "PXL_1.RAW-02.ORIGINAL.dng", "PXL_1.RAW-01.MP.COVER.jpg", "pxl_1.JPG",
  ])
  func `the two files of a Pixel's shot have one key`(name: String) throws {
    #expect(try inspection(name).shotKey?.hasPrefix("pxl_1|Model|") == true)
  }

  @Test(arguments: [
    ("PXL_1.RAW-01.COVER(1).jpg", "pxl_1(1)"), ("PXL_1.RAW-02.ORIGINAL(1).dng", "pxl_1(1)"),
    ("PXL_1.RAW-02.ORIGINAL (2).dng", "pxl_1 (2)"), ("PXL_1.RAW-01.MP.COVER~2.jpg", "pxl_1~2"),
    ("PXL_1.RAW-01.COVER(1)b.jpg", "pxl_1.raw-01.cover(1)b"),
  ])
  func `the number of a copy stays in the key`(name: String, stem: String) throws {
    #expect(try inspection(name).shotKey?.hasPrefix("\(stem)|Model|") == true)
  }

  @Test func `other endings of a name stay in the key`() throws {
    #expect(try inspection("PXL_1.COVER.jpg").shotKey?.hasPrefix("pxl_1.cover|Model|") == true)
  }
}

import CoreImage
import Imaging
import PhotosTesting
import Testing

private let corpus = ProcessInfo.processInfo.environment["CALOTYPE_CORPUS"]

@Suite struct CGImageSourceTests {
  private let tiny = PictureSize(width: 64, height: 48)

  private func source(_ data: Data) throws -> CGImageSource {
    try #require(CGImageSourceCreateWithData(data as CFData, nil))
  }

  private func properties(_ data: Data) throws -> [String: Any] {
    try #require(CGImageSourceCopyPropertiesAtIndex(source(data), 0, nil))
  }

  private func properties(ofFile path: String) throws -> [String: Any] {
    try properties(Data(contentsOf: URL(fileURLWithPath: path)))
  }

  /// The expected values are exiftool's.
  @Test(.enabled(if: corpus != nil, "CALOTYPE_CORPUS is not set"))
  func `an iPhone's photo says how it was taken`() throws {
    let all = try properties(ofFile: "\(corpus ?? "")/apple-live/IMG_3589.HEIC")
    let exif = try #require(all[kCGImagePropertyExifDictionary] as? [String: Any])
    #expect(exif[kCGImagePropertyExifVersion] as? [Int] == [2, 3, 1])
    #expect(exif[kCGImagePropertyExifFlashPixVersion] as? [Int] == [1, 0])
    #expect(exif[kCGImagePropertyExifExposureTime] as? Double == 1.0 / 60)
    #expect(exif[kCGImagePropertyExifFNumber] as? Double == 1.8)
    #expect(exif[kCGImagePropertyExifISOSpeedRatings] as? [Int] == [320])
    #expect(exif[kCGImagePropertyExifSubjectArea] as? [Int] == [2013, 1511, 2217, 1330])
    #expect(exif[kCGImagePropertyExifComponentsConfiguration] as? [Int] == [1, 2, 3, 0])
    #expect(exif[kCGImagePropertyExifSubsecTimeOriginal] as? String == "064")
    #expect(exif[kCGImagePropertyExifLensSpecification] as? [Double] == [4.25, 4.25, 1.8, 1.8])
    #expect(exif[kCGImagePropertyExifFocalLenIn35mmFilm] as? Int == 26)
    #expect(exif[kCGImagePropertyExifSceneType] as? Int == 1)
    let bright = try #require(exif[kCGImagePropertyExifBrightnessValue] as? Double)
    #expect(abs(bright - 1.374497236) < 1e-8)
    #expect((all[kCGImagePropertyDPIWidth] as? Double, all[kCGImagePropertyOrientation] as? Int) == (72, 1))
    let note = try #require(all[kCGImagePropertyMakerAppleDictionary] as? [String: Any])
    #expect(note["17"] as? String == "1EA799FF-8384-4BC4-87AA-139A814D9125")
    #expect(note["1"] as? Int == 11)
    #expect((note["8"] as? [Double])?.count == 3)
  }

  /// The expected values are exiftool's.
  @Test(.enabled(if: corpus != nil, "CALOTYPE_CORPUS is not set"))
  func `a photo says its place and its time by GPS`() throws {
    let all = try properties(ofFile: "\(corpus ?? "")/jpeg/gps_DSCN0010.jpg")
    let gps = try #require(all[kCGImagePropertyGPSDictionary] as? [String: Any])
    let latitude = try #require(gps[kCGImagePropertyGPSLatitude] as? Double)
    #expect(abs(latitude - 43.4674483333333) < 1e-9)
    #expect(gps[kCGImagePropertyGPSLongitudeRef] as? String == "E")
    #expect(gps[kCGImagePropertyGPSTimeStamp] as? String == "14:27:07.24")
    #expect(gps[kCGImagePropertyGPSDateStamp] as? String == "2008:10:23")
    #expect(gps[kCGImagePropertyGPSMapDatum] as? String == "WGS-84")
    let tiff = try #require(all[kCGImagePropertyTIFFDictionary] as? [String: Any])
    #expect(tiff[kCGImagePropertyTIFFXResolution] as? Double == 300)
    #expect(tiff[kCGImagePropertyTIFFDateTime] as? String == "2008:11:01 21:15:07")
    #expect(tiff[kCGImagePropertyTIFFModel] as? String == "COOLPIX P6000")
    #expect((all[kCGImagePropertyDepth] as? Int, all[kCGImagePropertyColorModel] as? String) == (8, "RGB"))
    #expect(all[kCGImagePropertyDPIHeight] as? Double == 300)
  }

  @Test func `a recipe has the properties of its file`() throws {
    var metadata = SampleMetadata()
    metadata.userComment = "Screenshot"
    let data = try SampleMedia.jpeg(size: tiny, metadata: metadata)
    let exif = try #require(CIImage(data: data)).properties[kCGImagePropertyExifDictionary] as? [String: Any]
    #expect(exif?[kCGImagePropertyExifUserComment] as? String == "Screenshot")
    #expect(exif?.count == (try properties(data)[kCGImagePropertyExifDictionary] as? [String: Any])?.count)
  }

  @Test(arguments: 1...8) func `an image is as its file stores it, and a thumbnail upright if it is asked for`(
    orientation: Int
  ) throws {
    var metadata = SampleMetadata()
    metadata.orientation = orientation
    let source = try source(SampleMedia.png(size: tiny, metadata: metadata))
    let whole = try #require(CGImageSourceCreateImageAtIndex(source, 0, nil))
    #expect((whole.width, whole.height) == (orientation >= 5 ? (48, 64) : (64, 48)))
    let options: [CFString: Any] = [
      kCGImageSourceCreateThumbnailFromImageAlways: true, kCGImageSourceThumbnailMaxPixelSize: 16,
    ]
    let stored = try #require(CGImageSourceCreateThumbnailAtIndex(source, 0, options as CFDictionary))
    #expect((stored.width, stored.height) == (orientation >= 5 ? (12, 16) : (16, 12)))
    let turned = options.merging([kCGImageSourceCreateThumbnailWithTransform: true]) { $1 }
    let upright = try #require(CGImageSourceCreateThumbnailAtIndex(source, 0, turned as CFDictionary))
    #expect((upright.width, upright.height) == (16, 12))
    #expect(upright.pixels.oriented([6: 8, 8: 6][orientation] ?? orientation) == stored.pixels)
  }

  @Test func `a thumbnail is the file's own, or made if an option says so`() throws {
    var metadata = SampleMetadata()
    metadata.hasThumbnail = true
    let with = try source(SampleMedia.jpeg(size: PictureSize(width: 640, height: 480), metadata: metadata))
    #expect(CGImageSourceCreateThumbnailAtIndex(with, 0, nil)?.width == 160)
    let small = [kCGImageSourceThumbnailMaxPixelSize: 40] as CFDictionary
    #expect(CGImageSourceCreateThumbnailAtIndex(with, 0, small)?.width == 40)
    let without = try source(SampleMedia.jpeg(size: tiny))
    #expect(CGImageSourceCreateThumbnailAtIndex(without, 0, nil) == nil)
    let made: [CFString: Any] = [
      kCGImageSourceCreateThumbnailFromImageIfAbsent: true, kCGImageSourceThumbnailMaxPixelSize: 9999,
    ]
    #expect(CGImageSourceCreateThumbnailAtIndex(without, 0, made as CFDictionary)?.width == 64)
  }

  @Test func `a file says its size and its main picture`() throws {
    let data = try SampleMedia.jpeg(size: tiny)
    let source = try source(data)
    let properties = try #require(CGImageSourceCopyProperties(source, nil))
    #expect(properties[kCGImagePropertyFileSize] as? Int == data.count)
    #expect(properties[kCGImagePropertyPrimaryImage] as? Int == 0)
    #expect(CGImageSourceGetPrimaryImageIndex(source) == 0)
  }

  @Test func `both spellings of the original's subseconds are one key`() {
    #expect(kCGImagePropertyExifSubsecTimeOrginal == "SubsecTimeOriginal")
    #expect(kCGImagePropertyExifSubsecTimeOriginal == kCGImagePropertyExifSubsecTimeOrginal)
  }

  @Test func `a further picture is not there`() throws {
    let source = try source(SampleMedia.jpeg(size: tiny))
    #expect(CGImageSourceCopyPropertiesAtIndex(source, 1, nil) == nil)
    #expect(CGImageSourceCreateImageAtIndex(source, 1, nil) == nil)
    #expect(CGImageSourceCreateThumbnailAtIndex(source, 1, nil) == nil)
  }
}

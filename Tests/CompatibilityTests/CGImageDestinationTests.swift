import CoreImage
import ImageIO
import Imaging
import PhotosTesting
import Testing

@Suite struct CGImageDestinationTests {
  private let tiny = PictureSize(width: 64, height: 48)

  private let dictionaries: [CFString: [CFString: Any]] = [
    kCGImagePropertyTIFFDictionary: [
      kCGImagePropertyTIFFMake: "Voigtländer", kCGImagePropertyTIFFModel: "Bessa", kCGImagePropertyTIFFArtist: "Ada",
    ],
    kCGImagePropertyExifDictionary: [
      kCGImagePropertyExifDateTimeOriginal: "2019:07:24 11:25:40", kCGImagePropertyExifExposureTime: 0.004,
      kCGImagePropertyExifExposureBiasValue: -1.5, kCGImagePropertyExifISOSpeedRatings: [400],
      kCGImagePropertyExifUserComment: "by hand", kCGImagePropertyExifVersion: [2, 3, 2],
      kCGImagePropertyExifFNumber: 4,
    ],
    kCGImagePropertyGPSDictionary: [
      kCGImagePropertyGPSLatitude: 52.520008, kCGImagePropertyGPSLatitudeRef: "S",
      kCGImagePropertyGPSLongitude: 13.404954, kCGImagePropertyGPSLongitudeRef: "W",
      kCGImagePropertyGPSTimeStamp: "09:25:40", kCGImagePropertyGPSAltitude: 34, kCGImagePropertyGPSAltitudeRef: 1,
    ],
    kCGImagePropertyMakerAppleDictionary: ["17": "9A1C", "20": 5],
  ]

  private func written(_ type: String, _ properties: [CFString: Any]) throws -> Data {
    let source = try #require(CGImageSourceCreateWithData(SampleMedia.png(size: tiny), nil))
    let image = try #require(CGImageSourceCreateImageAtIndex(source, 0, nil))
    let data = NSMutableData()
    let destination = try #require(CGImageDestinationCreateWithData(data as CFMutableData, type as CFString, 1, nil))
    CGImageDestinationAddImage(destination, image, properties as CFDictionary)
    #expect(CGImageDestinationFinalize(destination))
    #expect(!CGImageDestinationFinalize(destination))
    return data as Data
  }

  private func read(_ data: Data) throws -> [String: Any] {
    let source = try #require(CGImageSourceCreateWithData(data as CFData, nil))
    return try #require(CGImageSourceCopyPropertiesAtIndex(source, 0, nil))
  }

  @Test(arguments: ["public.jpeg", "public.png", "public.heic", "org.webmproject.webp"])
  func `a file says what it was given`(type: String) throws {
    let data = try written(type, dictionaries)
    let all = try read(data)
    let tiff = try #require(all[kCGImagePropertyTIFFDictionary] as? [String: Any])
    #expect(tiff[kCGImagePropertyTIFFMake] as? String == "Voigtländer")
    #expect(tiff[kCGImagePropertyTIFFArtist] as? String == "Ada")
    let exif = try #require(all[kCGImagePropertyExifDictionary] as? [String: Any])
    #expect(exif[kCGImagePropertyExifExposureTime] as? Double == 0.004)
    #expect(exif[kCGImagePropertyExifExposureBiasValue] as? Double == -1.5)
    #expect(exif[kCGImagePropertyExifISOSpeedRatings] as? [Int] == [400])
    #expect(exif[kCGImagePropertyExifUserComment] as? String == "by hand")
    #expect(exif[kCGImagePropertyExifVersion] as? [Int] == [2, 3, 2])
    #expect(exif[kCGImagePropertyExifFNumber] as? Double == 4)
    #expect(exif[kCGImagePropertyExifPixelXDimension] as? Int == 64)
    let gps = try #require(all[kCGImagePropertyGPSDictionary] as? [String: Any])
    #expect(abs((gps[kCGImagePropertyGPSLatitude] as? Double ?? 0) - 52.520008) < 1e-6)
    #expect(gps[kCGImagePropertyGPSTimeStamp] as? String == "09:25:40")
    #expect(gps[kCGImagePropertyGPSAltitudeRef] as? Int == 1)
    let note = try #require(all[kCGImagePropertyMakerAppleDictionary] as? [String: Any])
    #expect((note["17"] as? String, note["20"] as? Int) == ("9A1C", 5))
    let metadata = try MediaMetadata(of: MediaFile(data: data, name: "a picture"))
    #expect(metadata.contentIdentifier == "9A1C")
    let place = try #require(metadata.location)
    #expect(abs(place.latitude + 52.520008) < 1e-6 && abs(place.longitude + 13.404954) < 1e-6 && place.altitude == -34)
  }

  @Test func `a JPEG keeps IPTC's words`() throws {
    let words: [CFString: Any] = [
      kCGImagePropertyIPTCKeywords: ["fjord", "boat"], kCGImagePropertyIPTCCity: "Bergen",
      kCGImagePropertyIPTCCaptionAbstract: "Ålesund in the rain",
    ]
    let iptc = try read(written("public.jpeg", [kCGImagePropertyIPTCDictionary: words]))[kCGImagePropertyIPTCDictionary]
    let found = try #require(iptc as? [String: Any])
    #expect(found[kCGImagePropertyIPTCKeywords] as? [String] == ["fjord", "boat"])
    #expect(found[kCGImagePropertyIPTCCity] as? String == "Bergen")
    #expect(found[kCGImagePropertyIPTCCaptionAbstract] as? String == "Ålesund in the rain")
  }

  @Test(arguments: [("public.jpeg", 6), ("public.png", 6), ("public.heic", 1), ("public.tiff", 1)])
  func `a picture to be turned is turned once`(type: String, orientation: Int) throws {
    let data = try written(type, [kCGImagePropertyOrientation: 6])
    let metadata = try MediaMetadata(of: MediaFile(data: data, name: "a picture"))
    #expect(metadata.orientation == orientation)
    #expect((metadata.pixelWidth, metadata.pixelHeight) == (48, 64))
  }

  @Test func `a worse quality is smaller, and a side has its limit`() throws {
    let best = try written("public.jpeg", [kCGImageDestinationLossyCompressionQuality: 1])
    let worst = try written("public.jpeg", [kCGImageDestinationLossyCompressionQuality as CFString: 0.1])
    #expect(worst.count < best.count)
    let small = try read(written("public.png", [kCGImageDestinationImageMaxPixelSize: 32]))
    #expect((small[kCGImagePropertyPixelWidth] as? Int, small[kCGImagePropertyPixelHeight] as? Int) == (32, 24))
  }

  @Test func `both types of the quality's name are the same option`() throws {
    let data = try SampleMedia.jpeg(size: tiny)
    let image = try #require(CIImage(data: data))
    let space = CGColorSpaceCreateDeviceRGB()
    let typed = [kCGImageDestinationLossyCompressionQuality as CIImageRepresentationOption: 0.1]
    let spelled = [CIImageRepresentationOption(rawValue: kCGImageDestinationLossyCompressionQuality as String): 0.1]
    let context = CIContext()
    #expect(typed == spelled)
    #expect(
      context.jpegRepresentation(of: image, colorSpace: space, options: typed)?.count ?? .max
        < context.jpegRepresentation(of: image, colorSpace: space)?.count ?? 0)
  }

  @Test func `a source's words are kept but for those that are replaced`() throws {
    let first = try written("public.jpeg", dictionaries)
    let source = try #require(CGImageSourceCreateWithData(first as CFData, nil))
    let data = NSMutableData()
    let destination = try #require(CGImageDestinationCreateWithData(data, "public.jpeg", 1, nil))
    let changes: [CFString: Any] = [
      kCGImagePropertyExifDictionary: [kCGImagePropertyExifUserComment: "again"],
      kCGImagePropertyGPSDictionary: kCFNull as Any,
    ]
    CGImageDestinationAddImageFromSource(destination, source, 0, changes as CFDictionary)
    #expect(CGImageDestinationFinalize(destination))
    let all = try read(data as Data)
    let exif = try #require(all[kCGImagePropertyExifDictionary] as? [String: Any])
    #expect(exif[kCGImagePropertyExifUserComment] as? String == "again")
    #expect(exif[kCGImagePropertyExifDateTimeOriginal] as? String == "2019:07:24 11:25:40")
    #expect((all[kCGImagePropertyMakerAppleDictionary] as? [String: Any])?["17"] as? String == "9A1C")
    #expect(all[kCGImagePropertyGPSDictionary] == nil)
  }

  @Test func `a file is written whole`() throws {
    let url = FileManager.default.temporaryDirectory.appendingPathComponent("\(UUID().uuidString).png")
    defer { try? FileManager.default.removeItem(at: url) }
    let destination = try #require(CGImageDestinationCreateWithURL(url as CFURL, "public.png" as CFString, 1, nil))
    #expect(!CGImageDestinationFinalize(destination))
    CGImageDestinationAddImage(
      destination, CGImage(PixelBuffer(width: 1, height: 1, channels: 3, bytes: [1, 2, 3])), nil)
    #expect(CGImageDestinationFinalize(destination))
    #expect(CIImage(contentsOf: url)?.pixels()?.bytes == [1, 2, 3])
  }

  @Test(arguments: [("public.movie", 1), ("public.jpeg", 2)])
  func `a picture that can't be written has no destination`(type: String, count: Int) {
    #expect(CGImageDestinationCreateWithData(NSMutableData(), type as CFString, count, nil) == nil)
  }
}

import CoreImage
import Imaging
import PhotosTesting
import Testing
import UIKit

@Suite struct CIFilterTests {
  /// A picture in which each pixel is unique: red encodes the column, green the row.
  private func picture(_ width: Int = 64, _ height: Int = 48) throws -> CIImage {
    var bytes: [UInt8] = []
    for row in 0..<height { for column in 0..<width { bytes += [UInt8(column * 4 % 256), UInt8(row * 5 % 256), 200] } }
    let pixels = PixelBuffer(width: width, height: height, channels: 3, bytes: bytes)
    return try #require(CIImage(data: encode(pixels, as: "public.png", quality: 100)))
  }

  private func pixel(_ image: CIImage?, _ x: Int, _ y: Int) throws -> [UInt8] {
    let pixels = try #require(image?.pixels())
    let start = (y * pixels.width + x) * pixels.channels
    return Array(pixels.bytes[start..<start + pixels.channels])
  }

  @Test func `a filter is set up by keys, and by parameters alike`() throws {
    let image = try picture()
    let filter = try #require(CIFilter(name: "CISepiaTone"))
    #expect(filter.outputImage == nil)
    filter.setValue(image, forKey: kCIInputImageKey)
    filter.setValue(0.5, forKey: kCIInputIntensityKey)
    let same = image.applyingFilter("CISepiaTone", parameters: [kCIInputIntensityKey: 0.5])
    #expect(filter.outputImage?.pixels() == same.pixels())
    #expect(filter.value(forKey: kCIInputIntensityKey) as? Double == 0.5)
    filter.setDefaults()
    #expect(filter.value(forKey: kCIInputIntensityKey) as? Double == 1)
    #expect(filter.outputImage?.pixels() == image.applyingFilter("CISepiaTone").pixels())
    let other = CIFilter(
      name: "CISepiaTone", parameters: [kCIInputImageKey: image, kCIInputIntensityKey: CGFloat(0.5)])
    #expect(other?.outputImage?.pixels() == same.pixels())
  }

  @Test func `CISepiaTone gives a known color`() throws {
    #expect(try pixel(picture().applyingFilter("CISepiaTone"), 25, 10) == [116, 103, 80])
  }

  @Test func `every filter is there under its name, and takes its defaults`() throws {
    #expect(
      CIFilter.filterNames(inCategories: nil) == [
        "CIAffineClamp", "CIAffineTransform", "CIAreaAverage", "CIColorControls", "CIColorInvert", "CIColorMatrix",
        "CICrop", "CIExposureAdjust", "CILanczosScaleTransform", "CIPhotoEffectChrome", "CIPhotoEffectFade",
        "CIPhotoEffectInstant", "CIPhotoEffectMono", "CIPhotoEffectNoir", "CIPhotoEffectProcess", "CIPhotoEffectTonal",
        "CIPhotoEffectTransfer", "CISepiaTone", "CIStraightenFilter", "CITemperatureAndTint", "CIVibrance",
      ])
    let image = try picture()
    let changing = CIFilter.filterNames(inCategory: kCICategoryColorEffect)
    for name in CIFilter.filterNames(inCategories: nil) {
      let result = image.applyingFilter(name)
      if changing.contains(name) {
        #expect(result.pixels() != image.pixels(), "\(name)")
      } else if !["CICrop", "CIAffineClamp", "CIAreaAverage"].contains(name) {
        #expect(result === image, "\(name)")
      }
    }
  }

  @Test func `names, keys and bounds`() throws {
    #expect(CIFilter(name: "CINothing") == nil)
    let filter = try #require(CIFilter(name: "CIColorControls"))
    #expect(filter.inputKeys == ["inputImage", "inputSaturation", "inputBrightness", "inputContrast"])
    let contrast = filter.attributes[kCIInputContrastKey] as? [String: Any]
    #expect(contrast?[kCIAttributeDefault] as? Double == 1)
    #expect(contrast?[kCIAttributeSliderMin] as? Double == 0.25)
    filter.setValue(1, forKey: "inputNothing")
    #expect(filter.value(forKey: "inputNothing") == nil)
    let image = try picture()
    let most = image.applyingFilter("CIColorControls", parameters: [kCIInputSaturationKey: 2])
    #expect(image.applyingFilter("CIColorControls", parameters: [kCIInputSaturationKey: 99]).pixels() == most.pixels())
    #expect(image.applyingFilter("CIColorControls", parameters: [kCIInputSaturationKey: Double.nan]) === image)
    #expect(image.applyingFilter("CINothing", parameters: [:]) === image)
  }

  @Test func `a vector can be a white point, a matrix row or a rectangle`() throws {
    let image = try picture()
    let warm = image.applyingFilter("CITemperatureAndTint", parameters: ["inputTargetNeutral": CIVector(x: 4000, y: 0)])
    #expect(try pixel(warm, 30, 20)[0] > pixel(image, 30, 20)[0])
    let swapped = image.applyingFilter(
      "CIColorMatrix",
      parameters: [
        "inputRVector": CIVector(x: 0, y: 0, z: 1, w: 0), "inputBVector": CIVector(x: 1, y: 0, z: 0, w: 0),
      ])
    #expect(try pixel(swapped, 25, 10) == [200, 50, 100])
    let part = image.applyingFilter("CICrop", parameters: ["inputRectangle": CIVector(x: 10, y: 20, z: 5, w: 6)])
    #expect(part.extent == CGRect(x: 10, y: 20, width: 5, height: 6))
  }

  @Test func `colors of a crop, of a turn and of a whole are the same`() throws {
    let image = try picture()
    let whole = try #require(image.applyingFilter("CIPhotoEffectChrome").pixels())
    let area = CGRect(x: 8, y: 4, width: 20, height: 10)
    let early = image.cropped(to: area).applyingFilter("CIPhotoEffectChrome").pixels()
    #expect(early == image.applyingFilter("CIPhotoEffectChrome").cropped(to: area).pixels())
    #expect(early == whole.cropped(x: 8..<28, y: 34..<44))
    let turned = image.oriented(.right).applyingFilter("CIPhotoEffectChrome").cropped(
      to: CGRect(x: 3, y: 5, width: 7, height: 9))
    #expect(turned.pixels() == whole.oriented(6).cropped(x: 3..<10, y: 50..<59))
  }

  @Test(arguments: Int32(1)...8)
  func `a crop of a turned image reads the right part`(orientation: Int32) throws {
    let turned = try picture().oriented(forExifOrientation: orientation)
    let whole = try #require(turned.pixels())
    let part = turned.cropped(to: CGRect(x: 5, y: 7, width: 11, height: 13))
    #expect(part.pixels() == whole.cropped(x: 5..<16, y: whole.height - 20..<whole.height - 7))
    let value = try #require(CGImagePropertyOrientation(rawValue: UInt32(orientation)))
    let transform = try picture().orientationTransform(for: value)
    let byTransform = try picture().clampedToExtent().transformed(by: transform).cropped(to: turned.extent)
    #expect(byTransform.pixels() == whole)
  }

  // MARK: Geometry

  @Test func `a move is exact`() throws {
    let image = try picture()
    let moved = image.transformed(by: CGAffineTransform(translationX: 100, y: -7))
    #expect(moved.extent == CGRect(x: 100, y: -7, width: 64, height: 48))
    #expect(moved.pixels() == image.pixels())
  }

  @Test func `a quarter turn is exact within the picture`() throws {
    let image = try picture()
    let turned = image.clampedToExtent().transformed(by: CGAffineTransform(rotationAngle: .pi / 2))
    let part = turned.cropped(to: CGRect(x: -48, y: 0, width: 48, height: 64))
    #expect(part.pixels() == image.oriented(.left).pixels())
    let open = image.transformed(by: CGAffineTransform(rotationAngle: .pi / 2))
    #expect(open.extent == CGRect(x: -48, y: 0, width: 48, height: 64))
  }

  @Test func `corners that a turn uncovers are transparent`() throws {
    let turned = try picture().transformed(by: CGAffineTransform(rotationAngle: .pi / 4))
    let pixels = try #require(turned.pixels())
    #expect(pixels.channels == 4 && pixels.bytes[3] == 0)
    let middle = (pixels.height / 2 * pixels.width + pixels.width / 2) * 4
    #expect(pixels.bytes[middle + 3] == 255)
  }

  @Test(arguments: [0.1, -0.1, 0.5, -1.2, 3.0])
  func `straightening keeps the bounds and shows no edge`(angle: Double) throws {
    let image = try picture()
    let result = image.applyingFilter("CIStraightenFilter", parameters: [kCIInputAngleKey: angle])
    #expect(result.extent == image.extent)
    #expect(result.pixels()?.channels == 3)
    #expect(try pixel(result, 32, 24)[2] == 200)
  }

  @Test func `a picture is straightened counterclockwise`() throws {
    let image = try picture()
    let result = image.applyingFilter("CIStraightenFilter", parameters: [kCIInputAngleKey: 0.2])
    // Content right of the middle moves up. The row that is now there was lower, where green is
    // stronger.
    let (before, after) = (try pixel(image, 50, 24)[1], try pixel(result, 50, 24)[1])
    #expect(after > before + 8)
  }

  @Test func `scaling keeps flat colors flat`() throws {
    let flat = CIImage(
      pixels: PixelBuffer(width: 40, height: 30, channels: 3, bytes: [UInt8](repeating: 90, count: 3600)))
    for scale in [0.25, 0.5, 2.0] {
      let scaled = flat.clampedToExtent().transformed(by: CGAffineTransform(scaleX: scale, y: scale))
        .cropped(to: CGRect(x: 0, y: 0, width: 40 * scale, height: 30 * scale))
      let pixels = try #require(scaled.pixels())
      #expect(pixels.width == Int(40 * scale) && pixels.bytes.allSatisfy { $0 == 90 })
    }
  }

  @Test func `beyond a clamped image its edge goes on`() throws {
    let wide = try picture().clampedToExtent()
    #expect(wide.extent.isInfinite && wide.pixels() == nil)
    let far = wide.cropped(to: CGRect(x: -10, y: -10, width: 3, height: 3))
    #expect(try pixel(far, 0, 0) == [0, 235, 200])
  }

  // MARK: Metadata

  private func photo() throws -> Data {
    var metadata = SampleMetadata()
    metadata.orientation = 6
    metadata.place = SampleMetadata.Place(latitude: 52.5, longitude: 13.25)
    metadata.camera = .iPhone
    return try SampleMedia.jpeg(size: PictureSize(width: 64, height: 48), metadata: metadata)
  }

  @Test func `a context hands on what the file says`() throws {
    let image = try #require(CIImage(data: photo()))
    let upright = image.oriented(forExifOrientation: 6).applyingFilter("CISepiaTone")
    let space = try #require(image.colorSpace)
    for data in [
      CIContext().jpegRepresentation(of: upright, colorSpace: space),
      CIContext().heifRepresentation(of: upright, format: .RGBA8, colorSpace: space),
    ] {
      let written = try #require(data)
      let source = try #require(CGImageSourceCreateWithData(written as CFData, nil))
      let properties = try #require(CGImageSourceCopyPropertiesAtIndex(source, 0, nil))
      #expect(properties[kCGImagePropertyOrientation] as? Int == 1)
      let gps = properties[kCGImagePropertyGPSDictionary] as? [String: Any]
      #expect(gps?[kCGImagePropertyGPSLatitude] as? Double == 52.5)
      let tiff = properties[kCGImagePropertyTIFFDictionary] as? [String: Any]
      #expect(tiff?[kCGImagePropertyTIFFModel] as? String == SampleMetadata.Camera.iPhone.model)
    }
  }

  @Test func `an image's properties are its file's`() throws {
    let image = try #require(CIImage(data: photo()))
    #expect(image.properties[kCGImagePropertyOrientation] as? Int == 6)
    #expect(image.properties[kCGImagePropertyPixelWidth] as? Int == Int(image.extent.width))
    let brown = image.applyingFilter("CISepiaTone")
    #expect(brown.properties[kCGImagePropertyOrientation] as? Int == 6)
    #expect(CIImage.empty().properties.isEmpty)
  }

  @Test func `an image source tells type and count`() throws {
    let source = try #require(CGImageSourceCreateWithData(photo() as CFData, nil))
    #expect(CGImageSourceGetType(source) == "public.jpeg")
    #expect(CGImageSourceGetCount(source) == 1)
    #expect(CGImageSourceCopyPropertiesAtIndex(source, 1, nil) == nil)
    #expect(CGImageSourceCreateWithData(Data("no picture".utf8) as CFData, nil) == nil)
    #expect(CGImageSourceCreateWithURL(URL(fileURLWithPath: "/nowhere") as CFURL, nil) == nil)
  }

  @Test func `a filtered recipe is an image's data, too`() throws {
    let image = try picture().applyingFilter("CISepiaTone")
    let png = try #require(UIImage(ciImage: image).pngData())
    #expect(UIImage(data: png)?.pixels() == image.pixels())
    #expect(UIImage(ciImage: image).jpegData(compressionQuality: 0.9) != nil)
  }
}

@Suite struct CGAffineTransformTests {
  @Test func `transforms are concatenated in their order`() {
    let both = CGAffineTransform(scaleX: 2, y: 3).concatenating(CGAffineTransform(translationX: 10, y: 20))
    #expect(CGPoint(x: 1, y: 1).applying(both) == CGPoint(x: 12, y: 23))
    let before = CGAffineTransform(scaleX: 2, y: 3).translatedBy(x: 10, y: 20)
    #expect(CGPoint(x: 1, y: 1).applying(before) == CGPoint(x: 22, y: 63))
    #expect(CGSize(width: 2, height: 2).applying(both) == CGSize(width: 4, height: 6))
  }

  @Test func `a transform and its inverse cancel out`() {
    let turn = CGAffineTransform(rotationAngle: 0.3).scaledBy(x: 2, y: 5).translatedBy(x: 7, y: 8)
    let point = CGPoint(x: 3, y: 4).applying(turn).applying(turn.inverted())
    #expect(abs(point.x - 3) < 1e-9 && abs(point.y - 4) < 1e-9)
    let flat = CGAffineTransform(scaleX: 0, y: 1)
    #expect(flat.inverted() == flat)
  }

  @Test func `a turned rectangle's bounds`() {
    let bounds = CGRect(x: 0, y: 0, width: 4, height: 2).applying(CGAffineTransform(rotationAngle: .pi / 2))
    #expect(abs(bounds.minX + 2) < 1e-9 && abs(bounds.width - 2) < 1e-9 && abs(bounds.height - 4) < 1e-9)
  }
}

/// Tests absurd recipes, which adjustment data from a stranger may contain.
@Suite struct HostileRecipeTests {
  private let image = CIImage(
    pixels: PixelBuffer(width: 8, height: 6, channels: 3, bytes: [UInt8](repeating: 90, count: 144)))

  private static let numbers: [CGFloat] = [.nan, .infinity, -1e300]

  @Test(arguments: numbers) func `no number traps`(number: CGFloat) {
    let vector = CIVector(x: number, y: number, z: number, w: number)
    for name in CIFilter.filterNames(inCategories: nil) {
      guard let filter = CIFilter(name: name) else { continue }
      for key in filter.inputKeys.dropFirst() {
        for value in [
          Double(number), vector, CGAffineTransform(translationX: number, y: 0),
          CGAffineTransform(a: number, b: 1, c: number, d: -1, tx: 0, ty: 1),
        ] as [Any] {
          _ = image.applyingFilter(name, parameters: [key: value]).pixels()
          _ = image.clampedToExtent().applyingFilter(name, parameters: [key: value])
            .cropped(to: CGRect(x: 0, y: 0, width: 3, height: 3)).pixels()
        }
      }
    }
    for rect in [
      CGRect(x: number, y: 0, width: 5, height: 5), CGRect(x: 0, y: 0, width: number, height: 5),
      CGRect(x: 0, y: number, width: 5, height: number),
    ] {
      _ = image.cropped(to: rect).pixels()
      _ = image.clampedToExtent().cropped(to: rect).pixels()
    }
  }

  @Test func `a vector that isn't finite is as none`() {
    let vector = CIVector(x: .nan, y: 0, z: 0)
    #expect(image.applyingFilter("CIColorMatrix", parameters: ["inputRVector": vector]) === image)
  }

  @Test func `a picture that takes too much memory is refused`() {
    let large = image.transformed(by: CGAffineTransform(scaleX: 4000, y: 4000))
    #expect(large.extent.width == 32_000)
    #expect(throws: ImagingError.self) { try large.render() }
    do { _ = try large.render() } catch { #expect(error.code == .tooLarge) }
    // A part of the picture is small enough.
    #expect(large.cropped(to: CGRect(x: 9000, y: 9000, width: 10, height: 10)).pixels()?.width == 10)
  }
}

import CoreImage
import PhotosTesting
import Testing
import UIKit

@testable import ImageCoding
@testable import Imaging
@testable import MediaMetadata

/// Tests that edits keep the color space of their file.
@Suite struct WideColorTests {
  private static let red: [UInt8] = [255, 0, 0]
  private static let types = ["public.jpeg", "public.png", "public.heic", "org.webmproject.webp"]

  /// Returns a picture of one color, given in Display P3.
  private func picture(_ type: String, _ color: [UInt8] = red) throws -> Data {
    let pixels = PixelBuffer(width: 64, height: 48, channels: 3, bytes: (0..<64 * 48).flatMap { _ in color })
    return try encode(
      pixels, as: type, quality: 100, carrying: CarriedMetadata(profile: ColoredPicture.displayP3))
  }

  private func color(_ picture: ColoredPicture) -> [UInt8] {
    let middle = (24 * picture.pixels.width + 32) * picture.pixels.channels
    return Array(picture.pixels.bytes[middle..<middle + 3])
  }

  private func isClose(_ one: [UInt8], _ other: [UInt8]) -> Bool {
    zip(one, other).allSatisfy { abs(Int($0) - Int($1)) <= 4 }
  }

  @Test(arguments: types) func `a picture in Display P3 is read and written in it`(type: String) throws {
    let image = try #require(CIImage(data: picture(type)))
    #expect(image.colorSpace?.name == CGColorSpace.displayP3)
    let turned = image.oriented(.right)
    let space = try #require(turned.colorSpace)
    let context = CIContext()
    for data in [
      context.jpegRepresentation(of: turned, colorSpace: space),
      context.pngRepresentation(of: turned, format: .RGBA8, colorSpace: space),
      context.heifRepresentation(of: turned, format: .RGBA8, colorSpace: space),
    ] {
      let written = try EncodedPicture(try #require(data), named: "edit").inOwnColors()
      #expect(written.profile == ColoredPicture.displayP3)
      #expect(isClose(color(written), Self.red))
    }
  }

  @Test(arguments: types) func `a picture's properties have the name of its profile`(type: String) throws {
    let source = try #require(CGImageSourceCreateWithData(try picture(type) as CFData, nil))
    let properties = CGImageSourceCopyPropertiesAtIndex(source, 0, nil)
    // Little CMS calls every profile that it makes of primaries so.
    #expect(properties?[kCGImagePropertyProfileName] as? String == "RGB built-in")
    let plain = try #require(CGImageSourceCreateWithData(try SampleMedia.png(size: .small) as CFData, nil))
    #expect(CGImageSourceCopyPropertiesAtIndex(plain, 0, nil)?[kCGImagePropertyProfileName] == nil)
  }

  @Test func `a filter works on the codes of the file`() throws {
    let image = try #require(CIImage(data: picture("public.png", [100, 50, 200]))).applyingFilter("CISepiaTone")
    #expect(try color(image.render()) == [116, 103, 80])
    // In sRGB, the same color has other values.
    #expect(try color(ColoredPicture(pixels: #require(image.pixels()))) != [116, 103, 80])
  }

  @Test func `a picture that is rendered in sRGB is clipped to it`() throws {
    let image = try #require(CIImage(data: picture("public.png")))
    let data = CIContext().pngRepresentation(of: image, format: .RGBA8, colorSpace: CGColorSpaceCreateDeviceRGB())
    let written = try EncodedPicture(try #require(data), named: "edit").inOwnColors()
    #expect(written.profile == nil)
    #expect(isClose(color(written), Self.red))
    let orange = try #require(CIImage(data: picture("public.png", [200, 100, 50])))
    #expect(isClose(Array(try #require(orange.pixels()).bytes[0..<3]), [215, 92, 31]))
  }

  @Test func `an image in sRGB is written in Display P3 on demand`() throws {
    let pixels = PixelBuffer(width: 64, height: 48, channels: 3, bytes: (0..<64 * 48).flatMap { _ in Self.red })
    let image = try #require(CIImage(data: encode(pixels, as: "public.png", quality: 100)))
    #expect(image.colorSpace == CGColorSpaceCreateDeviceRGB())
    let space = try #require(CGColorSpace(name: CGColorSpace.displayP3))
    let data = CIContext().pngRepresentation(of: image, format: .RGBA8, colorSpace: space)
    let written = try EncodedPicture(try #require(data), named: "edit")
    #expect(try isClose(color(written.inOwnColors()), [234, 51, 35]))
    #expect(try isClose(color(ColoredPicture(pixels: written.pixels())), Self.red))
  }

  @Test func `a UIImage of an edit is in sRGB, as screens are`() throws {
    let image = try #require(CIImage(data: picture("public.png", [200, 100, 50])))
    let data = try #require(UIImage(ciImage: image).pngData())
    let read = try EncodedPicture(data, named: "image").inOwnColors()
    #expect(read.profile == nil)
    #expect(isClose(color(read), [215, 92, 31]))
  }

  /// Display P3 profiles with two other dates, as other programs write them.
  @Test func `no profile of a file or of a program is parsed in this process`() throws {
    let profiles = (200...201).map { year in
      (ColoredPicture.displayP3 ?? []).enumerated().map { $0 == 25 ? UInt8(year) : $1 }
    }
    let pixels = PixelBuffer(
      width: 64, height: 48, channels: 3, bytes: (0..<64 * 48).flatMap { _ in [200, 100, 50] as [UInt8] })
    let data = try encode(pixels, as: "public.png", quality: 100, carrying: CarriedMetadata(profile: profiles[0]))
    let before = ColorProfile.parsedCount.load(ordering: .relaxed)
    let image = try #require(CIImage(data: data))
    let own = try #require(image.colorSpace)
    let other = try #require(CGColorSpace(iccData: Data(profiles[1])))
    let context = CIContext()
    let written = try [
      #require(UIImage(data: data)?.pngData()), #require(UIImage(data: data)?.jpegData(compressionQuality: 1)),
      #require(UIImage(ciImage: image).pngData()),
      #require(context.jpegRepresentation(of: image, colorSpace: CGColorSpaceCreateDeviceRGB())),
      #require(context.pngRepresentation(of: image, format: .RGBA8, colorSpace: own)),
      #require(context.heifRepresentation(of: image, format: .RGBA8, colorSpace: other)),
    ].map { try EncodedPicture($0, named: "written").inOwnColors() }
    #expect(written.map(\.profile) == [nil, nil, nil, nil, profiles[0], profiles[1]])
    for picture in written {
      #expect(isClose(color(picture), picture.profile == nil ? [215, 92, 31] : [200, 100, 50]))
    }
    #expect(ColorProfile.parsedCount.load(ordering: .relaxed) == before)
  }

  @Test func `a picture can't be written in an invalid color space`() throws {
    let image = try #require(CIImage(data: picture("public.png")))
    let space = try #require(CGColorSpace(iccData: Data("no profile".utf8)))
    #expect(CIContext().jpegRepresentation(of: image, colorSpace: space) == nil)
    #expect(CGColorSpace(name: "kCGColorSpaceNone") == nil && CGColorSpace(iccData: Data()) == nil)
  }
}

import Foundation
import Testing

@testable import ImageCoding
@testable import Imaging
@testable import MediaMetadata

@Suite struct RenditionColorTests {
  private static var displayP3: ColorProfile? { ColorProfile(primaries: 12, transfer: 13) }

  /// Colors in Display P3 and in sRGB, computed outside of this package from the matrices of both
  /// color spaces.
  @Test(
    arguments: [
      ([128, 128, 128], [128, 128, 128]),
      ([200, 100, 50], [215, 93, 31]),
      ([234, 51, 35], [255, 0, 0]),
      // A color outside of sRGB is clipped.
      ([0, 255, 0], [0, 255, 0]),
    ] as [([UInt8], [UInt8])])
  func displayP3BecomesSRGB(p3: [UInt8], sRGB: [UInt8]) throws {
    let profile = try #require(Self.displayP3).bytes
    var pixels = PixelBuffer(width: 1, height: 1, channels: 3, bytes: p3)
    #expect(pixels.convertToSRGB(from: .profile(profile)) == nil)
    #expect(close([pixels.bytes], [sRGB], within: 3), "\(pixels.bytes)")
    var coded = PixelBuffer(width: 1, height: 1, channels: 4, bytes: p3 + [77])
    #expect(coded.convertToSRGB(from: .coded(primaries: 12, transfer: 13)) == nil)
    #expect(close([coded.bytes], [sRGB + [77]], within: 3), "\(coded.bytes)")
  }

  @Test func oneProfilesTablesAreNotTakenForAnothers() throws {
    let profile = try #require(Self.displayP3).bytes
    func converted(_ colors: ColorDescription) -> [UInt8] {
      var pixels = PixelBuffer(width: 1, height: 1, channels: 3, bytes: [200, 100, 50])
      _ = pixels.convertToSRGB(from: colors)
      return pixels.bytes
    }
    let wide = converted(.coded(primaries: 9, transfer: 13))
    let narrow = converted(.profile(profile))
    #expect(wide != narrow && narrow != [200, 100, 50])
    for _ in 0..<2 {
      #expect(converted(.coded(primaries: 9, transfer: 13)) == wide)
      #expect(converted(.profile(profile)) == narrow)
      #expect(converted(.sRGB) == [200, 100, 50])
    }
  }

  @Test func aJPEGsProfileIsFound() throws {
    let profile = try #require(Self.displayP3).bytes
    let jpeg = try encode(Sample.picture(64, 64) { _, _ in [200, 100, 50] }, as: "public.jpeg", quality: 95)
    // The profile is in two segments, the second one first.
    let half = profile.count / 2
    let segments = [(2, profile[half...]), (1, profile[..<half])].map { number, part -> [UInt8] in
      let body = Array("ICC_PROFILE\0".utf8) + [UInt8(number), 2] + part
      return [0xFF, 0xE2, UInt8((body.count + 2) >> 8), UInt8((body.count + 2) & 0xFF)] + body
    }
    let tagged = Data(jpeg.prefix(2)) + segments.reduce([], +) + jpeg.dropFirst(2)
    let set = try makeRenditions(
      of: try TemporaryFolder().file(tagged), metadata: Sample.metadata("public.jpeg"), kinds: [.grid])
    let picture = try set.rendition(.grid).decoded()
    #expect(close([picture[32, 32]], [[215, 93, 31]], within: 4), "\(picture[32, 32])")
  }

  @Test func sRGBUnderAnyNameIsLeftAlone() throws {
    #expect(try #require(ColorProfile.sRGB).isSRGB)
    #expect(try #require(Self.displayP3).isSRGB == false)
    #expect(ColorProfile(primaries: 1, transfer: 13) == nil)
  }

  @Test func pixelsThatSayThatTheyAreSRGBAreTakenAsTheyAre() throws {
    let picture = Sample.picture(64, 64) { x, y in [UInt8(x * 4), UInt8(y * 4), UInt8((x * 37 + y * 11) % 256)] }
    var carried = CarriedMetadata()
    carried.profile = try #require(ColorProfile.sRGB).bytes
    let file = try MediaFile(data: encode(picture, as: "public.png", quality: 100, carrying: carried), name: "a.png")
    #expect(try file.read(4096, at: 0).contains(ascii("iCCP")))
    #expect(try decodePicture(of: file, metadata: MediaMetadata(of: file)) == picture)
  }

  @Test func aDamagedProfileIsNoted() {
    var pixels = Sample.quadrants(4, 4)
    #expect(pixels.convertToSRGB(from: .profile([1, 2, 3])) == "its color profile is damaged")
    #expect(pixels == Sample.quadrants(4, 4))
  }

  /// Cameras of Google write the gain map as a separate picture after the one that is shown.
  @Test func aStillWithAGainMapIsThePictureAlone() throws {
    let picture = try encode(Sample.quadrants(64, 48), as: "public.jpeg", quality: 95)
    let grey = Sample.picture(16, 12) { x, _ in [UInt8](repeating: UInt8(x * 16), count: 3) }
    let map = try encode(grey, as: "public.jpeg", quality: 90)
    let xmp = """
      <rdf:Description hdrgm:Version="1.0"><Container:Directory><rdf:Seq><rdf:li><Container:Item Item:Semantic="Primary"/></rdf:li>
      <rdf:li><Container:Item Item:Semantic="GainMap" Item:Length="\(map.count)"/></rdf:li></rdf:Seq></Container:Directory></rdf:Description>
      """
    let packet = ascii("http://ns.adobe.com/xap/1.0/\0") + Array(xmp.utf8)
    let segment: [UInt8] = [0xFF, 0xE1] + big(packet.count + 2, 2) + packet
    var still = Data(picture.prefix(2))
    still.append(contentsOf: segment)
    still.append(picture.dropFirst(2))
    still.append(map)
    let folder = try TemporaryFolder()
    let plain = try folder.file(picture, named: "plain.jpg")
    let file = try folder.file(still, named: "gain-map.jpg")
    let metadata = try MediaMetadata(of: file)
    #expect(metadata.subtypes == .hdr)
    #expect(metadata.pixelWidth == 64 && metadata.pixelHeight == 48)
    let shown = try decodePicture(of: file, metadata: metadata)
    #expect(close(shown.corners, [Sample.red, Sample.green, Sample.blue, Sample.white]))
    #expect(try shown == decodePicture(of: plain, metadata: MediaMetadata(of: plain)))
  }

  @Test(arguments: [16, 18]) func highDynamicRangeKeepsItsOrder(transfer: Int) {
    var grey = Sample.picture(256, 1) { x, _ in [UInt8(x), UInt8(x), UInt8(x)] }
    #expect(grey.convertToSRGB(from: .coded(primaries: 9, transfer: transfer)) == nil)
    let levels = (0..<256).map { Int(grey[$0, 0][1]) }
    #expect(zip(levels, levels.dropFirst()).allSatisfy { $0 <= $1 + 1 })
    #expect(levels[0] < 3)
    #expect(levels[255] > 245)
  }
}

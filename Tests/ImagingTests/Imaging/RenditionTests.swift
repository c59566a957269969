import Foundation
import Testing

@testable import ImageCoding
@testable import Imaging
@testable import MediaMetadata

@Suite struct RenditionTests {
  @Test(arguments: [
    // The columns: sizes of the original, the screen rendition and the grid rendition.
    ((4032, 3024), (2016, 1512), (480, 360)),
    ((3024, 4032), (1512, 2016), (360, 480)),
    ((6000, 4000), (2000, 1333), (540, 360)),
    ((2400, 1800), (2048, 1536), (480, 360)),
    ((640, 480), (640, 480), (480, 360)),
    ((200, 100), (200, 100), (200, 100)),
    // For a panorama, the limit of the longer side decides.
    ((10000, 1000), (2000, 200), (1440, 144)),
    ((1, 40000), (1, 2000), (1, 1440)),
  ])
  func `a screen and a grid rendition have these sizes`(original: (Int, Int), screen: (Int, Int), grid: (Int, Int)) {
    let size = PixelSize(width: original.0, height: original.1)
    #expect(RenditionKind.screen.size(of: size) == PixelSize(width: screen.0, height: screen.1))
    #expect(RenditionKind.grid.size(of: size) == PixelSize(width: grid.0, height: grid.1))
    #expect(RenditionKind.full.size(of: size) == size)
  }

  @Test func aTwelveMegapixelJPEGIsDecodedAtHalfSize() throws {
    let file = try TemporaryFolder().file(encode(Sample.quadrants(4032, 3024), as: "public.jpeg", quality: 90))
    let set = try makeRenditions(of: file, metadata: Sample.metadata("public.jpeg"), kinds: [.screen, .grid])
    let screen = try set.rendition(.screen)
    let grid = try set.rendition(.grid)
    #expect(screen.size == PixelSize(width: 2016, height: 1512))
    #expect(grid.size == PixelSize(width: 480, height: 360))
    #expect(close(try screen.decoded().corners, [Sample.red, Sample.green, Sample.blue, Sample.white]))
    #expect(close(try grid.decoded().corners, [Sample.red, Sample.green, Sample.blue, Sample.white]))
    #expect(set.notes.isEmpty)
  }

  @Test(arguments: 1...8) func everyOrientationComesOutUpright(orientation: Int) throws {
    let upright = Sample.quadrants(96, 64)
    // EXIF's orientations 6 and 8 are inverse to each other. Each other one is its own inverse.
    let inverse = [6: 8, 8: 6][orientation] ?? orientation
    let file = try TemporaryFolder().file(
      encode(upright.oriented(inverse), as: "public.jpeg", quality: 95))
    let set = try makeRenditions(
      of: file, metadata: Sample.metadata("public.jpeg", orientation: orientation), kinds: [.grid])
    let picture = try set.rendition(.grid).decoded()
    #expect(picture.size == PixelSize(width: 96, height: 64))
    #expect(close(picture.corners, [Sample.red, Sample.green, Sample.blue, Sample.white]))
  }

  @Test func sixIsAQuarterTurnClockwise() {
    let turned = Sample.quadrants(4, 2).oriented(6)
    #expect(turned.size == PixelSize(width: 2, height: 4))
    #expect(turned.corners == [Sample.blue, Sample.red, Sample.white, Sample.green])
  }

  @Test(arguments: [
    "public.jpeg", "public.png", "public.heic", "public.avif", "org.webmproject.webp", "public.tiff",
    "com.compuserve.gif", "public.jpeg-xl",
  ])
  func everyFormatComesBackAsItWas(type: String) throws {
    let file = try TemporaryFolder().file(encode(Sample.quadrants(320, 200), as: type, quality: 95))
    let set = try makeRenditions(of: file, metadata: Sample.metadata(type), kinds: [.screen])
    let picture = try set.rendition(.screen).decoded()
    #expect(picture.size == PixelSize(width: 320, height: 200))
    #expect(close(picture.corners, [Sample.red, Sample.green, Sample.blue, Sample.white]), "\(picture.corners)")
    #expect(set.notes.isEmpty)
  }

  @Test(arguments: ["public.png", "org.webmproject.webp", "public.heic", "public.avif"])
  func transparencyIsKept(type: String) throws {
    let half = Sample.picture(800, 600, channels: 4) { x, _ in Sample.red + [x < 400 ? 0 : 255] }
    let file = try TemporaryFolder().file(encode(half, as: type, quality: 95))
    let set = try makeRenditions(of: file, metadata: Sample.metadata(type), kinds: [.grid])
    let grid = try set.rendition(.grid)
    #expect(grid.uniformTypeIdentifier == "org.webmproject.webp")
    #expect(grid.size == PixelSize(width: 480, height: 360))
    let picture = try grid.decoded()
    #expect(picture[100, 100].last == 0)
    #expect(close([picture[400, 100]], [Sample.red + [255]]))
    // The placeholder is white behind transparent parts.
    #expect(Array(set.placeholder[2...4]) == [255, 255, 255])
  }

  @Test func `an opaque alpha channel is dropped`() throws {
    let file = try TemporaryFolder().file(
      encode(Sample.quadrants(40, 40, channels: 4), as: "public.png", quality: 100))
    let set = try makeRenditions(of: file, metadata: Sample.metadata("public.png"), kinds: [.grid])
    #expect(try set.rendition(.grid).uniformTypeIdentifier == "public.jpeg")
  }

  @Test func thePlaceholderIsThePictureInAFewPixels() throws {
    let file = try TemporaryFolder().file(encode(Sample.quadrants(600, 300), as: "public.png", quality: 100))
    let set = try makeRenditions(of: file, metadata: Sample.metadata("public.png"), kinds: [])
    #expect(set.renditions.isEmpty)
    #expect(set.placeholder.prefix(2) == [6, 3])
    #expect(set.placeholder.count == 2 + 6 * 3 * 3)
    #expect(close([Array(set.placeholder[2...4])], [Sample.red], within: 2))
    #expect(close([Array(set.placeholder.suffix(3))], [Sample.white], within: 2))
  }

  @Test func aFlatPictureStaysFlatWhenResized() {
    let flat = Sample.picture(1001, 757) { _, _ in [7, 128, 251] }
    for size in [(333, 251), (1000, 756), (17, 3), (1, 1)] {
      let resized = flat.resized(to: PixelSize(width: size.0, height: size.1))
      #expect(
        Set((0..<resized.width * resized.height).map { Array(resized.bytes[$0 * 3..<$0 * 3 + 3]) }) == [[7, 128, 251]])
    }
  }

  @Test func bitmapsAreReadWithoutImageMagick() throws {
    var bmp: [UInt8] = Array("BM".utf8) + [0, 0, 0, 0, 0, 0, 0, 0, 54, 0, 0, 0, 40, 0, 0, 0]
    bmp += [2, 0, 0, 0, 2, 0, 0, 0, 1, 0, 24, 0] + [UInt8](repeating: 0, count: 24)
    func bgr(_ color: [UInt8]) -> [UInt8] { color.reversed() }
    bmp += bgr(Sample.blue) + bgr(Sample.white) + [0, 0] + bgr(Sample.red) + bgr(Sample.green) + [0, 0]
    let file = try TemporaryFolder().file(bmp)
    let pixels = try decodeBMP(file, DecodingRequest(kinds: [.full], limits: .standard)).pixels
    #expect(pixels.bytes == Sample.red + Sample.green + Sample.blue + Sample.white)
  }

  @Test func exifIsEmbedded() throws {
    let exif: [UInt8] = Array("II*\0".utf8) + [8, 0, 0, 0, 0, 0, 0, 0, 0, 0]
    for type in ["public.jpeg", "public.png", "public.heic", "public.avif"] {
      let data = try encode(Sample.quadrants(64, 64), as: type, quality: 90, exif: exif)
      #expect(data.range(of: Data(exif)) != nil, "\(type)")
    }
  }
}

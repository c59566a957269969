import Foundation
import Testing

@testable import ImageCoding
@testable import Imaging
@testable import MediaMetadata

/// Tests which of a raw file's two pictures is shown. The preview is blue, and the sensor's picture
/// is green.
@Suite struct RawDecodingTests {
  private static let metadata: MediaMetadata = {
    var metadata = Sample.metadata("com.adobe.raw-image")
    metadata.type = MediaType(kind: .image, "com.adobe.raw-image", "dng", isRaw: true)
    (metadata.pixelWidth, metadata.pixelHeight) = (2400, 1600)
    return metadata
  }()

  private static let samples: [UInt8] = {
    // Rows of red and green alternate with rows of green and blue. Green is bright.
    let rows = [[0x0800, 0x3000], [0x3000, 0x0800]].map { pair in
      [[UInt8]](repeating: pair.flatMap { big($0, 2) }, count: 1200).flatMap { $0 }
    }
    return [[UInt8]](repeating: rows[0] + rows[1], count: 800).flatMap { $0 }
  }()

  /// An uncompressed DNG of a sensor with 2400 × 1600 pixels.
  private static func file(
    preview side: Int?, orientation: Int = 1, compression: (Int, TIFFBuilder.Value)? = (0x103, .short([7])),
    colors pattern: [UInt8] = [0, 1, 1, 2]
  ) throws -> MediaFile {
    let preview = try side.map { side in
      [UInt8](try encode(Sample.picture(side, side * 2 / 3) { _, _ in Sample.blue }, as: "public.jpeg", quality: 90))
    }
    let sensor: [(Int, TIFFBuilder.Value)] = [
      (0xFE, .long([0])), (0x100, .long([2400])), (0x101, .long([1600])), (0x102, .short([16])), (0x103, .short([1])),
      (0x106, .short([32803])), (0x111, .long([8])), (0x115, .short([1])), (0x116, .long([1600])),
      (0x117, .long([samples.count])), (0x11C, .short([1])),
      (0x828D, .short(pattern.count == 4 ? [2, 2] : [6, 6])), (0x828E, .bytes(pattern)), (0xC61D, .long([0x3FFF])),
    ]
    var main: [(Int, TIFFBuilder.Value)] = [
      (0x10F, .text("Acme")), (0x110, .text("One")), (0x112, .short([orientation])), (0xC612, .bytes([1, 4, 0, 0])),
      (0xC628, .rational([(1, 1), (1, 1), (1, 1)])),
    ]
    if let preview, let side {
      main += [
        (0xFE, .long([1])), (0x100, .long([side])), (0x101, .long([side * 2 / 3])), (0x102, .short([8, 8, 8])),
        (0x106, .short([6])), (0x111, .long([8 + samples.count])), (0x115, .short([3])),
        (0x116, .long([side * 2 / 3])), (0x117, .long([preview.count])), (0x14A, .directory(sensor)),
      ]
      if let compression { main.append(compression) }
    } else {
      main += sensor
    }
    return try TemporaryFolder().file(TIFFBuilder(main: main, preamble: samples + (preview ?? [])).bytes)
  }

  /// The pattern of Fuji's X-Trans sensors, at which LibRaw loops forever.
  private static let xTransPattern: [UInt8] = [
    1, 1, 0, 1, 1, 2, 1, 1, 2, 1, 1, 0, 2, 0, 1, 0, 2, 1, 1, 1, 2, 1, 1, 0, 1, 1, 0, 1, 1, 2, 0, 2, 1, 2, 0, 1,
  ]

  @Test func anXTransSensorIsShownByItsPreview() throws {
    let file = try Self.file(preview: 1200, colors: Self.xTransPattern)
    let set = try makeRenditions(of: file, metadata: Self.metadata, kinds: [.grid, .screen])
    #expect(set.renditions.count == 2)
    let picture = try makePicture(
      of: file, metadata: Self.metadata, PictureRequest(.fitting(width: 600, height: 600)))
    #expect(Self.source(of: picture) == .preview)
  }

  @Test func anXTransSensorWithoutAPreviewIsNotSupported() throws {
    let file = try Self.file(preview: nil, colors: Self.xTransPattern)
    let error = #expect(throws: ImagingError.self) {
      try makeRenditions(of: file, metadata: Self.metadata, kinds: [.grid])
    }
    #expect(error?.code == .unsupported)
    #expect(error?.reason.contains("six pixels") == true)
  }

  @Test(
    arguments: [
      ([0x82, 0x8E, 0, 1, 0, 0, 0, 36], true), ([0xFD, 0x09, 0, 1, 0, 0, 0, 36, 9], true),
      ([7, 0x8E, 0x82, 1, 0, 36, 0, 0, 0], true), ([0x09, 0xFD, 1, 0, 36, 0, 0, 0], true),
      ([0x82, 0x8E, 0, 1, 0, 0, 1, 36], false), ([0x8E, 0x82, 0, 1, 0, 0, 0, 36], false),
      ([0x82, 0x8E, 0, 1, 0, 0, 0, 4], false), ([0x8E, 0x82, 1, 0, 36, 0, 0], false), ([36], false), ([], false),
    ] as [([UInt8], Bool)])
  func `X-Trans color patterns are hidden from LibRaw`(_ bytes: [UInt8], _ isFound: Bool) {
    var changed = bytes
    #expect(changed.withUnsafeMutableBytes { hideXTransPatterns(in: $0) } == isFound)
    #expect(changed == (isFound ? bytes.map { $0 == 36 ? 35 : $0 } : bytes))
  }

  fileprivate enum Source { case preview, sensor }

  private static func source(of pixels: PixelBuffer) -> Source {
    let color = pixels[pixels.width / 2, pixels.height / 2]
    return color[2] > color[1] ? .preview : .sensor
  }

  @Test(
    arguments: [
      // The columns: the preview's longer side, the requested size, the source, and the result's
      // longer side.
      (2400, .whole, .preview, 2400), (2376, .whole, .preview, 2376), (1616, .whole, .sensor, 2400),
      (1616, .fitting(width: 2000, height: 2000), .sensor, 2400),
      (1616, .fitting(width: 1600, height: 1600), .preview, 1616),
      // Half of the sensor's resolution is enough.
      (640, .fitting(width: 1200, height: 1200), .sensor, 1200),
      (640, .fitting(width: 1000, height: 1000), .sensor, 1200),
      (640, .fitting(width: 600, height: 600), .preview, 640), (nil, .fitting(width: 600, height: 600), .sensor, 600),
      (nil, .whole, .sensor, 2400),
    ] as [(Int?, PictureRequest.Size, Source, Int)])
  fileprivate func thePreviewServesWhereItIsLargeEnough(
    preview: Int?, size: PictureRequest.Size, source: Source, longSide: Int
  ) throws {
    let pixels = try makePictureInProcess(
      of: Self.file(preview: preview), metadata: Self.metadata, PictureRequest(size), limits: .standard)
    #expect(Self.source(of: pixels) == source)
    #expect(pixels.size.longSide == longSide)
  }

  @Test func anExactSizeIsExact() throws {
    for preview in [640, 1616, 2400] {
      let pixels = try makePictureInProcess(
        of: Self.file(preview: preview), metadata: Self.metadata,
        PictureRequest(.filling(width: 1500, height: 1500), isExact: true), limits: .standard)
      #expect(pixels.size == PixelSize(width: 1500, height: 1500))
      #expect(Self.source(of: pixels) == (preview == 2400 ? .preview : .sensor))
    }
  }

  @Test(arguments: [(1100, .preview), (900, .sensor)] as [(Int, Source)])
  fileprivate func theLibrarysOwnPicturesAreMadeOfAnyPreviewFrom1024On(preview: Int, source: Source) throws {
    let set = try makeRenditionsInProcess(
      of: Self.file(preview: preview), metadata: Self.metadata, kinds: [.grid, .screen])
    #expect(Self.source(of: try set.rendition(.screen).decoded()) == source)
    let full = try makeRenditionsInProcess(of: Self.file(preview: preview), metadata: Self.metadata, kinds: [.full])
    #expect(Self.source(of: try full.rendition(.full).decoded()) == .sensor)
    #expect(try full.rendition(.full).size == PixelSize(width: 2400, height: 1600))
  }

  @Test(arguments: [640, 1616, 2400]) func theThumbnailInsideIsThePreview(side: Int) throws {
    let thumbnail = try #require(
      try decodeEmbeddedThumbnail(of: Self.file(preview: side), metadata: Self.metadata, limits: .standard))
    #expect(Self.source(of: thumbnail) == .preview)
    #expect(thumbnail.size == PixelSize(width: 540, height: 360))
  }

  @Test(arguments: [nil, (0x103, .short([0]))] as [(Int, TIFFBuilder.Value)?])
  func `a preview that does not say how it is compressed is left alone`(
    compression: (Int, TIFFBuilder.Value)?
  ) throws {
    let file = try Self.file(preview: 64, compression: compression)
    let request = DecodingRequest(kinds: [.grid], limits: .standard)
    let picture = try decodeRaw(file, request)
    #expect(Self.source(of: picture.pixels) == .sensor)
    #expect(picture.notes == ["the preview: a preview without a compression type"])
  }

  @Test func withoutAPreviewThereIsNoThumbnail() throws {
    #expect(
      try decodeEmbeddedThumbnail(of: Self.file(preview: nil), metadata: Self.metadata, limits: .standard) == nil)
  }

  @Test(arguments: [1, 3, 6, 8]) func bothPicturesAreUpright(orientation: Int) throws {
    var metadata = Self.metadata
    let size = orientation >= 5 ? PixelSize(width: 1600, height: 2400) : PixelSize(width: 2400, height: 1600)
    (metadata.pixelWidth, metadata.pixelHeight) = (size.width, size.height)
    for preview in [640, 2400] {
      let file = try Self.file(preview: preview, orientation: orientation)
      let pixels = try makePictureInProcess(of: file, metadata: metadata, PictureRequest(.whole), limits: .standard)
      #expect(pixels.size == size)
    }
  }

  @Test func aSensorTooLargeForMemoryIsDevelopedInHalfItsSize() throws {
    let limits = DecodingLimits(pixels: 4_000_000, seconds: 10)
    let metadata = Self.metadata
    let half = try makePictureInProcess(
      of: Self.file(preview: 640), metadata: metadata, PictureRequest(.whole), limits: limits)
    #expect(half.size == PixelSize(width: 1200, height: 800))
    // A preview that is larger than half of the sensor is better.
    let preview = try makePictureInProcess(
      of: Self.file(preview: 1616), metadata: metadata, PictureRequest(.whole), limits: limits)
    #expect(preview.size.longSide == 1616)
  }

  @Test func aFileThatCannotBeDevelopedIsShownByItsPreview() throws {
    // The limit is too low even for half of the sensor's resolution.
    let pixels = try makePictureInProcess(
      of: Self.file(preview: 640), metadata: Self.metadata, PictureRequest(.whole),
      limits: DecodingLimits(pixels: 1_000_000, seconds: 10))
    #expect(pixels.size.longSide == 640)
    #expect(Self.source(of: pixels) == .preview)
  }

  @Test func developingHasMoreTimeThanDecoding() throws {
    #expect(DecodingLimits.whole(MediaType(kind: .image, "com.adobe.raw-image", "dng", isRaw: true)).seconds == 30)
    #expect(DecodingLimits.whole(MediaType(kind: .image, "public.jpeg", "jpg")).seconds == 10)
  }
}

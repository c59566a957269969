import Foundation
import Testing

@testable import ImageCoding
@testable import Imaging
@testable import MediaMetadata

/// Pictures of more pixels than a decoder may hold. The limit is small, so the pictures can
/// be, too.
@Suite struct LargePictureTests {
  private static let size = PixelSize(width: 2600, height: 100)
  /// Fewer than the picture has, and more than it has on a screen.
  private static let limits = DecodingLimits(pixels: 200_000, seconds: 60)

  private static let picture = Sample.picture(size.width, size.height) { x, _ in [UInt8(x / 16), 80, 160] }

  private static func made(_ bytes: some DataProtocol, _ kind: RenditionKind) throws -> PixelSize {
    let file = try TemporaryFolder().file(bytes)
    let metadata = try MediaMetadata(of: file)
    return try makeRenditionsInProcess(of: file, metadata: metadata, kinds: [kind], limits: limits).rendition(kind).size
  }

  private static var tiff: [UInt8] {
    let count = size.pixels
    return TIFFBuilder(
      main: [
        (0x100, .long([size.width])), (0x101, .long([size.height])), (0x102, .short([8])), (0x103, .short([1])),
        (0x106, .short([1])), (0x111, .long([8])), (0x115, .short([1])), (0x116, .long([size.height])),
        (0x117, .long([count])),
      ], preamble: [UInt8](repeating: 100, count: count)
    ).bytes
  }

  @Test(arguments: ["png", "tiff"]) func `a picture that is decoded row by row is shown smaller`(name: String) throws {
    let data = name == "png" ? try encode(Self.picture, as: "public.png", quality: 100) : Data(Self.tiff)
    #expect(try Self.made(data, .screen) == PixelSize(width: 2048, height: 79))
    let error = #expect(throws: ImagingError.self) { try Self.made(data, .full) }
    #expect(error?.code == .tooLarge)
  }

  @Test func `a decoder that holds the whole picture refuses it`() throws {
    let data = try encode(Self.picture, as: "org.webmproject.webp", quality: 90)
    let error = #expect(throws: ImagingError.self) { try Self.made(data, .screen) }
    #expect(error?.code == .tooLarge)
  }

  @Test func `an interlaced PNG is held whole`() throws {
    let folder = try TemporaryFolder()
    let plain = try folder.file(encode(Self.picture, as: "public.png", quality: 100), named: "plain.png")
    let path = folder.url.appendingPathComponent("interlaced.png")
    try Program.run("ffmpeg", ["-loglevel", "error", "-i", plain.name, "-flags", "+ildct", path.path])
    let data = try Data(contentsOf: path)
    try #require(data[28] == 1)
    let error = #expect(throws: ImagingError.self) { try Self.made(data, .screen) }
    #expect(error?.code == .tooLarge)
  }

  /// The header of a progressive JPEG whose first component has this sampling.
  private static func progressive(components: Int, sampling: UInt8) -> JPEGStructure {
    var frame: [UInt8] = [8] + big(7000, 2) + big(21_000, 2) + [UInt8(components)]
    for component in 0..<components { frame += [UInt8(component + 1), component == 0 ? sampling : 0x11, 0] }
    let scan: [UInt8] = [1, 1, 0, 0, 63, 0]
    var bytes: [UInt8] = [0xFF, 0xD8, 0xFF, 0xC2] + big(frame.count + 2, 2) + frame
    bytes += [0xFF, 0xDA] + big(scan.count + 2, 2) + scan + [0x55, 0xFF, 0xD9]
    return JPEGStructure(bytes)
  }

  @Test(
    arguments: [
      ("gray", 1, 0x11, 147, true), ("subsampled", 3, 0x22, 147, true), ("of whole colors", 3, 0x11, 147, true),
      ("of whole colors", 3, 0x11, 170, false), ("of four inks", 4, 0x11, 147, false), ("gray", 1, 0x11, 600, false),
    ] as [(String, Int, UInt8, Int, Bool)])
  func `a progressive JPEG is shown if its coefficients fit the memory`(
    name: String, components: Int, sampling: UInt8, megapixels: Int, isShown: Bool
  ) throws {
    let structure = Self.progressive(components: components, sampling: sampling)
    try #require(structure.isProgressive)
    let size = PixelSize(width: 1_000_000, height: megapixels)
    let file = try MediaFile(data: Data([0]), name: "large.jpg")
    let request = DecodingRequest(kinds: [.screen], limits: .standard)
    let error = Result { () throws(ImagingError) in try checkCost(of: structure, size: size, request, file) }
    switch error {
    case .success: #expect(isShown)
    case .failure(let error): #expect(!isShown && error.code == .tooLarge, "\(error)")
    }
  }
}

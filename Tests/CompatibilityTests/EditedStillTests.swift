import CoreImage
import Imaging
import PhotosTesting
import TestSupport
import Testing

/// Tests edits of pictures with several frames, more than eight bits, or a gain map.
@Suite struct EditedStillTests {
  private static let size = PictureSize(width: 64, height: 48)

  private func edited(_ data: Data) throws -> PixelBuffer {
    let image = try #require(CIImage(data: data))
    let space = try #require(image.colorSpace)
    let png = try #require(CIContext().pngRepresentation(of: image.oriented(.up), format: .RGBA8, colorSpace: space))
    return try #require(CIImage(data: png)?.pixels())
  }

  private func difference(_ one: PixelBuffer, _ two: PixelBuffer) -> Double {
    let (one, other) = (one.flattened(), two.flattened())
    guard one.width == other.width, one.height == other.height, one.channels == other.channels else { return .infinity }
    return Double(zip(one.bytes, other.bytes).reduce(0) { $0 + abs(Int($1.0) - Int($1.1)) }) / Double(one.bytes.count)
  }

  private func run(_ program: String, _ arguments: [String]) throws {
    let outcome = try Child.run(program, arguments)
    try #require(outcome.status == 0, "\(program): \(outcome.errors)")
  }

  private func converted(_ data: Data, from: String, to: String, _ steps: [(String, [String])]) throws -> Data {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("still-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    try data.write(to: folder.appendingPathComponent(from))
    for (program, arguments) in steps {
      try run(program, arguments.map { $0.replacing("DIR", with: folder.path) })
    }
    return try Data(contentsOf: folder.appendingPathComponent(to))
  }

  /// The first frame is red, the second blue.
  @Test(arguments: ["gif", "apng", "webp"]) func `an edit of an animation shows its first frame`(format: String) throws
  {
    let colors = ["red", "blue"].flatMap { ["-f", "lavfi", "-i", "color=c=\($0):s=64x48:d=0.5:r=4"] }
    let options = format == "webp" ? ["-lossless", "1"] : format == "apng" ? ["-plays", "0"] : []
    let data = try converted(
      Data(), from: "none", to: "a.\(format)",
      [
        (
          "ffmpeg",
          ["-loglevel", "error"] + colors + ["-filter_complex", "concat=n=2,format=rgb24"] + options
            + ["DIR/a.\(format)"]
        )
      ])
    let pixels = try edited(data).flattened()
    #expect(pixels.width == 64 && pixels.height == 48)
    #expect(pixels.bytes[0] > 250 && pixels.bytes[1] < 5 && pixels.bytes[2] < 5)
  }

  @Test(arguments: ["heic", "avif"]) func `an edit of a ten-bit picture has the upper eight bits`(format: String) throws
  {
    var bytes: [UInt8] = []
    for row in 0..<48 { for column in 0..<64 { bytes += [UInt8(column * 4), UInt8(row * 5), 128] } }
    let before = PixelBuffer(width: 64, height: 48, channels: 3, bytes: bytes)
    let deep = ("ffmpeg", ["-loglevel", "error", "-i", "DIR/a.png", "-pix_fmt", "rgb48be", "DIR/deep.png"])
    let av1 = ["-c:v", "libaom-av1", "-crf", "10", "-pix_fmt", "yuv420p10le", "-still-picture", "1"]
    let encoder =
      format == "heic"
      ? ("heif-enc", ["-q", "95", "-b", "10", "-o", "DIR/a.heic", "DIR/deep.png"])
      : ("ffmpeg", ["-loglevel", "error", "-i", "DIR/deep.png"] + av1 + ["DIR/a.avif"])
    let data = try converted(
      encode(before, as: "public.png", quality: 100), from: "a.png", to: "a.\(format)", [deep, encoder])
    // The box states three channels of ten bits each.
    #expect(data.range(of: Data("pixi\0\0\0\0\u{3}\n\n\n".utf8)) != nil)
    let pixels = try edited(data)
    #expect(difference(pixels, before) < 4)
  }

  @Test func `an edit drops a gain map and its metadata`() throws {
    let picture = try SampleMedia.jpeg(size: Self.size, quality: 95)
    let map = try SampleMedia.jpeg(size: PictureSize(width: 32, height: 24), seed: 9)
    let packet = """
      <x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">\
      <rdf:Description xmlns:hdrgm="http://ns.adobe.com/hdr-gain-map/1.0/" xmlns:dc="http://purl.org/dc/elements/1.1/" \
      hdrgm:Version="1.0" dc:source="here"/></rdf:RDF></x:xmpmeta>
      """
    let content = Array("http://ns.adobe.com/xap/1.0/\0\(packet)".utf8)
    let length = content.count + 2
    let segment = [0xFF, 0xE1, UInt8(length >> 8), UInt8(length & 0xFF)] + content
    let data = picture.prefix(2) + segment + picture.dropFirst(2) + map
    let image = try #require(CIImage(data: data))
    let space = try #require(image.colorSpace)
    let jpeg = try #require(CIContext().jpegRepresentation(of: image.oriented(.down), colorSpace: space))
    let before = try #require(CIImage(data: picture)?.oriented(.down).pixels())
    let after = try #require(CIImage(data: jpeg)?.pixels())
    #expect(difference(after, before) < 6)
    #expect(jpeg.range(of: Data("hdrgm:Version".utf8)) == nil)
    #expect(jpeg.range(of: Data("dc:source".utf8)) != nil)
    #expect(jpeg.count < data.count)
  }

  @Test func `alpha stays in a PNG and becomes white in a JPEG`() throws {
    let bytes: [UInt8] = (0..<64 * 48).flatMap { [200, 40, 40, $0 % 64 < 32 ? 255 : 0] as [UInt8] }
    let png = try encode(PixelBuffer(width: 64, height: 48, channels: 4, bytes: bytes), as: "public.png", quality: 100)
    let brown = try #require(CIImage(data: png)).applyingFilter("CISepiaTone")
    let space = try #require(brown.colorSpace)
    let kept = try #require(CIContext().pngRepresentation(of: brown, format: .RGBA8, colorSpace: space))
    let pixels = try #require(CIImage(data: kept)?.pixels())
    #expect(pixels.channels == 4)
    #expect(pixels.bytes[3] == 255 && pixels.bytes[63 * 4 + 3] == 0)
    let jpeg = try #require(CIContext().jpegRepresentation(of: brown, colorSpace: space))
    let flat = try #require(CIImage(data: jpeg)?.pixels())
    #expect(flat.channels == 3 && flat.bytes[60 * 3..<60 * 3 + 3].allSatisfy { $0 > 250 })
    #expect(flat.bytes[0] < 150)
  }
}

import Foundation
import Testing

@testable import ImageCoding
@testable import Imaging
@testable import MediaMetadata

/// Tests the headers of QuickTime and MP4 movies, as cameras and programs write them.
@Suite struct MovieHeaderTests {
  /// A track of pictures, built by hand.
  struct Picture: Sendable {
    var width = 64
    var height = 48
    var codec = "avc1"
    var isEnabled = true
    var frames = 30
    var seconds = 10
    var turn = 0
    /// The number of the track that contains its chapters.
    var chapters: Int?
    var pasp: [Int] = []
    /// The width in the track's header, if it is not the stored one.
    var headerWidth: Int?
    /// The box with the codec's configuration.
    var configuration: [UInt8] = []

    func bytes(number: Int) -> [UInt8] {
      let one = 0x10000
      let tkhd = fullBox(
        "tkhd", flags: isEnabled ? 3 : 2, big(0, 8), big(number, 4), big(0, 24), matrix(turn),
        big((headerWidth ?? width) * one, 4),
        big(height * one, 4))
      let shape = pasp.isEmpty ? [] : box("pasp", pasp.flatMap { big($0, 4) })
      let entry = box(codec, big(0, 24), big(width, 2), big(height, 2), big(0, 50), shape, configuration)
      let table = box("stbl", fullBox("stsd", big(1, 4), entry), fullBox("stsz", big(100, 4), big(frames, 4)))
      return box(
        "trak", tkhd, chapters.map { box("tref", box("chap", big($0, 4))) } ?? [],
        box(
          "mdia", fullBox("mdhd", big(0, 8), big(600, 4), big(seconds * 600, 4), big(0, 4)),
          fullBox("hdlr", big(0, 4), ascii("vide"), big(0, 13)), box("minf", table)))
    }
  }

  /// The content of an index of ten seconds.
  private func index(_ pictures: [Picture], turn: Int = 0, seconds: Int = 10) -> [UInt8] {
    let header = fullBox(
      "mvhd", big(0, 8), big(600, 4), big(seconds * 600, 4), big(0, 16), matrix(turn), big(0, 28))
    return header + pictures.enumerated().flatMap { $1.bytes(number: $0 + 1) }
  }

  private func metadata(_ index: [UInt8]) throws -> MediaMetadata {
    try #require(readMetadata(of: box("ftyp", ascii("qt  "), big(0, 4), ascii("qt  ")) + box("moov", index)))
  }

  private func size(_ metadata: MediaMetadata) -> [Int] { [metadata.pixelWidth, metadata.pixelHeight] }

  // MARK: Several pictures

  @Test(arguments: [
    [Picture(width: 320, codec: "jpeg", frames: 1, seconds: 0), Picture(isEnabled: false)],
    [Picture(width: 320, frames: 1), Picture()],
    [Picture(width: 320, seconds: 1), Picture()],
    // The main picture, too, is short beside the movie's sound.
    [Picture(width: 320, frames: 1, seconds: 0), Picture(seconds: 1)],
    [Picture(width: 320, frames: 1, seconds: 1), Picture(seconds: 1)],
    [Picture(width: 320, isEnabled: false), Picture()],
    [Picture(width: 320, codec: "jpeg", frames: 3), Picture()],
    [Picture(width: 320, frames: 3), Picture(chapters: 1)],
    [Picture(width: 32, height: 24), Picture()],
    [Picture(), Picture(width: 320, codec: "png ")],
  ]) func `a movie with a thumbnail has the size of its moving picture`(_ pictures: [Picture]) throws {
    #expect(size(try metadata(index(pictures))) == [64, 48])
  }

  @Test(arguments: [
    Picture(frames: 1), Picture(isEnabled: false), Picture(codec: "jpeg"), Picture(seconds: 1),
  ]) func `a movie's only picture is its picture`(_ picture: Picture) throws {
    #expect(size(try metadata(index([picture]))) == [64, 48])
  }

  @Test func `the first of two equal pictures counts`() throws {
    #expect(size(try metadata(index([Picture(), Picture(width: 48, height: 64)]))) == [64, 48])
  }

  // MARK: Fragments

  @Test func `a fragmented movie has no duration without the whole length`() throws {
    let fragments = box("mvex", fullBox("trex", big(0, 20)))
    #expect(try metadata(index([Picture()]) + fragments).duration == 0)
  }

  @Test func `a fragmented movie has the whole length of its index`() throws {
    let fragments = box("mvex", fullBox("mehd", big(1800, 4)))
    #expect(try metadata(index([Picture()], seconds: 1) + fragments).duration == 3)
  }

  // MARK: Compressed indexes

  private func compressed(_ content: [UInt8], byteCount: Int? = nil, by method: String = "zlib") -> [UInt8] {
    box(
      "cmov", box("dcom", ascii(method)), box("cmvd", big(byteCount ?? content.count, 4), zlibStored(content)))
  }

  @Test func `a compressed index is read like a plain one`() throws {
    let metadata = try metadata(compressed(box("moov", index([Picture()]))))
    #expect(size(metadata) == [64, 48])
    #expect(metadata.duration == 10)
    #expect(metadata.notes.isEmpty)
  }

  @Test(arguments: [0, 100, 0xFFFF_FFFF]) func `a compressed index with a wrong length is not read`(
    _ byteCount: Int
  ) throws {
    let metadata = try metadata(compressed(box("moov", index([Picture()])), byteCount: byteCount))
    #expect(size(metadata) == [0, 0])
    #expect(metadata.notes == ["The movie has no picture."])
  }

  @Test func `an index inside a compressed index is not decompressed`() throws {
    let inner = box("moov", compressed(box("moov", index([Picture()]))))
    #expect(size(try metadata(compressed(inner))) == [0, 0])
  }

  @Test func `an index of another compression is not read`() throws {
    #expect(size(try metadata(compressed(box("moov", index([Picture()])), by: "adec"))) == [0, 0])
  }

  // MARK: Pixel shapes

  @Test(arguments: [
    ([4, 3], 0, [85, 48]), ([4, 3], 90, [36, 64]), ([1, 1], 0, [64, 48]), ([0, 3], 0, [64, 48]),
    ([4, 0], 0, [64, 48]),
    ([0xFFFF_FFFF, 1], 0, [64, 48]), ([4], 0, [64, 48]), ([1, 0xFFFF_FFFF], 0, [64, 48]),
  ]) func `a picture whose pixels are not square is as wide as it is shown`(
    _ pasp: [Int], _ turn: Int, _ shown: [Int]
  ) throws {
    #expect(size(try metadata(index([Picture(turn: turn, pasp: pasp)]))) == shown)
  }

  /// The sizes are those of `ffmpeg`'s frames.
  @Test(arguments: [([], 85, 85), ([1, 1], 85, 64), ([3, 3], 85, 64), ([4, 3], 85, 85)])
  func `a box with square pixels precedes the header of a track`(
    _ pasp: [Int], _ headerWidth: Int, _ shown: Int
  ) throws {
    #expect(size(try metadata(index([Picture(pasp: pasp, headerWidth: headerWidth)]))) == [shown, 48])
  }

  /// Returns a sequence parameter set of H.264 for a picture of 64 × 48. The texts are its bits.
  private static func parameters(
    profile: Int = 66, chroma: String = "", order: String = "011", vui: String
  ) -> [UInt8] {
    // The first bit is the number of the set: 0.
    let bits = "1" + chroma + "1" + order + "1 0 00100 011 1 1 0" + vui + " 1"
    let digits = bits.filter { $0 != " " }.map { $0 == "1" ? 1 : 0 }
    let bytes = stride(from: 0, to: digits.count, by: 8).map { start -> UInt8 in
      let byte = Array(digits[start..<min(start + 8, digits.count)])
      return UInt8((byte + Array(repeating: 0, count: 8 - byte.count)).reduce(0) { $0 << 1 | $1 })
    }
    return [0x67, UInt8(profile), 0, 30] + bytes
  }

  private static func avcC(_ parameters: [UInt8]) -> [UInt8] {
    box("avcC", [1, 66, 0, 30, 0xFF, 0xE1] + big(parameters.count, 2) + parameters + [0])
  }

  // The number 14 is 4:3, and 255 precedes two numbers of 16 bits: 16 and 9.
  private static let shape = "1 1 00001110"
  private static let ownShape = "1 1 11111111 0000000000010000 0000000000001001"

  @Test(arguments: [
    (parameters(vui: shape), [85, 48]), (parameters(vui: ownShape), [113, 48]),
    (parameters(order: "1 1", vui: shape), [85, 48]),
    (parameters(order: "010 0 1 1 011 1 00110", vui: shape), [85, 48]),
    (parameters(profile: 100, chroma: "010 1 1 0 0", vui: shape), [85, 48]),
    // The first of eight lists has sixteen equal numbers. The third ends with its first number,
    // which is 8 less than 8.
    (
      parameters(
        profile: 100, chroma: "010 1 1 0 1 1\(String(repeating: "1", count: 16)) 0 1 000010001 00000",
        vui: shape), [85, 48]
    ),
    (parameters(vui: "1 0"), [64, 48]), (parameters(vui: "0"), [64, 48]),
    (parameters(vui: "1 1 00000000"), [64, 48]), (parameters(vui: "1 1 00010001"), [64, 48]),
    (parameters(vui: "1 1 11111111 0000000000010000 0000000000000000"), [64, 48]),
    ([0x67, 66, 0, 30], [64, 48]), ([], [64, 48]),
  ]) func `the parameters of H264 state the shape of pixels`(_ parameters: [UInt8], _ shown: [Int]) throws {
    #expect(size(try metadata(index([Picture(configuration: Self.avcC(parameters))]))) == shown)
  }

  // `ffmpeg` also prefers the container's shape.
  @Test func `a box with the shape of pixels takes precedence over the parameters of H264`() throws {
    let configuration = Self.avcC(Self.parameters(vui: Self.shape))
    #expect(size(try metadata(index([Picture(pasp: [1, 1], configuration: configuration)]))) == [64, 48])
    #expect(size(try metadata(index([Picture(pasp: [2, 1], configuration: configuration)]))) == [128, 48])
  }

  // MARK: AVI

  /// A stream of pictures in an AVI, with 10 frames a second.
  struct AVIStream: Sendable {
    var width = 64
    var height = 48
    var codec = "FMP4"
    var frames = 100
    /// The shape of the picture, as width and height.
    var shape: [Int] = []
    /// The bytes behind the picture's format.
    var extra: [UInt8] = []

    var bytes: [UInt8] {
      let header =
        ascii("vids") + ascii(codec) + little(0, 12) + little(1, 4) + little(10, 4) + little(0, 4) + little(frames, 4)
        + little(0, 20)
      let format =
        little(40, 4) + little(width, 4) + little(height, 4) + little(1, 2) + little(24, 2) + ascii(codec)
        + little(0, 20) + extra
      let properties = little(0, 20) + shape.reversed().flatMap { little($0, 2) } + little(width, 4) + little(height, 4)
      return riffChunk(
        "LIST",
        ascii("strl") + riffChunk("strh", header) + riffChunk("strf", format)
          + (shape.isEmpty ? [] : riffChunk("vprp", properties)))
    }
  }

  /// Returns an AVI whose main header has the size 40 × 30.
  private func avi(_ streams: [AVIStream]) -> [UInt8] {
    let header =
      little(100_000, 4) + little(0, 12) + little(50, 4) + little(0, 12) + little(40, 4) + little(30, 4) + little(0, 16)
    let headers = riffChunk("LIST", ascii("hdrl") + riffChunk("avih", header) + streams.flatMap(\.bytes))
    return ascii("RIFF") + little(headers.count + 4, 4) + ascii("AVI ") + headers
  }

  @Test(arguments: [
    [AVIStream(width: 320, codec: "MJPG", frames: 1), AVIStream()],
    [AVIStream(), AVIStream(width: 320, codec: "MJPG", frames: 1)],
    [AVIStream(width: 320, frames: 40), AVIStream()],
    [AVIStream(), AVIStream(width: 320, codec: "MJPG")],
    [AVIStream(width: 32, height: 24), AVIStream()],
    [AVIStream(width: 0xFFFF_FFFF, height: 0xFFFF_FFFF, frames: 1), AVIStream()],
    [AVIStream(height: 0x1_0000_0000 - 48), AVIStream(width: 32, height: 24)],
  ]) func `an AVI of two pictures has the size and the duration of its main picture`(_ streams: [AVIStream]) throws {
    let metadata = try #require(readMetadata(of: avi(streams)))
    #expect(size(metadata) == [64, 48])
    #expect(metadata.duration == 10)
  }

  @Test func `an AVI of one picture has the size of its main header`() throws {
    #expect(size(try #require(readMetadata(of: avi([AVIStream()])))) == [40, 30])
  }

  // A picture of 64 × 48 is as wide as 16:9 of its height: 48 × 16 / 9 = 85.3.
  @Test(arguments: [
    ([16, 9], [85, 48]), ([4, 3], [40, 30]), ([0, 9], [40, 30]), ([16, 0], [40, 30]),
  ]) func `an AVI whose pixels are not square is as wide as it is shown`(_ shape: [Int], _ shown: [Int]) throws {
    #expect(size(try #require(readMetadata(of: avi([AVIStream(shape: shape)])))) == shown)
  }

  @Test func `an AVI without a shape has the one in the parameters of H264`() throws {
    let extra = [0, 0, 0, 1] + Self.parameters(vui: Self.shape)
    #expect(size(try #require(readMetadata(of: avi([AVIStream(extra: extra)])))) == [85, 48])
    #expect(size(try #require(readMetadata(of: avi([AVIStream(shape: [2, 1], extra: extra)])))) == [96, 48])
    #expect(size(try #require(readMetadata(of: avi([AVIStream(shape: [0, 0], extra: extra)])))) == [85, 48])
    #expect(size(try #require(readMetadata(of: avi([AVIStream(extra: [0, 0, 0, 1])])))) == [40, 30])
  }

  @Test(arguments: [
    [AVIStream(frames: 0x4000_0000)], [AVIStream(frames: 0x4000_0000), AVIStream(frames: 0x4000_0000)],
  ])
  func `an AVI that was written to a pipe has no duration`(_ streams: [AVIStream]) throws {
    #expect(try #require(readMetadata(of: avi(streams))).duration == 0)
  }

  // MARK: Matroska

  private func matroska(_ video: [(Int, Int)], roll: Float) -> [UInt8] {
    let turn = ebml(0x7670, ebml(0x7675, big(Int(roll.bitPattern), 4)))
    let track = ebml(0xAE, ebml(0x83, [1]) + ebml(0xE0, video.flatMap { ebml($0.0, big($0.1, 2)) } + turn))
    return ebml(0x1A45_DFA3, ebml(0x4282, ascii("matroska"))) + ebml(0x1853_8067, ebml(0x1654_AE6B, track))
  }

  // Pixels (0), centimeters (1), inches (2) and ratios (3) have the same shape. That of the unit 4
  // is unknown. `ffmpeg` itself writes ratios.
  @Test(arguments: [
    (0, 0, 85, 48, [85, 48]), (1, 0, 16, 9, [85, 48]), (2, 0, 16, 9, [85, 48]), (3, 0, 16, 9, [85, 48]),
    (4, 0, 16, 9, [64, 48]), (3, 90, 16, 9, [36, 64]), (3, 0, 4, 3, [64, 48]), (3, 0, 0, 9, [64, 48]),
  ]) func `a Matroska whose pixels are not square is as wide as it is shown`(
    _ unit: Int, _ roll: Int, _ across: Int, _ down: Int, _ shown: [Int]
  ) throws {
    let video = [(0xB0, 64), (0xBA, 48), (0x54B0, across), (0x54BA, down), (0x54B2, unit)]
    #expect(size(try #require(readMetadata(of: matroska(video, roll: Float(roll))))) == shown)
  }

  // MARK: Turns

  @Test(arguments: [
    (0, 0, [64, 48]), (0, 90, [48, 64]), (0, 180, [64, 48]), (0, 270, [48, 64]), (90, 0, [48, 64]), (90, 90, [64, 48]),
    (90, 180, [48, 64]), (90, 270, [64, 48]),
  ]) func `a picture is turned by its track and by its movie`(_ track: Int, _ movie: Int, _ shown: [Int]) throws {
    #expect(size(try metadata(index([Picture(turn: track)], turn: movie))) == shown)
  }
}

/// The matrix of a clockwise turn, without a translation.
private func matrix(_ degrees: Int) -> [UInt8] {
  let one = 0x10000
  let turn: [Int] =
    switch degrees {
    case 90: [0, one, 0, -one, 0, 0]
    case 180: [-one, 0, 0, 0, -one, 0]
    case 270: [0, -one, 0, one, 0, 0]
    default: [one, 0, 0, 0, one, 0]
    }
  return (turn + [0, 0, 0x4000_0000]).flatMap { big($0, 4) }
}

import Foundation
import Testing

@testable import MediaMetadata

@Suite struct PNGChunksTests {
  private static let signature: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]

  private func chunks(_ bytes: [UInt8]) -> [PNGChunks.Chunk] {
    Array(PNGChunks(MediaBytes(Self.signature + bytes).all))
  }

  @Test func `each chunk has its place and its content`() {
    let chunks = chunks(pngChunk("eXIf", [1, 2, 3]) + pngChunk("IEND", []))
    #expect(chunks.map(\.type.text) == ["eXIf", "IEND"])
    #expect(chunks.map(\.offset) == [8, 23])
    #expect(chunks.map(\.end) == [23, 35])
    #expect(chunks[0].content.bytes(0, 3) == [1, 2, 3])
  }

  @Test func `nothing after the end is a chunk`() {
    #expect(chunks(pngChunk("IEND", []) + pngChunk("tEXt", [1])).map(\.type.text) == ["IEND"])
  }

  @Test func `a chunk that is cut is the last, with the bytes that are left`() {
    let chunks = chunks(big(100, 4) + ascii("tEXt") + [7, 8])
    #expect(chunks.map(\.byteCount) == [100])
    #expect(chunks.map(\.end) == [120])
    #expect(chunks[0].content.bytes(0, chunks[0].content.count) == [7, 8])
  }

  @Test func `the largest length reaches beyond the file`() {
    let chunks = chunks(big(0xFFFF_FFFF, 4) + ascii("IDAT") + pngChunk("IEND", []))
    #expect(chunks.map(\.type.text) == ["IDAT"])
    #expect(chunks.map(\.byteCount) == [0xFFFF_FFFF])
  }

  @Test(arguments: 0..<8) func `a few bytes are no chunk`(_ count: Int) {
    #expect(chunks([UInt8](repeating: 0, count: count)).isEmpty)
  }

  @Test(arguments: [1, 2, 3, 4, 5, 63, 64, 65, 1000])
  func `the first and the last of many equal chunks are read`(_ count: Int) {
    let equal = [[UInt8]](repeating: pngChunk("IDAT", [1, 2]), count: count).flatMap { $0 }
    let bytes = Self.signature + equal + pngChunk("IDAT", [1]) + pngChunk("tIME", [])
    var chunks = PNGChunks(MediaBytes(bytes).all)
    var offsets: [Int] = []
    while let chunk = chunks.next() {
      offsets.append(chunk.offset)
      if chunk.type == "IDAT" { chunks.skipRepetitions(of: chunk) }
    }
    let end = 8 + equal.count
    #expect(offsets == (count == 1 ? [8] : [8, end - 14]) + [end, end + 13])
  }

  @Test(arguments: [1, 2, 459, 460, 900]) func `metadata after many picture chunks is read`(_ count: Int) throws {
    for sizes in [[8], [8, 9]] {
      let picture = (0..<count).flatMap { pngChunk("IDAT", [UInt8](repeating: 1, count: sizes[$0 % sizes.count])) }
      let png = SampleFiles.png(picture, pngChunk("tIME", big(2020, 2) + [1, 2, 3, 4, 5]))
      #expect(readMetadata(of: png)?.captureDate.summary == "2020-01-02T16:04:05+13:00 png utc")
      let cut = Array(png.prefix(33 + picture.count - 1))
      #expect(readMetadata(of: cut)?.notes == ["The file is cut short."])
    }
  }

  @Test func `metadata after a large picture needs few reads`() throws {
    // The picture has more chunks than pages of 4 kB may be read.
    let count = MediaBytes.readLimit / 4096 + 100
    let chunk = pngChunk("IDAT", [UInt8](repeating: 1, count: 8192))
    let exif = EXIFBuilder(original: "2016:07:08 09:10:11").bytes
    let png = SampleFiles.png([[UInt8]](repeating: chunk, count: count).flatMap { $0 }, pngChunk("eXIf", exif))
    let file = try MediaFile(data: Data(png), name: "large.png")
    #expect(try MediaMetadata(parsing: file).captureDate.source == .original)
    var blocks = MetadataBlocks()
    blocks.read(MediaBytes(file).all, .png)
    #expect(blocks.exif == exif)
  }

  @Test func `every written chunk is read again`() {
    let written = PNGChunks.chunk("tEXt", [1, 2])
    #expect(written == big(2, 4) + ascii("tEXt") + [1, 2] + [0x1B, 0x36, 0x8E, 0xE1])
    #expect(chunks(written).map(\.type.text) == ["tEXt"])
  }
}

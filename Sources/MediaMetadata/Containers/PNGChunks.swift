/// A sequence of the chunks of a PNG up to its `IEND`, or to the end of the bytes.
///
///     for chunk in PNGChunks(bytes) where chunk.type == "eXIf" { read(chunk.content) }
package struct PNGChunks: Sequence, IteratorProtocol {
  package struct Chunk {
    package var type: FourCC
    /// The offset of the chunk's length.
    package var offset: Int
    /// The bytes after the type. They are cut at the end of the file.
    package var content: ByteReader
    /// The size of the content according to the chunk.
    package var byteCount: Int

    /// The offset after the chunk and its checksum. It is beyond the end of a file that is cut.
    package var end: Int { offset + 12 + byteCount }
  }

  private let bytes: ByteReader
  private var position = 8
  private var isAtEnd = false

  /// Expects bytes that begin with PNG's signature.
  package init(_ bytes: ByteReader) { self.bytes = bytes }

  package mutating func next() -> Chunk? {
    guard !isAtEnd, let byteCount = bytes.u32(position), let type = bytes.fourCC(position + 4),
      let content = bytes.slice(position + 8, byteCount)
    else { return nil }
    let chunk = Chunk(type: type, offset: position, content: content, byteCount: byteCount)
    isAtEnd = type == "IEND"
    position = chunk.end
    return chunk
  }

  /// Skips the chunks that directly follow this one and have its type and size, except the last.
  /// Encoders divide a picture into thousands of such chunks. To read few bytes, steps that double
  /// and then halve find the last chunk.
  package mutating func skipRepetitions(of chunk: Chunk) {
    let byteCount = chunk.end - chunk.offset
    func isRepeated(at offset: Int) -> Bool {
      bytes.u32(offset) == chunk.byteCount && bytes.fourCC(offset + 4) == chunk.type
    }
    var last = chunk.offset
    var step = byteCount
    while isRepeated(at: last + step) {
      last += step
      step *= 2
    }
    while step > byteCount {
      step /= 2
      if isRepeated(at: last + step) { last += step }
    }
    if last > chunk.offset { position = last }
  }

  /// Returns the bytes of a chunk: its length, its type, its content and its checksum.
  package static func chunk(_ type: String, _ content: [UInt8]) -> [UInt8] {
    let body = Array(type.utf8) + content
    return UInt32(content.count).bigEndianBytes + body + checksum(body).bigEndianBytes
  }

  /// Returns the CRC-32 of bytes.
  private static func checksum(_ bytes: [UInt8]) -> UInt32 {
    ~bytes.reduce(~0 as UInt32) { crc, byte in
      (0..<8).reduce(crc ^ UInt32(byte)) { crc, _ in crc & 1 == 1 ? crc >> 1 ^ 0xEDB8_8320 : crc >> 1 }
    }
  }
}

import Foundation

/// A chunk of a PNG file.
struct PNGChunk {
  var type: String
  var content: [UInt8]

  private static let signature: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]

  static func all(in png: Data) -> [PNGChunk] {
    let bytes = [UInt8](png)
    var chunks: [PNGChunk] = []
    var position = signature.count
    while position + 12 <= bytes.count {
      let length = bytes[position..<position + 4].reduce(0) { $0 << 8 | Int($1) }
      guard position + 12 + length <= bytes.count else { break }
      chunks.append(
        PNGChunk(
          type: String(decoding: bytes[position + 4..<position + 8], as: UTF8.self),
          content: Array(bytes[position + 8..<position + 8 + length])))
      position += 12 + length
    }
    return chunks
  }

  static func file(_ chunks: [PNGChunk]) -> Data { Data(signature + chunks.flatMap(\.bytes)) }

  private var bytes: [UInt8] {
    let body = Array(type.utf8) + content
    return bigEndian32(content.count) + body + bigEndian32(Int(Self.checksum(body)))
  }

  private static let table: [UInt32] = (0..<256).map { byte in
    (0..<8).reduce(UInt32(byte)) { crc, _ in crc & 1 == 1 ? crc >> 1 ^ 0xEDB8_8320 : crc >> 1 }
  }

  private static func checksum(_ bytes: [UInt8]) -> UInt32 {
    ~bytes.reduce(~0 as UInt32) { crc, byte in table[Int((crc ^ UInt32(byte)) & 0xFF)] ^ crc >> 8 }
  }
}

import Foundation

/// Inserts EXIF into a WebP unchanged. Libraries that rebuild EXIF lose the MakerNote.
enum WebPFile {
  private static let exifFlag: UInt8 = 0x08

  static func inserting(_ exif: [UInt8], into webP: Data, size: PictureSize) -> Data {
    let bytes = [UInt8](webP)
    var flags = exifFlag
    var body: [UInt8] = []
    var position = 12
    while position + 8 <= bytes.count {
      let type = String(decoding: bytes[position..<position + 4], as: UTF8.self)
      let length = bytes[position + 4..<position + 8].reversed().reduce(0) { $0 << 8 | Int($1) }
      let end = min(bytes.count, position + 8 + length + length % 2)
      if type == "VP8X" {
        flags |= bytes[position + 8]
      } else if type != "EXIF" {
        body += bytes[position..<end]
      }
      position = end
    }
    let canvas = littleEndian24(size.width - 1) + littleEndian24(size.height - 1)
    let content = Array("WEBP".utf8) + chunk("VP8X", [flags, 0, 0, 0] + canvas) + body + chunk("EXIF", exif)
    return Data(Array("RIFF".utf8) + littleEndian32(content.count) + content)
  }

  private static func chunk(_ type: String, _ content: [UInt8]) -> [UInt8] {
    Array(type.utf8) + littleEndian32(content.count) + content + (content.count % 2 == 1 ? [0] : [])
  }

  private static func littleEndian32(_ value: Int) -> [UInt8] { bigEndian32(value).reversed() }
  private static func littleEndian24(_ value: Int) -> [UInt8] { bigEndian32(value).reversed().dropLast() }
}

extension ParsedValues {
  /// The text "JpgTiffExif->JP2", which is used as a UUID.
  private static let exifUUID = Array("JpgTiffExif->JP2".utf8)

  /// Reads a JPEG 2000, as a bare codestream or in boxes.
  mutating func readJPEG2000(_ bytes: ByteReader) {
    if bytes.u32(0) == 0xFF4F_FF51 {
      if let right = bytes.u32(8), let bottom = bytes.u32(12), let left = bytes.u32(16), let top = bytes.u32(20),
        right > left, bottom > top
      {
        (storedWidth, storedHeight) = (right - left, bottom - top)
      }
    } else {
      for box in bytes.boxes() {
        switch box.type {
        case "jp2h":
          if let header = box.content.box("ihdr"), let height = header.u32(0), let width = header.u32(4) {
            (storedWidth, storedHeight) = (width, height)
          }
        case "uuid" where box.content.starts(withUUID: Self.exifUUID):
          if let exif = box.content.slice(16) { readEXIF(exif) }
        case "uuid" where box.content.starts(withUUID: XMP.uuid):
          if box.content.count <= XMP.byteLimit, let packet = box.content.bytes(16, box.content.count - 16) {
            readXMP(packet)
          }
        default: break
        }
      }
    }
    if storedWidth == 0 { note("The JPEG 2000 has no picture size.") }
  }

  mutating func readBMP(_ bytes: ByteReader) {
    var bytes = bytes
    bytes.order = .little
    if bytes.u32(14) == 12 {
      (storedWidth, storedHeight) = (bytes.u16(18) ?? 0, bytes.u16(20) ?? 0)
    } else {
      // A negative height means that the first row is the top one.
      (storedWidth, storedHeight) = (max(0, bytes.i32(18) ?? 0), abs(bytes.i32(22) ?? 0))
    }
    if storedWidth == 0 { note("The BMP has no picture size.") }
  }
}

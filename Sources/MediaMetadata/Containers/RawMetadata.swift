import Foundation

/// The RAW formats that aren't TIFFs.
extension ParsedValues {
  /// The UUID 85C0B687-820F-11E0-8111-F4CE462B6A48.
  static let canonUUID: [UInt8] = [
    0x85, 0xC0, 0xB6, 0x87, 0x82, 0x0F, 0x11, 0xE0, 0x81, 0x11, 0xF4, 0xCE, 0x46, 0x2B, 0x6A, 0x48,
  ]

  /// Reads Canon's CR3: a movie file whose `moov` contains the main, the EXIF and the GPS
  /// directory, each as a TIFF of its own.
  mutating func readCanonRaw3(_ bytes: ByteReader) {
    guard let moov = bytes.box("moov") else { return note("The RAW file ends within its headers.") }
    for box in moov.boxes() where box.type == "uuid" && box.content.starts(withUUID: Self.canonUUID) {
      for part in box.content.boxes(from: 16) {
        guard let tiff = TIFFReader(part.content), let directory = tiff.directory(at: tiff.firstDirectory) else {
          continue
        }
        switch part.type {
        case "CMT1":
          readMain(directory)
          (storedWidth, storedHeight) = (directory.int(0x0100) ?? 0, directory.int(0x0101) ?? 0)
          if let text = directory.text(0x0132) { addDate(.modification, text) }
        case "CMT2": readCapture(directory)
        case "CMT4": readGPS(directory)
        default: break
        }
      }
    }
    if storedWidth == 0 { note("The file has no picture size.") }
  }

  /// Reads Fuji's RAF, which contains a whole JPEG and a list of the sensor's properties.
  mutating func readFujiRaw(_ bytes: ByteReader) {
    if let offset = bytes.u32(92), let count = bytes.u32(offset) {
      var position = offset + 4
      for _ in 0..<min(count, 500) {
        guard let tag = bytes.u16(position), let length = bytes.u16(position + 2) else { break }
        // The cropped size, height first. The full size includes black borders.
        if tag == 0x0111, let height = bytes.u16(position + 4), let width = bytes.u16(position + 6) {
          (storedWidth, storedHeight) = (width, height)
        }
        position += 4 + length
      }
    }
    if let offset = bytes.u32(84), let length = bytes.u32(88), let preview = bytes.slice(offset, length),
      preview.u16(0) == 0xFFD8
    {
      readPreview(preview)
    }
    if storedWidth == 0 { note("The file has no picture size.") }
  }

  /// Reads Canon's CRW: a tree of directories, each at the end of the block that it describes.
  mutating func readCanonRaw1(_ bytes: ByteReader) {
    var bytes = bytes
    bytes.order = bytes.starts(with: "MM") ? .big : .little
    if let start = bytes.u32(2), let heap = bytes.slice(start) { readHeap(heap, depth: 0) }
    if storedWidth == 0 { note("The file has no picture size.") }
  }

  private mutating func readHeap(_ heap: ByteReader, depth: Int) {
    guard depth < 5, let directory = heap.u32(heap.count - 4), let count = heap.u16(directory) else { return }
    for index in 0..<min(count, 200) {
      let entry = directory + 2 + index * 10
      guard let tag = heap.u16(entry), let size = heap.u32(entry + 2), let offset = heap.u32(entry + 6) else { return }
      // Two bits mark a value that is stored in the entry itself.
      guard let value = tag & 0xC000 == 0x4000 ? heap.slice(entry + 2, 8) : heap.slice(offset, size) else { continue }
      switch tag & 0x3FFF {
      case 0x1810:
        (storedWidth, storedHeight) = (value.u32(0) ?? 0, value.u32(4) ?? 0)
        switch value.i32(12) {
        case 90: orientation = 6
        case 180: orientation = 3
        case 270, -90: orientation = 8
        default: break
        }
      case 0x180E:
        // Seconds from 1970 by the camera's clock, without a zone.
        if let seconds = value.u32(0), seconds > 0, let time = CivilTime(secondsOnUTC: seconds) {
          dates.append(DateCandidate(.original, .local(time)))
        }
      case 0x080A:
        camera.make = value.text(limit: 256)
        if let end = value.bytes(0, min(64, value.count))?.firstIndex(of: 0) {
          camera.model = value.slice(end + 1, 64)?.text()
        }
      case 0x2800...0x37FF: readHeap(value, depth: depth + 1)
      default: break
      }
    }
  }

  /// Reads Minolta's MRW, which has its sizes in one block and a TIFF in another.
  mutating func readMinoltaRaw(_ bytes: ByteReader) {
    var position = 8
    for _ in 0..<32 {
      guard let type = bytes.fourCC(position), let length = bytes.u32(position + 4),
        let content = bytes.slice(position + 8, length)
      else { break }
      if type == "\0PRD", let height = content.u16(12), let width = content.u16(14) {
        (storedWidth, storedHeight) = (width, height)
      }
      if type == "\0TTW" { readEXIF(content) }
      if type == "\0RAW" { break }
      position += 8 + length
    }
    if storedWidth == 0 { note("The file has no picture size.") }
  }
}

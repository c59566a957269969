import Foundation

/// The dates that cameras wrote into JPEGs before EXIF.
extension ParsedValues {
  /// Reads a segment of an old camera's maker.
  mutating func readMakerSegment(_ code: Int, _ content: ByteReader) {
    switch code {
    case 0xE0 where content.starts(with: "HEAPJPGM", at: 6): readCanonSegment(content)
    case 0xE1 where content.starts(with: "QVCI\0"): readCasioSegment(content)
    case 0xEC where content.starts(with: "[picture info]") || content.starts(with: "Type="): readPictureInfo(content)
    default: break
    }
  }

  /// Reads Casio's `QVCI`, which has the date in a fixed place.
  private mutating func readCasioSegment(_ content: ByteReader) {
    camera.make = camera.make ?? "Casio"
    if let text = content.text(0x4D, 20) { addDate(.original, text) }
  }

  /// Reads Canon's segment, which is built like a CRW.
  private mutating func readCanonSegment(_ content: ByteReader) {
    var found = ParsedValues()
    found.readCanonRaw1(content)
    dates += found.dates
    camera.make = camera.make ?? found.camera.make
    camera.model = camera.model ?? found.camera.model
  }

  /// Reads the lines `name=value` of Agfa, Epson, Olympus, Polaroid and Sanyo. The date is a text,
  /// or the seconds from 1970 by the camera's clock.
  private mutating func readPictureInfo(_ content: ByteReader) {
    guard let text = content.text(0, min(content.count, 4096)) else { return }
    for line in text.split(whereSeparator: \.isNewline) {
      let parts = line.split(separator: "=", maxSplits: 1)
      guard parts.count == 2, parts[0] == "TimeDate" else { continue }
      guard let seconds = Int(parts[1]) else { return addDate(.original, String(parts[1])) }
      if seconds > 0, let time = CivilTime(secondsOnUTC: seconds) {
        dates.append(DateCandidate(.original, .local(time)))
      }
      return
    }
  }
}

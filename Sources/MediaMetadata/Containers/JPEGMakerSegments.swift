import Foundation

/// The dates that cameras wrote into JPEGs before EXIF.
extension ParsedValues {
  /// Reads a segment of an old camera's maker.
  mutating func readMakerSegment(_ code: Int, _ content: ByteReader) {
    switch code {
    case 0xE0 where content.starts(with: "HEAPJPGM", at: 6): readCanonSegment(content)
    case 0xE1 where content.starts(with: "QVCI\0"): readCasioSegment(content)
    case 0xEC: readPictureInfo(content)
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

  /// Reads the date in the `name=value` pairs of Agfa, Epson, Olympus, Polaroid and Sanyo. The date
  /// is a text, or the seconds from 1970 by the camera's clock. Line breaks, blanks or NULs
  /// separate the pairs. A maker's name may precede the pairs.
  private mutating func readPictureInfo(_ content: ByteReader) {
    let name = "TimeDate="
    guard let bytes = content.bytes(0, min(content.count, 4096)), let at = bytes.firstIndex(of: name) else { return }
    let value = bytes[(at + name.utf8.count)...].prefix { $0 >= 32 }
    // The name of the next value follows a blank.
    let words = String(decoding: value, as: UTF8.self).split(separator: " ").prefix { !$0.contains("=") }
    guard let first = words.first else { return }
    guard let seconds = Int(first) else { return addDate(.original, words.joined(separator: " ")) }
    if seconds > 0, let time = CivilTime(secondsOnUTC: seconds) { dates.append(DateCandidate(.original, .local(time))) }
  }
}

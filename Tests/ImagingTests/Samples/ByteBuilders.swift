import Foundation

@testable import ImageCoding
@testable import Imaging
@testable import MediaMetadata

/// A number as big-endian bytes.
func big(_ value: Int, _ byteCount: Int) -> [UInt8] {
  (0..<byteCount).map { UInt8(truncatingIfNeeded: value >> (8 * (byteCount - 1 - $0))) }
}

func little(_ value: Int, _ byteCount: Int) -> [UInt8] { big(value, byteCount).reversed() }

func ascii(_ text: String) -> [UInt8] { text.unicodeScalars.map { UInt8(truncatingIfNeeded: $0.value) } }

/// A box of an ISO base media file.
func box(_ type: String, _ content: [UInt8]...) -> [UInt8] {
  let content = content.flatMap { $0 }
  return big(content.count + 8, 4) + ascii(type) + content
}

/// A box with a version and flags.
func fullBox(_ type: String, version: Int = 0, flags: Int = 0, _ content: [UInt8]...) -> [UInt8] {
  box(type, big(version, 1) + big(flags, 3), content.flatMap { $0 })
}

func riffChunk(_ type: String, _ content: [UInt8]) -> [UInt8] {
  ascii(type) + little(content.count, 4) + content + (content.count % 2 == 1 ? [0] : [])
}

func pngChunk(_ type: String, _ content: [UInt8]) -> [UInt8] {
  big(content.count, 4) + ascii(type) + content + [0, 0, 0, 0]
}

/// Returns bytes in zlib's format, in a block that is not compressed.
func zlibStored(_ content: [UInt8]) -> [UInt8] {
  var (a, b) = (1, 0)
  for byte in content {
    a = (a + Int(byte)) % 65_521
    b = (b + a) % 65_521
  }
  return [0x78, 0x01, 1] + little(content.count, 2) + little(~content.count, 2) + content + big(b << 16 | a, 4)
}

/// An IPTC field, whose length takes two bytes or is in the extended form.
func iptc(_ record: Int, _ number: Int, _ value: [UInt8], isExtended: Bool = false) -> [UInt8] {
  let length = isExtended ? big(0x8004, 2) + big(value.count, 4) : big(value.count, 2)
  return [0x1C, UInt8(record), UInt8(number)] + length + value
}

/// The JPEG segment that contains IPTC fields among Photoshop's resources.
func photoshop(_ fields: [UInt8]) -> (Int, [UInt8]) {
  func resource(_ id: Int, _ content: [UInt8]) -> [UInt8] {
    ascii("8BIM") + big(id, 2) + [0, 0] + big(content.count, 4) + content + (content.count % 2 == 1 ? [0] : [])
  }
  return (0xED, ascii("Photoshop 3.0\0") + resource(0x03ED, [1, 2, 3]) + resource(0x0404, fields))
}

/// A text in Windows' EXIF fields: null-terminated little-endian UTF-16.
func wide(_ text: String) -> [UInt8] { text.utf16.flatMap { little(Int($0), 2) } + [0, 0] }

func ebml(_ id: Int, _ content: [UInt8]) -> [UInt8] {
  let idByteCount = id > 0xFFFFFF ? 4 : id > 0xFFFF ? 3 : id > 0xFF ? 2 : 1
  return big(id, idByteCount) + big(0x1000_0000 | content.count, 4) + content
}

/// A big-endian TIFF, inside EXIF or a file of its own, whose directories are nested values.
struct TIFFBuilder {
  enum Value: Sendable {
    case short([Int])
    case long([Int])
    case text(String)
    case rational([(Int, Int)])
    case signedRational([(Int, Int)])
    case bytes([UInt8])
    /// A directory in another place, to which the entry points.
    case nested(Directory)

    static func directory(_ entries: [(Int, Value)]) -> Value { .nested(Directory(entries)) }
  }

  final class Directory: Sendable {
    let entries: [(Int, Value)]
    init(_ entries: [(Int, Value)]) { self.entries = entries }
  }

  var main: [(Int, Value)] = []
  var version = 42
  /// The bytes between the header and the first directory.
  var preamble: [UInt8] = []

  var bytes: [UInt8] {
    var result = ascii("MM") + big(version, 2) + big(8 + preamble.count, 4) + preamble
    append(main, to: &result)
    return result
  }

  private func append(_ entries: [(Int, Value)], to result: inout [UInt8]) {
    let start = result.count
    let end = start + 2 + entries.count * 12 + 4
    var directory = big(entries.count, 2)
    var far: [UInt8] = []
    for (tag, value) in entries.sorted(by: { $0.0 < $1.0 }) {
      let (type, count, data) = encoded(value, at: end + far.count)
      directory += big(tag, 2) + big(type, 2) + big(count, 4)
      if case .nested = value {
        directory += big(end + far.count, 4)
        far += data
      } else if data.count <= 4 {
        directory += data + [UInt8](repeating: 0, count: 4 - data.count)
      } else {
        directory += big(end + far.count, 4)
        far += data + (data.count % 2 == 1 ? [0] : [])
      }
    }
    result += directory + [0, 0, 0, 0] + far
  }

  private func encoded(_ value: Value, at offset: Int) -> (type: Int, count: Int, [UInt8]) {
    switch value {
    case .short(let numbers): return (3, numbers.count, numbers.flatMap { big($0, 2) })
    case .long(let numbers): return (4, numbers.count, numbers.flatMap { big($0, 4) })
    case .text(let text): return (2, ascii(text).count + 1, ascii(text) + [0])
    case .rational(let fractions): return (5, fractions.count, fractions.flatMap { big($0.0, 4) + big($0.1, 4) })
    case .signedRational(let fractions):
      return (10, fractions.count, fractions.flatMap { big($0.0, 4) + big($0.1, 4) })
    case .bytes(let bytes): return (7, bytes.count, bytes)
    case .nested(let directory):
      var result = [UInt8](repeating: 0, count: offset)
      append(directory.entries, to: &result)
      return (4, 1, Array(result[offset...]))
    }
  }
}

/// Builds an EXIF block from properties with plain names.
struct EXIFBuilder {
  var original: String?
  var originalOffset: String?
  var originalSubseconds: String?
  var digitized: String?
  var modified: String?
  var orientation: Int?
  var gps: [(Int, TIFFBuilder.Value)] = []
  var capture: [(Int, TIFFBuilder.Value)] = []
  var main: [(Int, TIFFBuilder.Value)] = []

  var bytes: [UInt8] {
    var exif = capture
    if let original { exif.append((0x9003, .text(original))) }
    if let originalOffset { exif.append((0x9011, .text(originalOffset))) }
    if let originalSubseconds { exif.append((0x9291, .text(originalSubseconds))) }
    if let digitized { exif.append((0x9004, .text(digitized))) }
    var main = main
    if let modified { main.append((0x0132, .text(modified))) }
    if let orientation { main.append((0x0112, .short([orientation]))) }
    if !exif.isEmpty { main.append((0x8769, .directory(exif))) }
    if !gps.isEmpty { main.append((0x8825, .directory(gps))) }
    return TIFFBuilder(main: main).bytes
  }

  mutating func setPosition(_ latitude: Double, _ longitude: Double) {
    gps += [
      (1, .text(latitude < 0 ? "S" : "N")), (2, .rational([(Int(abs(latitude) * 1e6), 1_000_000), (0, 1), (0, 1)])),
      (3, .text(longitude < 0 ? "W" : "E")), (4, .rational([(Int(abs(longitude) * 1e6), 1_000_000), (0, 1), (0, 1)])),
    ]
  }

  mutating func setGPSTime(_ day: String, _ hour: Int, _ minute: Int, _ second: Int) {
    gps += [(7, .rational([(hour, 1), (minute, 1), (second, 1)])), (29, .text(day))]
  }
}

/// An Apple maker note with the given entries.
func appleMakerNote(_ entries: [(Int, TIFFBuilder.Value)]) -> [UInt8] {
  // The builder's header has 8 bytes, the note's has 14. The offsets count from the note's start.
  Array(
    ascii("Apple iOS\0") + [0, 1] + ascii("MM")
      + TIFFBuilder(main: entries, preamble: [UInt8](repeating: 0, count: 6)).bytes[14...])
}

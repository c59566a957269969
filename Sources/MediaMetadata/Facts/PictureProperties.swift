/// The metadata of a picture's file, under the numbers of EXIF, TIFF, GPS, Apple's maker note and
/// IPTC.
///
///     let properties = try PictureProperties(of: file)
///     properties[.exif, 0x829A]      // .numbers([0.008])
///
/// `MediaMetadata` is the library's interpretation: it chooses between sources and drops
/// implausible values. These values are as the file stores them, except that line breaks in texts
/// become spaces.
package struct PictureProperties: Hashable, Sendable {
  package enum Group: Int, Sendable, CaseIterable {
    /// The main directory of EXIF or of a TIFF.
    case tiff
    case exif
    case gps
    /// Apple's maker note.
    case apple
    /// IIM's second record. A repeated field has several entries.
    case iptc
    /// The fields of the JFIF header. 0: version, 1: unit of density, 2 and 3: horizontal and
    /// vertical density, 4: whether the JPEG is progressive.
    case jfif
    /// The fields of PNG headers. 0 and 1: horizontal and vertical pixels per meter, 2:
    /// interlacing.
    case png
  }

  package enum Value: Hashable, Sendable {
    case integers([Int])
    case numbers([Double])
    case text(String)
    /// Bytes of EXIF's type "undefined".
    case data([UInt8])
  }

  package struct Entry: Hashable, Sendable {
    package var group: Group
    package var number: Int
    package var value: Value

    package init(_ group: Group, _ number: Int, _ value: Value) {
      self.group = group
      self.number = number
      self.value = value
    }
  }

  package var entries: [Entry] = []
  /// Bits per color; 0 if this format's headers are not read.
  package var depth = 0
  /// The number of colors per pixel: 1 (gray), 3, or 4 (inks); 0 if it is not known.
  package var colorCount = 0
  package var hasAlpha = false
  /// The name of the ICC profile; nil if there is none, or if this format's profiles are not read.
  package var profileName: String?

  package init() {}

  /// The first entry's value.
  package subscript(_ group: Group, _ number: Int) -> Value? {
    entries.first { $0.group == group && $0.number == number }?.value
  }
}

extension PictureProperties {
  /// Reads the properties in this process. The result is empty for an unknown format. Throws if the
  /// file can't be read from the disk.
  package init(parsing file: MediaFile) throws(ImagingError) {
    let source = MediaBytes(file)
    if let format = FileFormat(source.all) { read(source.all, format) }
    if let failure = source.failure { throw failure }
  }

  private mutating func read(_ bytes: ByteReader, _ format: FileFormat) {
    profileName = ProfileName.read(from: bytes, format)
    switch format {
    case .jpeg: readJPEGHeaders(bytes)
    case .png: readPNGHeaders(bytes)
    case .tiff:
      if let tiff = TIFFReader(bytes) { readDirectories(of: tiff) }
      return
    default: break
    }
    var blocks = MetadataBlocks()
    blocks.read(bytes, format)
    if let exif = blocks.exif, let tiff = TIFFReader(MediaBytes(exif).all) { readDirectories(of: tiff) }
    if let iptc = blocks.iptc { readFields(MediaBytes(iptc).all) }
  }

  // MARK: EXIF

  private mutating func readDirectories(of tiff: TIFFReader) {
    guard let main = tiff.directory(at: tiff.firstDirectory) else { return }
    if profileName == nil { profileName = main.window(0x8773).flatMap(ProfileName.name) }
    for entry in main.entries where Self.tiffNumbers.contains(entry.tag) { add(.tiff, entry, of: main) }
    if let exif = main.int(0x8769).flatMap({ tiff.directory(at: $0) }) {
      for entry in exif.entries where entry.tag != Self.makerNote { add(.exif, entry, of: exif) }
      if let note = exif.window(Self.makerNote) { readAppleNote(note) }
    }
    if let gps = main.int(0x8825).flatMap({ tiff.directory(at: $0) }) {
      for entry in gps.entries { add(.gps, entry, of: gps) }
    }
    if let iptc = main.window(0x83BB) { readFields(iptc) }
  }

  private static let makerNote = 0x927C
  /// A TIFF's other tags locate its pixels.
  private static let tiffNumbers: Set = [
    0x0103, 0x0106, 0x010D, 0x010E, 0x010F, 0x0110, 0x0112, 0x011A, 0x011B, 0x0128, 0x012D, 0x0131, 0x0132, 0x013B,
    0x013C, 0x013E, 0x013F, 0x0142, 0x0143, 0x8298,
  ]

  /// Reads the same block as `ParsedValues.readAppleMakerNote`.
  private mutating func readAppleNote(_ bytes: ByteReader) {
    guard bytes.starts(with: "Apple iOS\0") else { return }
    var bytes = bytes
    bytes.order = bytes.starts(with: "II", at: 12) ? .little : .big
    guard let note = TIFFReader(bytes, firstDirectory: 14).directory(at: 14) else { return }
    for entry in note.entries { add(.apple, entry, of: note) }
  }

  private mutating func add(_ group: Group, _ entry: TIFFDirectory.Entry, of directory: TIFFDirectory) {
    guard entries.count < Self.mostEntries, self[group, entry.tag] == nil,
      let value = directory.value(of: entry)
    else { return }
    entries.append(Entry(group, entry.tag, value))
  }

  package static let mostEntries = 1000
  /// The largest number of values in a list, and of bytes in a text or in binary data.
  package static let longestValue = 4096

  // MARK: IPTC

  private mutating func readFields(_ content: ByteReader) {
    var isUTF8 = false
    for field in IPTCFields(content) {
      if field.record == 1, field.number == 90 { isUTF8 = field.value.starts(with: "\u{1B}%G") }
      guard field.record == 2, field.number > 0, entries.count < Self.mostEntries,
        let bytes = field.value.bytes(0, min(field.value.count, Self.longestValue))
      else { continue }
      let text =
        isUTF8 ? String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self) : String.decodedWithUnknownEncoding(bytes)
      if let line = text.cleaned(limit: Self.longestValue) { entries.append(Entry(.iptc, field.number, .text(line))) }
    }
  }

  // MARK: Headers

  private mutating func readJPEGHeaders(_ bytes: ByteReader) {
    for marker in JPEGMarkers.headers(bytes).prefix(500) {
      let content = marker.content
      if marker.code == JPEGMarker.app0, self[.jfif, 0] == nil, content.starts(with: "JFIF\0"),
        let major = content.u8(5), let minor = content.u8(6), let unit = content.u8(7), let across = content.u16(8),
        let down = content.u16(10)
      {
        for (number, values) in [[major, minor], [unit], [across], [down]].enumerated() {
          entries.append(Entry(.jfif, number, .integers(values)))
        }
      }
      if marker.isFrame {
        depth = content.u8(0) ?? 0
        colorCount = content.u8(5).flatMap { [1, 3, 4].contains($0) ? $0 : nil } ?? 0
        if marker.code == 0xC2 { entries.append(Entry(.jfif, 4, .integers([1]))) }
        return
      }
    }
  }

  private mutating func readPNGHeaders(_ bytes: ByteReader) {
    guard let bits = bytes.u8(24), let kind = bytes.u8(25), let interlacing = bytes.u8(28) else { return }
    // Colors in a palette have 8 bits, whatever the size of the indexes.
    let hasTable = kind == 3
    depth = hasTable ? 8 : bits
    colorCount = kind & 2 == 0 ? 1 : 3
    hasAlpha = kind & 4 != 0
    entries.append(Entry(.png, 2, .integers([interlacing])))
    for chunk in PNGChunks(bytes) {
      if chunk.type == "IDAT" || chunk.type == "IEND" { return }
      if chunk.type == "tRNS" { hasAlpha = true }
      if chunk.type == "pHYs", self[.png, 0] == nil, let across = chunk.content.u32(0),
        let down = chunk.content.u32(4), chunk.content.u8(8) == 1
      {
        entries += [Entry(.png, 0, .integers([across])), Entry(.png, 1, .integers([down]))]
      }
    }
  }
}

extension TIFFDirectory {
  /// Returns a value by its type; `nil` if it can't be read.
  fileprivate func value(of entry: Entry) -> PictureProperties.Value? {
    let most = PictureProperties.longestValue
    switch entry.type {
    case 2, 129: return text(entry.tag, limit: most)?.cleaned(limit: most).map { .text($0) }
    case 7:
      guard let window = window(entry.tag), window.count > 0, window.count <= most else { return nil }
      return window.bytes(0, window.count).map { .data($0) }
    case 5, 10, 11, 12:
      // A denominator of 0 ends the list, since it means an unknown value.
      return [16, 3, 2, 1].lazy.compactMap { rationals(entry.tag, limit: $0) }.first.map { .numbers($0) }
    default: return ints(entry.tag, limit: 64).map { .integers($0) }
    }
  }
}

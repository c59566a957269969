extension ParsedValues {
  private static let chunkLimit = 20_000
  /// The number of compressed chunks that are inflated. Each may be as large as
  /// `textByteLimit`.
  private static let inflatedChunkLimit = 16
  /// The largest text: a profile of half a megabyte in hexadecimal digits with its line breaks, or
  /// XMP with much padding.
  private static let textByteLimit = 5 << 18

  /// Reads a PNG's chunks, and the length of one loop of an animation.
  mutating func readPNG(_ bytes: ByteReader) {
    var end = 0
    var inflatedChunks = 0
    var isComplete = false
    var chunks = PNGChunks(bytes)
    for _ in 0..<Self.chunkLimit {
      guard let chunk = chunks.next() else { break }
      let content = chunk.content
      end = chunk.end
      switch chunk.type {
      case "IHDR": readHeader(content)
      case "acTL": if content.u32(0) ?? 0 > 1 { subtypes.insert(.animated) }
      case "fcTL":
        if let delay = content.u16(20), let unit = content.u16(22) {
          duration += Double(delay) / Double(unit == 0 ? 100 : unit)
        }
      case "eXIf": readEXIF(content)
      case "zxIf":
        inflatedChunks += 1
        if inflatedChunks <= Self.inflatedChunkLimit { readCompressedEXIF(content) }
      case "iTXt", "tEXt", "zTXt":
        if content.count > Self.textByteLimit, content.starts(with: "XML:com.adobe.xmp\0") {
          note("The PNG's XMP is too large and was ignored.")
        }
        guard let text = Text(content, type: chunk.type), Self.keywords.contains(text.keyword) else { continue }
        if text.isCompressed { inflatedChunks += 1 }
        if inflatedChunks <= Self.inflatedChunkLimit { readText(text) }
      case "tIME": readModificationTime(content)
      // Some programs write the metadata after the picture.
      case "IDAT": chunks.skipRepetitions(of: chunk)
      case "IEND": isComplete = true
      default: break
      }
    }
    if storedWidth == 0 || storedHeight == 0 { note("The PNG has no picture size.") }
    if !isComplete, end > bytes.count { note("The file is cut short.") }
    if !subtypes.contains(.animated) { duration = 0 }
  }

  private mutating func readHeader(_ content: ByteReader) {
    if let width = content.u32(0), let height = content.u32(4) { (storedWidth, storedHeight) = (width, height) }
  }

  private static let keywords: Set = [
    "XML:com.adobe.xmp", "Raw profile type exif", "Raw profile type APP1", "Raw profile type xmp",
    "Raw profile type iptc", "Raw profile type 8bim", "Creation Time", "create-date", "Title", "Description",
    "Software",
  ]

  /// A text with its keyword, from one of PNG's three kinds of text chunks.
  private struct Text {
    var keyword: String
    var bytes: ArraySlice<UInt8>
    var isCompressed = false

    init?(_ content: ByteReader, type: FourCC) {
      guard content.count <= textByteLimit, let bytes = content.bytes(0, content.count),
        let end = bytes.firstIndex(of: 0)
      else { return nil }
      keyword = String(decoding: bytes[..<end], as: UTF8.self)
      self.bytes = bytes[(end + 1)...]
      switch type {
      case "zTXt":
        isCompressed = true
        // The only method of compression is 0.
        guard self.bytes.popFirst() == 0 else { return nil }
      case "iTXt":
        // A compression flag and method, a language and a translated keyword precede the text.
        guard let flag = self.bytes.popFirst(), flag <= 1, self.bytes.popFirst() == 0 else { return nil }
        isCompressed = flag == 1
        for _ in 0..<2 {
          guard let next = self.bytes.firstIndex(of: 0) else { return nil }
          self.bytes = self.bytes[(next + 1)...]
        }
      default: break
      }
    }
  }

  private mutating func readText(_ text: Text) {
    var bytes = text.bytes
    if text.isCompressed {
      guard let inflated = Decompression.inflated(Array(bytes), limit: Self.textByteLimit) else {
        return note("The PNG's text “\(text.keyword)” can't be decompressed and was ignored.")
      }
      bytes = inflated[...]
    }
    switch text.keyword {
    case "XML:com.adobe.xmp": readXMP(Array(bytes))
    case let keyword where keyword.hasPrefix("Raw profile"): readRawProfile(bytes)
    case "Creation Time", "create-date": readCreationTime(String(decoding: bytes.prefix(64), as: UTF8.self))
    case "Title":
      texts.add(.title, String.decodedWithUnknownEncoding(bytes.prefix(TextCandidates.byteLimit)), from: .container)
    case "Description":
      texts.add(.caption, String.decodedWithUnknownEncoding(bytes.prefix(TextCandidates.byteLimit)), from: .container)
    case "Software": camera.software = camera.software ?? trimmedText(Array(bytes.prefix(128)))
    default: break
    }
  }

  /// Reads `zxIf`, a proposed chunk that was never registered. It contains a zero, the length of
  /// the EXIF, and the EXIF, compressed by zlib.
  private mutating func readCompressedEXIF(_ content: ByteReader) {
    guard content.u8(0) == 0, content.count <= XMP.byteLimit, let bytes = content.bytes(5, content.count - 5),
      let inflated = Decompression.inflated(bytes, limit: Self.textByteLimit)
    else { return note("The PNG's EXIF data can't be decompressed and was ignored.") }
    readEXIF(MediaBytes(inflated).all)
  }

  /// Reads ImageMagick's form from before `eXIf`: a name, a length and hexadecimal digits, on
  /// separate lines. The content tells its kind more surely than the name does.
  private mutating func readRawProfile(_ text: ArraySlice<UInt8>) {
    let lines = text.split(omittingEmptySubsequences: true) { $0 == 10 || $0 == 13 }
    guard lines.count > 2 else { return }
    let digits = lines.dropFirst(2).joined().compactMap { Character(Unicode.Scalar($0)).hexDigitValue }
    let profile = stride(from: 0, to: digits.count - 1, by: 2).map { UInt8(digits[$0] << 4 | digits[$0 + 1]) }
    let content = MediaBytes(profile).all
    let xmpHeader = "http://ns.adobe.com/xap/1.0/\0"
    let photoshopHeader = "Photoshop 3.0\0"
    if content.starts(with: "8BIM") {
      readPhotoshop(content, from: 0)
    } else if content.starts(with: photoshopHeader) {
      readPhotoshop(content, from: photoshopHeader.utf8.count)
    } else if content.u8(0) == 0x1C {
      readIPTC(content)
    } else if content.starts(with: xmpHeader) {
      readXMP(Array(profile.dropFirst(xmpHeader.utf8.count)))
    } else if content.starts(with: "<") {
      readXMP(profile)
    } else {
      readEXIF(content)
    }
  }

  /// Reads a creation time. PNG recommends the date form of e-mail ("Tue, 21 May 2019 10:45:52
  /// +0200"), but EXIF's, ISO's and C's ("Sun Feb  3 04:05:06 2013") are as common.
  private mutating func readCreationTime(_ text: String) {
    let words = text.split { $0 == "," || $0.isWhitespace }
    guard let at = words.firstIndex(where: { EnglishMonth($0) != nil }), let month = EnglishMonth(words[at]),
      let day = words[max(0, at - 1)...].prefix(3).compactMap({ Int($0) }).first(where: { (1...31).contains($0) }),
      let year = words.first(where: { $0.count == 4 && Int($0) != nil })
    else { return addDate(.pngCreation, text) }
    let time = words.drop { !$0.contains(":") }.prefix(2).joined(separator: " ")
    addDate(.pngCreation, "\(year)-\(month.number)-\(day) \(time)")
  }

  private mutating func readModificationTime(_ content: ByteReader) {
    guard let year = content.u16(0), let month = content.u8(2), let day = content.u8(3), let hour = content.u8(4),
      let minute = content.u8(5), let second = content.u8(6)
    else { return }
    addDate(.pngModification, "\(String(year).leftPadded(to: 4))-\(month)-\(day) \(hour):\(minute):\(second)Z")
  }
}

/// A month by its English name, or by the abbreviation in e-mail and AVI.
struct EnglishMonth {
  let number: Int

  init?(_ name: Substring) {
    let names = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"]
    guard name.utf8.count >= 3, let index = names.firstIndex(of: name.prefix(3).lowercased()) else { return nil }
    number = index + 1
  }
}

extension String {
  fileprivate func leftPadded(to width: Int) -> String {
    String(repeating: "0", count: Swift.max(0, width - utf8.count)) + self
  }
}

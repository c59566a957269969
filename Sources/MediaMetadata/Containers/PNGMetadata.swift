extension ParsedValues {
  /// The number of chunks that are read after the first picture chunk. Screenshots have hundreds of
  /// picture chunks and no metadata after them.
  private static let trailingChunkLimit = 200
  private static let chunkLimit = 20_000

  /// Reads a PNG's chunks, and the length of one loop of an animation. Compressed texts are not
  /// inflated, because no camera writes them.
  mutating func readPNG(_ bytes: ByteReader) {
    var end = 0
    var pictureChunks = 0
    var isComplete = false
    for chunk in PNGChunks(bytes).prefix(Self.chunkLimit) {
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
      case "iTXt", "tEXt": readText(content, isInternational: chunk.type == "iTXt")
      case "tIME": readModificationTime(content)
      case "IDAT", "fdAT": pictureChunks += 1
      case "IEND": isComplete = true
      default: break
      }
      if pictureChunks > Self.trailingChunkLimit, !subtypes.contains(.animated) { break }
    }
    if storedWidth == 0 || storedHeight == 0 { note("The PNG has no picture size.") }
    if !isComplete, end > bytes.count { note("The file is cut short.") }
    if !subtypes.contains(.animated) { duration = 0 }
    readScreenshotName(bytes.source.name)
  }

  private mutating func readHeader(_ content: ByteReader) {
    if let width = content.u32(0), let height = content.u32(4) { (storedWidth, storedHeight) = (width, height) }
  }

  private mutating func readText(_ content: ByteReader, isInternational: Bool) {
    guard content.count <= XMP.byteLimit, let bytes = content.bytes(0, content.count), let end = bytes.firstIndex(of: 0)
    else { return }
    let keyword = String(decoding: bytes[..<end], as: UTF8.self)
    var text = bytes[(end + 1)...]
    if isInternational {
      // A compression flag and method, a language and a translated keyword precede the text.
      guard text.count >= 2, text.first == 0 else { return }
      text = text.dropFirst(2)
      for _ in 0..<2 {
        guard let next = text.firstIndex(of: 0) else { return }
        text = text[(next + 1)...]
      }
    }
    switch keyword {
    case "XML:com.adobe.xmp": readXMP(Array(text))
    case "Raw profile type exif", "Raw profile type APP1": readRawProfile(text)
    case "Creation Time": readCreationTime(String(decoding: text.prefix(64), as: UTF8.self))
    case "Title":
      texts.add(.title, String.decodedWithUnknownEncoding(text.prefix(TextCandidates.byteLimit)), from: .container)
    case "Description":
      texts.add(.caption, String.decodedWithUnknownEncoding(text.prefix(TextCandidates.byteLimit)), from: .container)
    case "Software": camera.software = camera.software ?? trimmedText(Array(text.prefix(128)))
    default: break
    }
  }

  /// Reads ImageMagick's form from before `eXIf`: a name, a length and hexadecimal digits, on
  /// separate lines.
  private mutating func readRawProfile(_ text: ArraySlice<UInt8>) {
    let lines = text.split { $0 <= 32 }
    guard lines.count > 2 else { return }
    let digits = lines.dropFirst(2).joined().compactMap { Character(Unicode.Scalar($0)).hexDigitValue }
    let bytes = stride(from: 0, to: digits.count - 1, by: 2).map { UInt8(digits[$0] << 4 | digits[$0 + 1]) }
    readEXIF(MediaBytes(bytes).all)
  }

  /// Reads a creation time. PNG recommends the date form of e-mail ("Tue, 21 May 2019 10:45:52
  /// +0200"), but EXIF's and ISO's are as common.
  private mutating func readCreationTime(_ text: String) {
    let words = text.split { " ,".contains($0) }
    guard let at = words.firstIndex(where: { EnglishMonth($0) != nil }), at > 0, at + 2 < words.count,
      let month = EnglishMonth(words[at])
    else { return addDate(.pngCreation, text) }
    addDate(
      .pngCreation,
      "\(words[at + 1])-\(month.number)-\(words[at - 1]) \(words[at + 2]) \(at + 3 < words.count ? words[at + 3] : "")")
  }

  private mutating func readModificationTime(_ content: ByteReader) {
    guard let year = content.u16(0), let month = content.u8(2), let day = content.u8(3), let hour = content.u8(4),
      let minute = content.u8(5), let second = content.u8(6)
    else { return }
    addDate(.pngModification, "\(String(year).leftPadded(to: 4))-\(month)-\(day) \(hour):\(minute):\(second)Z")
  }

  /// Marks a screenshot by its file's name, which is the only mark that macOS and other systems
  /// leave.
  private mutating func readScreenshotName(_ path: String) {
    let name = path.lastPathComponent.lowercased()
    let beginnings = [
      "screenshot", "screen shot", "bildschirmfoto", "capture d’écran", "capture d'écran", "captura de pantalla",
      "schermata",
    ]
    if camera.make == nil, beginnings.contains(where: name.hasPrefix) { subtypes.insert(.screenshot) }
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

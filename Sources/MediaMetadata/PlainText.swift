extension String {
  /// Decodes bytes in an unknown encoding, up to the first NUL: as UTF-8 if they are valid UTF-8,
  /// else as ISO 8859-1.
  ///
  /// A field that is too short may cut its text within a character. Bytes that are valid UTF-8
  /// without their last one to three bytes, and not only ASCII, therefore count as UTF-8.
  package static func decodedWithUnknownEncoding(_ bytes: some Collection<UInt8>) -> String {
    let bytes = Array(bytes.prefix { $0 != 0 })
    for cut in 0...Swift.min(3, bytes.count) {
      let whole = bytes.dropLast(cut)
      if cut > 0, whole.allSatisfy({ $0 < 0x80 }) { break }
      if let text = String(validating: whole, as: UTF8.self) { return text }
    }
    return String(String.UnicodeScalarView(bytes.map { Unicode.Scalar($0) }))
  }

  /// Decodes little-endian UTF-16 up to the first NUL.
  package static func littleEndianUTF16(_ bytes: [UInt8]) -> String {
    let units = stride(from: 0, to: bytes.count - 1, by: 2).map { UInt16(bytes[$0]) | UInt16(bytes[$0 + 1]) << 8 }
    return String(decoding: units.prefix { $0 != 0 }, as: UTF16.self)
  }

  /// Returns the text in one line of at most `limit` characters; nil if nothing is left. Each run
  /// of spaces and line breaks becomes one space, and none remains at the ends. Other control
  /// characters are removed, and so are those that change the direction of text.
  package func cleaned(limit: Int) -> String? {
    if utf8.count <= limit, isCleanASCII { return isEmpty ? nil : self }
    var kept = String.UnicodeScalarView()
    var hasGap = false
    // One visible character may consist of very many scalars.
    for scalar in unicodeScalars.prefix(limit * 8) {
      switch scalar.value {
      case 0x09...0x0D, 0x20, 0x85, 0x2028, 0x2029: hasGap = true
      case 0..<0x20, 0x7F...0x9F, 0x202A...0x202E, 0x2066...0x2069, 0xFEFF: break
      default:
        if hasGap, !kept.isEmpty { kept.append(" ") }
        hasGap = false
        kept.append(scalar)
      }
    }
    var text = String(kept).prefix(limit)
    if text.last == " " { text.removeLast() }
    return text.isEmpty ? nil : String(text)
  }

  /// True if `cleaned` would change nothing, as for most texts.
  private var isCleanASCII: Bool {
    // The beginning counts as a space: a text that starts with a space is not clean.
    var isBehindSpace = true
    for byte in utf8 {
      guard byte >= 0x20, byte < 0x7F, byte != 0x20 || !isBehindSpace else { return false }
      isBehindSpace = byte == 0x20
    }
    return !isBehindSpace || isEmpty
  }

  /// The text with XML's five named references and its numeric ones decoded. Others stay as they
  /// are.
  package var withoutXMLReferences: String {
    guard utf8.contains(UInt8(ascii: "&")) else { return self }
    var result = ""
    var rest = self[...]
    while let start = rest.firstIndex(of: "&") {
      result += rest[..<start]
      rest = rest[start...]
      if let end = rest.prefix(10).firstIndex(of: ";"),
        let scalar = Self.xmlReference(rest[..<end].dropFirst())
      {
        result.unicodeScalars.append(scalar)
        rest = rest[end...].dropFirst()
      } else {
        result.append("&")
        rest = rest.dropFirst()
      }
    }
    return result + rest
  }

  private static func xmlReference(_ name: Substring) -> Unicode.Scalar? {
    switch name {
    case "amp": return "&"
    case "lt": return "<"
    case "gt": return ">"
    case "quot": return "\""
    case "apos": return "'"
    default:
      guard name.first == "#" else { return nil }
      let number = name.dropFirst()
      let code = number.first == "x" ? UInt32(number.dropFirst(), radix: 16) : UInt32(number)
      return code.flatMap(Unicode.Scalar.init)
    }
  }
}

extension String {
  /// The text of bytes whose alphabet nobody names, up to the first NUL: UTF-8 where they are that, else ISO 8859-1.
  ///
  /// A field that is too short for its text may end within a character: what is UTF-8 before its last bytes, and not ASCII
  /// alone, is UTF-8.
  package static func guessed(_ bytes: some Collection<UInt8>) -> String {
    let bytes = Array(bytes.prefix { $0 != 0 })
    for cut in 0...Swift.min(3, bytes.count) {
      let whole = bytes.dropLast(cut)
      if cut > 0, whole.allSatisfy({ $0 < 0x80 }) { break }
      if let text = String(validating: whole, as: UTF8.self) { return text }
    }
    return String(String.UnicodeScalarView(bytes.map { Unicode.Scalar($0) }))
  }

  /// The text of UTF-16 with its low bytes first, up to the first NUL.
  package static func littleEndianUTF16(_ bytes: [UInt8]) -> String {
    let units = stride(from: 0, to: bytes.count - 1, by: 2).map { UInt16(bytes[$0]) | UInt16(bytes[$0 + 1]) << 8 }
    return String(decoding: units.prefix { $0 != 0 }, as: UTF16.self)
  }

  /// What can be shown in one line: spaces and line breaks are one space each time and none at the ends, other control
  /// characters are gone, and so are those that turn the direction of all that follows. Nil where nothing is left.
  package func cleaned(limit: Int) -> String? {
    if utf8.count <= limit, isCleanASCII { return isEmpty ? nil : self }
    var kept = String.UnicodeScalarView()
    var hasGap = false
    // One visible character may be made of very many.
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

  /// Whether `cleaned` would find nothing to do, as with most texts.
  private var isCleanASCII: Bool {
    // As if a space stood before and behind.
    var isBehindSpace = true
    for byte in utf8 {
      guard byte >= 0x20, byte < 0x7F, byte != 0x20 || !isBehindSpace else { return false }
      isBehindSpace = byte == 0x20
    }
    return !isBehindSpace || isEmpty
  }

  /// The text with XML's five named references and its numbered ones as what they stand for; no others are known.
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

/// Removes the properties of an XMP packet that are not true for an edited picture. All others keep
/// their bytes.
package struct XMPRewriting {
  /// True if no pixel changes its row or column.
  package var keepsGeometry: Bool
  /// Returns true for further properties to remove.
  package var isReplaced: (String) -> Bool

  package init(keepsGeometry: Bool = false, isReplaced: @escaping (String) -> Bool = { _ in false }) {
    self.keepsGeometry = keepsGeometry
    self.isReplaced = isReplaced
  }

  /// Orientation, sizes and other properties that the new file stores itself.
  private static let dropped: Set<String> = [
    "tiff:Orientation", "tiff:ImageWidth", "tiff:ImageLength", "exif:PixelXDimension", "exif:PixelYDimension",
    "exif:ColorSpace", "photoshop:ICCProfile", "xmp:Thumbnails", "xap:Thumbnails", "xmpNote:HasExtendedXMP",
  ]
  /// Parts of the file that the new one doesn't contain, and settings that are applied already.
  private static let droppedPrefixes: Set<String> = [
    "GCamera", "Container", "GContainer", "Item", "GImage", "GDepth", "GAudio", "GFocus", "hdrgm", "HDRGainMap", "apdi",
    "Device", "crs", "crd",
  ]
  private static let geometricPrefixes: Set<String> = ["GPano", "mwg-rs", "MP", "MPRI", "MPReg", "apple-fi"]

  package func rewritten(_ packet: [UInt8]) -> [UInt8] {
    var result: [UInt8] = []
    result.reserveCapacity(packet.count)
    var position = 0
    /// The removed element around `position`, and the number of open elements with its name.
    var hidden: (name: String, depth: Int)?
    var namespaces = XMPNamespaces()
    while position < packet.count {
      guard let open = packet[position...].firstIndex(of: UInt8(ascii: "<")),
        let close = Self.end(ofTagAt: open, in: packet)
      else { break }
      if hidden == nil { result += packet[position..<open] }
      let tag = packet[open...close]
      position = close + 1
      // Comments, instructions and CDATA have no names.
      if let mark = tag.dropFirst().first, mark == UInt8(ascii: "!") || mark == UInt8(ascii: "?") {
        if hidden == nil { result += tag }
        continue
      }
      var attributes: [XMPNamespaces.Attribute] = []
      attributes.add(tag)
      namespaces.declare(from: &attributes, in: packet)
      let name = String(decoding: namespaces.usual(Self.name(of: tag)), as: UTF8.self)
      let isEnd = tag.dropFirst().first == UInt8(ascii: "/")
      let isEmpty = tag.dropLast().last == UInt8(ascii: "/")
      if let outer = hidden {
        guard name == outer.name, !isEmpty else { continue }
        hidden = isEnd && outer.depth == 1 ? nil : (name, outer.depth + (isEnd ? -1 : 1))
      } else if !isEnd, isDropped(name) {
        if !isEmpty { hidden = (name, 1) }
      } else {
        result += keptAttributes(of: tag, namespaces)
      }
    }
    if hidden == nil { result += packet[position...] }
    return result
  }

  /// Returns the index of the `>` that ends a tag, skipping those in attributes, comments and
  /// CDATA.
  private static func end(ofTagAt open: Int, in packet: [UInt8]) -> Int? {
    for (start, end) in [("<!--", "-->"), ("<![CDATA[", "]]>"), ("<?", "?>")]
    where packet[open...].starts(with: start.utf8) {
      return packet[(open + start.utf8.count)...].firstRange(of: Array(end.utf8)).map { $0.upperBound - 1 }
    }
    var quote: UInt8?
    for index in open..<packet.count {
      let byte = packet[index]
      if byte == quote {
        quote = nil
      } else if quote == nil {
        if byte == UInt8(ascii: ">") { return index }
        if byte == 0x22 || byte == 0x27 { quote = byte }
      }
    }
    return nil
  }

  private static func name(of tag: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
    let text = tag.dropFirst().drop { $0 == UInt8(ascii: "/") }
    return text.prefix { $0 > 32 && $0 != UInt8(ascii: "/") && $0 != UInt8(ascii: ">") }
  }

  private func isDropped(_ name: String) -> Bool {
    guard let colon = name.firstIndex(of: ":") else { return false }
    let prefix = String(name[..<colon])
    return Self.dropped.contains(name) || isReplaced(name) || Self.droppedPrefixes.contains(prefix)
      || !keepsGeometry && Self.geometricPrefixes.contains(prefix)
  }

  /// Returns the tag without the attributes to remove.
  private func keptAttributes(of tag: ArraySlice<UInt8>, _ namespaces: XMPNamespaces) -> [UInt8] {
    guard tag.contains(UInt8(ascii: "=")) else { return Array(tag) }
    var result: [UInt8] = []
    var rest = tag
    while let equals = rest.firstIndex(of: UInt8(ascii: "=")) {
      var nameStart = equals
      while nameStart > rest.startIndex, rest[nameStart - 1] > 32 { nameStart -= 1 }
      let value = rest[(equals + 1)...].drop { $0 <= 32 }
      guard let quote = value.first, quote == 0x22 || quote == 0x27, let end = value.dropFirst().firstIndex(of: quote)
      else { break }
      let name = rest[nameStart..<equals]
      if name.contains(UInt8(ascii: ":")), isDropped(String(decoding: namespaces.usual(name), as: UTF8.self)) {
        result += rest[rest.startIndex..<nameStart]
        // Removes the white space before the attribute as well.
        while let last = result.last, last <= 32 { result.removeLast() }
      } else {
        result += rest[rest.startIndex...end]
      }
      rest = rest[(end + 1)...]
    }
    return result + rest
  }
}

/// A new XMP packet with a person's texts, for a target format that can't store them in the form of
/// the source.
package struct XMPWriting {
  private var properties: [String] = []
  private var replacesKeywords = false

  /// Collects the texts of the file that the `known` packet does not contain.
  package init(_ metadata: MediaMetadata, iptc: [UInt8]?, known: XMP? = nil) {
    if known?["dc:title"] == nil { add("dc:title", metadata.title.map(XMPText.language)) }
    if known?["dc:description"] == nil { add("dc:description", metadata.caption.map(XMPText.language)) }
    if !metadata.keywords.allSatisfy({ known?.keywords.contains(XMPText.escaped($0)) ?? false }) {
      add("dc:subject", XMPText.bag(metadata.keywords))
      replacesKeywords = true
    }
    if metadata.rating > 0, known?["xmp:Rating", "xap:Rating"] == nil { add("xmp:Rating", "\(metadata.rating)") }
    guard let iptc else { return }
    let places = [
      92: "Iptc4xmpCore:Location", 90: "photoshop:City", 95: "photoshop:State", 101: "photoshop:Country",
    ]
    var isUTF8 = false
    for field in IPTCFields(MediaBytes(iptc).all) {
      if field.record == 1, field.number == 90 { isUTF8 = field.value.starts(with: "\u{1B}%G") }
      guard field.record == 2, let name = places[field.number], known?[name] == nil,
        let bytes = field.value.bytes(0, field.value.count)
      else { continue }
      add(
        name,
        XMPText.escaped(isUTF8 ? String(decoding: bytes, as: UTF8.self) : String.decodedWithUnknownEncoding(bytes)))
    }
  }

  private mutating func add(_ name: String, _ content: String?) {
    if let content { properties.append(XMPText.property(name, content)) }
  }

  /// The packet; nil if there are no texts.
  package var packet: [UInt8]? {
    guard !properties.isEmpty else { return nil }
    return Array(XMPText.packet(properties).utf8)
  }

  /// Returns a packet with these properties added. A packet without an RDF element stays as it is.
  package func merged(into packet: [UInt8]) -> [UInt8] {
    guard !properties.isEmpty else { return packet }
    let rest =
      replacesKeywords
      ? XMPRewriting(keepsGeometry: true, isReplaced: { $0 == "dc:subject" }).rewritten(packet) : packet
    guard let end = rest.firstIndex(of: "</rdf:RDF>") else { return packet }
    return rest[..<end] + Array(XMPText.description(properties).utf8) + rest[end...]
  }
}
